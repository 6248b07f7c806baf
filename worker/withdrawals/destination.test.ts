import { expect, test } from 'vitest'
import { bankWithdrawal } from '../../src/contract/bankWithdrawals.ts'
import { cryptoWithdrawal } from '../../src/contract/withdrawals.ts'
import { bankDestination, walletDestination } from './destination.ts'

const wallet = (fields: Record<string, string>) =>
  walletDestination(
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
  withdrawalReason: 'Rent',
}
const bank = (fields: Record<string, string> = {}) =>
  bankDestination(bankWithdrawal.parse({ ...FIELDS, ...fields }))

test('one address is one destination, however its letters are cased, and another on each network', async () => {
  const { hash } = await wallet({})
  expect((await wallet({ address: '0x52908400098527886e0f7030069857d2e4169ee7' })).hash).toBe(hash)
  expect((await wallet({ type: 'usdt', network: 'usdt-erc20' })).hash).not.toBe(hash)
})

test('an account is its bank, branch and number, without case, blanks and hyphens', async () => {
  const { hash } = await bank()
  const same: Record<string, string>[] = [
    { accountNumber: '00112233' },
    { bankName: 'FIRST  harbour bank' },
    { branchCode: '2506' },
  ]
  for (const fields of same) expect((await bank(fields)).hash).toBe(hash)
  expect((await bank({ withdrawalReason: 'Food', accountHolderName: 'A. Torres' })).hash).toBe(hash)
  const others: Record<string, string>[] = [
    { accountNumber: '00112234' },
    { bankName: 'Second Harbour Bank' },
    { branchCode: '2507' },
  ]
  for (const fields of others) expect((await bank(fields)).hash).not.toBe(hash)
})

test('the parts of an account do not run into each other', async () => {
  const one = await bank({ branchCode: '1', accountNumber: '23' })
  expect((await bank({ branchCode: '12', accountNumber: '3' })).hash).not.toBe(one.hash)
})

test('what is stored of a bank is what was sent, but for code, amount and method', async () => {
  const { details } = await bank({ code: '123456', withdrawalMethod: 'bank', withdrawalType: '' })
  const { amount: _amount, ...sent } = FIELDS
  expect(JSON.parse(details.bank ?? '')).toEqual({ ...sent, withdrawalType: null })
  expect(details).toMatchObject({ coin: null, network: null, address: null })
})

test('the mail’s words name an account by its last four', async () => {
  expect((await bank()).words).toBe('the account ••••2233 at First Harbour Bank, held by Ana Torres')
})

test('a network that does not carry the coin and an address of another network are both told', async () => {
  const { problems } = await wallet({ type: 'bitcoin', network: 'usdt-trc20' })
  expect(problems).toEqual({
    network: 'Bitcoin does not travel on TRON (TRC-20)',
    address: expect.stringContaining('TRON'),
  })
})
