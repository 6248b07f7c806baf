import * as z from 'zod/mini'
import { choice, filed, LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountField,
  bankNumber,
  codeField,
  optionalText,
  passkeyAnswerField,
  requiredText,
  secretField,
} from '../fields.ts'
import { COINS, NETWORKS } from './coins.ts'

export const STEP_UP_REASONS = [
  'new_destination',
  'new_device',
  'recent_security_change',
  'large_share',
  'address_book',
] as const
export type StepUpReason = (typeof STEP_UP_REASONS)[number]
export const STEP_UP_METHODS = ['passkey', 'totp', 'email'] as const

/** How long a withdrawal to a new destination waits before it is paid, unless a second factor confirms it. */
export const NEW_DESTINATION_HOURS = 24

const EMPTY_AMOUNT = 'Please input withdrawal amount in USD'

/** The fields of a cryptocurrency withdrawal. A later check compares address and network. */
export const cryptoWithdrawal = z.object({
  amount: amountField(EMPTY_AMOUNT),
  type: choice(COINS, 'Please choose a coin'),
  network: choice(NETWORKS, 'Please choose a network'),
  address: requiredText('Please provide withdrawal address', 200),
  code: codeField(),
  passkey: passkeyAnswerField(),
})

/** One limit for both endpoints, because they share its name. */
const LIMIT = { name: 'withdrawals', per: 'account', max: 600, windowSeconds: 3600 } as const

export const requestWithdrawal = endpoint('POST', '/withdrawals', 'signed-in', {
  summary: 'Withdraw by cryptocurrency. The amount is held immediately',
  status: 201,
  accepts: 'either',
  body: cryptoWithdrawal,
  answer: filed,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: [
    'too_many_open',
    'debt_outstanding',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})

export const confirmWithdrawal = endpoint('POST', '/withdrawals/confirm', 'public', {
  summary:
    'Confirm a withdrawal with the token of the link in the mail that has the code. The same request then passes once without the code, until the code would expire. Idempotent until then',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'confirm-withdrawal', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})

export const cancelWithdrawal = endpoint('POST', '/withdrawals/:id/cancel', 'signed-in', {
  summary: 'Cancel a pending withdrawal. The held amount is available again',
  answer: message,
  idempotent: true,
  refusals: ['not_pending'],
})

export const BANK_TITLES = ['Mr', 'Mrs', 'Miss', 'Ms', 'Dr', 'Prof'] as const
export const ACCOUNT_TYPES = ['savings', 'checking', 'current', 'investment'] as const
export const WITHDRAWAL_TYPES = ['full', 'partial'] as const

/**
 * The fields that route the money or name the recipient: another value in any of them is another destination.
 * Occupation, withdrawal type and reason are not part of it.
 */
export const BANK_IDENTITY = [
  'bankName',
  'branchName',
  'branchCode',
  'accountNumber',
  'accountType',
  'accountHolderName',
  'title',
  'firstName',
  'surname',
  'clientNumber',
  'investmentNumber',
  'productName',
  'country',
] as const
export type BankIdentityField = (typeof BANK_IDENTITY)[number]

/** 'Please provide first name' for `firstName`. */
function describeMissingField(field: string): string {
  return `Please provide ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
}

const provided = (field: string) => requiredText(describeMissingField(field), 140)
const providedNumber = (field: string) => bankNumber(describeMissingField(field), 140)
const providedChoice = <const T extends readonly string[]>(field: string, options: T) =>
  choice(options, describeMissingField(field))

/** The two-letter code of the bank's country (ISO 3166-1), or blank if a client does not know it. */
const bankCountry = z.pipe(
  optionalText(2),
  z.optional(
    z.string().check(z.regex(/^[A-Z]{2}$/, 'Please give the country of the bank by its two letters')),
  ),
)

/** The fields of a withdrawal by an online bank service, in the order of the form. */
export const bankWithdrawal = z.object({
  amount: amountField(EMPTY_AMOUNT),
  title: providedChoice('title', BANK_TITLES),
  surname: provided('surname'),
  firstName: provided('firstName'),
  occupation: provided('occupation'),
  clientNumber: providedNumber('clientNumber'),
  investmentNumber: providedNumber('investmentNumber'),
  productName: provided('productName'),
  bankName: provided('bankName'),
  accountNumber: providedNumber('accountNumber'),
  branchName: provided('branchName'),
  accountType: providedChoice('accountType', ACCOUNT_TYPES),
  accountHolderName: provided('accountHolderName'),
  branchCode: providedNumber('branchCode'),
  withdrawalType: z.optional(
    z.union([z.enum(WITHDRAWAL_TYPES), z.literal('')], { error: 'Please choose full or partial' }),
  ),
  withdrawalReason: provided('withdrawalReason'),
  withdrawalMethod: optionalText(40),
  country: bankCountry,
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const requestBankWithdrawal = endpoint('POST', '/withdrawals/online-service', 'signed-in', {
  summary: 'Withdraw to a bank account by the online service. The amount is held immediately',
  status: 201,
  accepts: 'either',
  body: bankWithdrawal,
  answer: filed,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: [
    'too_many_open',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
