import { expect, test } from 'vitest'
import {
  BANK_IDENTITY,
  type BankIdentityField,
  bankWithdrawal,
  cryptoWithdrawal,
} from '../../../src/contract/money/withdrawals.ts'
import { buildBankDestination, buildWalletDestination } from './destination.ts'

const wallet = (fields: Record<string, string>) =>
  buildWalletDestination(
    cryptoWithdrawal.parse({
      amount: '1',
      type: 'ethereum',
      network: 'eth',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      ...fields,
    }),
  )
const FIELDS = {
  amount: '1',
  title: 'Ms',
  surname: 'Torres',
  firstName: 'Ana',
  occupation: 'Engineer',
  clientNumber: '1',
  investmentNumber: '2',
  productName: 'Savings',
  bankName: 'First Harbour Bank',
  accountNumber: '0011 2233',
  branchName: 'Quayside',
  accountType: 'savings',
  accountHolderName: 'Ana Torres',
  branchCode: '25-06',
  country: 'GB',
  withdrawalReason: 'Rent',
}
const bank = (fields: Record<string, string> = {}) =>
  buildBankDestination(bankWithdrawal.parse({ ...FIELDS, ...fields }))

test('one address is one destination, in upper or lower case, and another on each network', async () => {
  const { hash } = await wallet({})
  expect((await wallet({ address: '0x52908400098527886e0f7030069857d2e4169ee7' })).hash).toBe(hash)
  expect((await wallet({ type: 'usdt', network: 'usdt-erc20' })).hash).not.toBe(hash)
})

const SAME: Record<string, string>[] = [
  { bankName: 'FIRST  harbour bank' },
  { accountHolderName: 'ＡＮＡ\u00a0Torres' },
  { accountNumber: '0011-2233' },
  { branchCode: '2506' },
  { occupation: 'Pilot' },
  { withdrawalReason: 'Food' },
  { withdrawalType: 'full' },
]
const OTHERS: Record<BankIdentityField, string> = {
  bankName: 'Second Harbour Bank',
  branchName: 'Hillside',
  branchCode: '2507',
  accountNumber: '0011 2234',
  accountType: 'current',
  accountHolderName: 'A. Torres',
  title: 'Dr',
  firstName: 'Ben',
  surname: 'Torrez',
  clientNumber: '11',
  investmentNumber: '3',
  productName: 'Savings plus',
  country: 'PK',
}

test('a bank destination is every field that routes or names, ignoring case and spaces', async () => {
  const { hash, details } = await bank()
  for (const fields of SAME) expect([fields, (await bank(fields)).hash]).toEqual([fields, hash])
  expect(Object.keys(OTHERS).toSorted()).toEqual([...BANK_IDENTITY].toSorted())
  const hashes = await Promise.all(
    BANK_IDENTITY.map(async (field) => (await bank({ [field]: OTHERS[field] })).hash),
  )
  expect(new Set([hash, ...hashes]).size).toBe(BANK_IDENTITY.length + 1)
  // The account hash does not depend on the names.
  for (const field of ['accountHolderName', 'clientNumber', 'branchName'] as const)
    expect((await bank({ [field]: OTHERS[field] })).details.accountHash).toBe(details.accountHash)
  expect((await bank({ bankName: OTHERS.bankName })).details.accountHash).not.toBe(details.accountHash)
})

test('blanks and hyphens do not matter within an account number', async () => {
  const of = async (accountNumber: string) => (await bank({ accountNumber })).hash
  expect(await of('DE89 3704 0044 0532 0130 00')).toBe(await of('de89370400440532013000'))
  expect(await of('0011-2233 4455')).toBe(await of('001122334455'))
  expect(await of('0011-2233 4456')).not.toBe(await of('001122334455'))
})

test('the parts of an account do not run into each other', async () => {
  const one = await bank({ branchCode: '1', accountNumber: '23' })
  expect((await bank({ branchCode: '12', accountNumber: '3' })).hash).not.toBe(one.hash)
  const quoted = await bank({ bankName: 'First","Quayside' })
  expect((await bank({ bankName: 'First', branchName: 'Quayside' })).hash).not.toBe(quoted.hash)
})

test('the mail names every identifying field, the account by its last four', async () => {
  const { facts } = await bank({ accountNumber: '00112233' })
  for (const field of BANK_IDENTITY.filter((name) => name !== 'accountNumber'))
    expect([field, facts.includes(FIELDS[field])]).toEqual([field, true])
  expect(facts).toContain('••••2233')
  expect(facts).not.toContain('00112233')
  expect((await wallet({})).facts).toBe('')
})

test('the stored bank details are the sent ones without code, amount and method', async () => {
  const { details } = await bank({ code: '123456', withdrawalMethod: 'bank', withdrawalType: '' })
  const { amount: _amount, ...sent } = FIELDS
  expect(JSON.parse(details.bank ?? '')).toEqual({ ...sent, withdrawalType: null })
  expect(details).toMatchObject({ coin: null, network: null, address: null })
})

test('the mail’s words name an account by its last four', async () => {
  expect((await bank()).words).toBe('the account ••••2233 at “First Harbour Bank”, held by “Ana Torres”')
})

test('a network without the coin and an address of another network are both reported', async () => {
  const { problems } = await wallet({ type: 'bitcoin', network: 'usdt-trc20' })
  expect(problems).toEqual({
    network: 'Bitcoin does not travel on TRON (TRC-20)',
    address: expect.stringContaining('TRON'),
  })
})
