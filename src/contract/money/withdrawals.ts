import * as z from 'zod/mini'
import { choice, filed, LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountField,
  asBankNumber,
  bankNumber,
  codeField,
  optionalText,
  passkeyAnswerField,
  requiredText,
  secretField,
} from '../fields.ts'
import { takesAccountType, takesBranchCode } from './bankCountries.ts'
import { COINS, NETWORKS } from './coins.ts'

export const STEP_UP_REASONS = [
  'new_destination',
  'new_device',
  'recent_security_change',
  'large_share',
  'address_book',
  'plan',
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
    'destination_locked',
    'insufficient_funds',
    'address_required',
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

/** The fields that not every payment needs. */
export const BANK_DETAILS = [
  'title',
  'surname',
  'firstName',
  'occupation',
  'clientNumber',
  'investmentNumber',
  'productName',
  'branchName',
  'accountType',
  'branchCode',
  'withdrawalReason',
] as const
type BankDetail = (typeof BANK_DETAILS)[number]

/**
 * Whether a detail has to be given. A client of the specification names no country and gives all of them. With the country of
 * the bank, only what its payments take is required.
 */
export function isBankDetailNeeded(detail: BankDetail, country: string | undefined): boolean {
  if (country === undefined) return true
  if (detail === 'branchCode') return takesBranchCode(country)
  return detail === 'accountType' && takesAccountType(country)
}

/** Reports each needed detail that is blank, together with the problems of other fields. */
/* @__NO_SIDE_EFFECTS__ */
export function requireBankDetails<Fields extends { readonly country?: string | undefined }>(
  isNeeded: (detail: BankDetail, fields: Fields) => boolean = (detail, { country }) =>
    isBankDetailNeeded(detail, country),
) {
  return z.superRefine(
    (fields: Fields, context) => {
      const given: Partial<Record<BankDetail | 'country', unknown>> = fields
      for (const detail of BANK_DETAILS) {
        if (!given[detail] && isNeeded(detail, fields))
          context.addIssue({ code: 'custom', message: describeMissingField(detail), path: [detail] })
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
}

const required = (field: string) => requiredText(describeMissingField(field), 140)

/** A text that may be missing or blank: both give ''. */
const detailText = () =>
  z.pipe(
    optionalText(140),
    z.transform((text) => text ?? ''),
  )
const detailNumber = () => asBankNumber(detailText())
const detailChoice = <const T extends readonly string[]>(field: string, options: T) =>
  z.pipe(
    z.optional(z.nullable(z.enum([...options, ''], { error: describeMissingField(field) }))),
    z.transform((choice) => choice ?? ''),
  )

/** The two-letter code of the bank's country (ISO 3166-1), or blank if a client does not know it. */
const bankCountry = z.pipe(
  optionalText(2),
  z.optional(
    z.string().check(z.regex(/^[A-Z]{2}$/, 'Please give the country of the bank by its two letters')),
  ),
)

/** The fields of a withdrawal by an online bank service, in the order of the form. */
export const bankFields = {
  amount: amountField(EMPTY_AMOUNT),
  title: detailChoice('title', BANK_TITLES),
  surname: detailText(),
  firstName: detailText(),
  occupation: detailText(),
  clientNumber: detailNumber(),
  investmentNumber: detailNumber(),
  productName: detailText(),
  bankName: required('bankName'),
  accountNumber: bankNumber(describeMissingField('accountNumber'), 140),
  branchName: detailText(),
  accountType: detailChoice('accountType', ACCOUNT_TYPES),
  accountHolderName: required('accountHolderName'),
  branchCode: detailNumber(),
  withdrawalType: z.optional(
    z.union([z.enum(WITHDRAWAL_TYPES), z.literal('')], { error: 'Please choose full or partial' }),
  ),
  withdrawalReason: detailText(),
  withdrawalMethod: optionalText(40),
  country: bankCountry,
  code: codeField(),
  passkey: passkeyAnswerField(),
}
export const bankWithdrawal = z.object(bankFields).check(requireBankDetails())

export const requestBankWithdrawal = endpoint('POST', '/withdrawals/online-service', 'signed-in', {
  summary:
    'Withdraw to a bank account by the online service. The amount is held immediately. Without `country` each field but `withdrawalType` is required; with it, only what payments to that country take',
  status: 201,
  accepts: 'either',
  body: bankWithdrawal,
  answer: filed,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: [
    'too_many_open',
    'destination_locked',
    'insufficient_funds',
    'address_required',
    'step_up_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
