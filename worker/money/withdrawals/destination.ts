import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { findAddressProblem, normalizeAddress } from '../../../src/contract/money/addresses.ts'
import {
  COIN_LABELS,
  type Coin,
  getCoinOfNetwork,
  NETWORK_LABELS,
  type Network,
} from '../../../src/contract/money/coins.ts'
import {
  BANK_IDENTITY,
  type BankIdentityField,
  type requestBankWithdrawal,
  type requestWithdrawal,
} from '../../../src/contract/money/withdrawals.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { quotePerson } from '../../lib/mail/compose.ts'
import type { withdrawalDetails } from '../../lib/tables/requests.ts'
import { formatMaskedNumber } from '../requests/history.ts'

/** Where a withdrawal goes. */
export interface Destination {
  /** The destination identity. Spelling variants give the same hash. */
  readonly hash: string
  /** A short description, with the account number masked. */
  readonly words: string
  /** All identity fields, for the mail with the code; blank if `words` has them all. */
  readonly facts: string
  readonly details: Pick<
    typeof withdrawalDetails.$inferInsert,
    'coin' | 'network' | 'address' | 'bank' | 'accountHash'
  >
  /** Validation messages by field. */
  readonly problems: Readonly<Record<string, string>>
}

/** A wallet on a network. The address is stored as sent and compared in canonical form. */
export async function buildWalletDestination(
  body: Pick<BodyOf<typeof requestWithdrawal>, 'type' | 'network' | 'address'>,
): Promise<Destination> {
  const { type, network, address } = body
  const problems = findWalletProblems(type, network, address)
  const canonical = 'address' in problems ? address : normalizeAddress(network, address)
  const hash = await sha256Hex(`wallet\n${network}\n${canonical}`)
  return {
    hash,
    words: `the ${NETWORK_LABELS[network]} address ${address}`,
    facts: '',
    details: { coin: type, network, address, bank: null, accountHash: hash },
    problems,
  }
}

function findWalletProblems(type: Coin, network: Network, address: string): Record<string, string> {
  const problem = findAddressProblem(network, address)
  return {
    ...(getCoinOfNetwork(network) !== type && {
      network: `${COIN_LABELS[type]} does not travel on ${NETWORK_LABELS[network]}`,
    }),
    ...(problem !== null && { address: problem }),
  }
}

/**
 * A bank account and its payee. All routing and naming fields identify the destination. The account alone has its own hash,
 * which finds other investors who are paid there.
 */
export async function buildBankDestination(body: BodyOf<typeof requestBankWithdrawal>): Promise<Destination> {
  const {
    amount: _amount,
    code: _code,
    passkey: _passkey,
    withdrawalMethod: _method,
    withdrawalType,
    ...bank
  } = body
  const account = [bank.bankName, bank.branchCode, bank.accountNumber].map(stripToLettersAndDigits)
  return {
    hash: await hashBank(bank),
    words: `the account ${formatMaskedNumber(bank.accountNumber)} at ${quotePerson(bank.bankName)}, held by ${quotePerson(bank.accountHolderName)}`,
    facts: describeBank(bank),
    details: {
      coin: null,
      network: null,
      address: null,
      accountHash: await sha256Hex(['bank', ...account].join('\n')),
      bank: JSON.stringify({ ...bank, withdrawalType: withdrawalType || null }),
    },
    problems: {},
  }
}

/** The fields that identify a bank destination. A client may leave out the country. */
type BankIdentity = Readonly<
  Record<Exclude<BankIdentityField, 'country'>, string> & { country?: string | undefined }
>

/** The destination identity of a bank account and its payee. */
export function hashBank(bank: BankIdentity): Promise<string> {
  // JSON keeps adjacent fields apart.
  return sha256Hex(
    JSON.stringify(['bank', ...BANK_IDENTITY.map((field) => normalizeBankField(field, bank[field] ?? ''))]),
  )
}

/**
 * A bank destination's field in the form used for comparison: normalised (NFKC), in lower case, with single blanks. Account numbers
 * and branch codes are compared by letters and digits only.
 */
export function normalizeBankField(field: BankIdentityField, value: string): string {
  const text = value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  return field === 'accountNumber' || field === 'branchCode' ? stripToLettersAndDigits(text) : text
}

/** A bank's number, masked if one could call it. */
function quoteNumber(text: string): string {
  const quoted = quotePerson(text, 20)
  return quoted === '“…”' ? formatMaskedNumber(text) : quoted
}

/**
 * The identity of a bank destination in one paragraph, the account number masked, without the fields that were not given. The words
 * are those of the person who filed it.
 */
function describeBank(bank: BankIdentity): string {
  const describe = (label: string, given: string, quote: (text: string) => string = quotePerson) =>
    given === '' ? [] : [`${label}: ${quote(given)}`]
  const name = [bank.firstName, bank.surname].join(' ').trim()
  return [
    ...describe('Bank', bank.bankName),
    ...describe('Branch', bank.branchName),
    ...describe('Branch code', bank.branchCode, quoteNumber),
    ...describe('Account', bank.accountNumber, formatMaskedNumber),
    ...describe('Account type', bank.accountType, String),
    ...describe('Account holder', bank.accountHolderName),
    ...describe('Paid for', [bank.title, name && quotePerson(name)].filter(Boolean).join(' '), String),
    ...describe('Client number', bank.clientNumber, quoteNumber),
    ...describe('Investment number', bank.investmentNumber, quoteNumber),
    ...describe('Product', bank.productName),
    ...describe('Country of the bank', bank.country ?? '', String),
  ]
    .join('. ')
    .concat('.')
}

// Case, blanks and punctuation do not distinguish accounts.
function stripToLettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
