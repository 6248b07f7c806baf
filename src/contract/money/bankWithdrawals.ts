import * as z from 'zod/mini'
import { amountField } from '../amountField.ts'
import { filed } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passkeyAnswerField } from '../passkeyAnswer.ts'
import { choice, codeField, optionalText, requiredText } from '../text.ts'
import { EMPTY_AMOUNT, LIMIT } from './withdrawals.ts'

export const BANK_TITLES = ['Mr', 'Mrs', 'Miss', 'Ms', 'Dr', 'Prof'] as const
export const ACCOUNT_TYPES = ['savings', 'checking', 'current', 'investment'] as const
export const WITHDRAWAL_TYPES = ['full', 'partial'] as const

/**
 * The fields of a bank destination that route the money or name who gets it: another value in any of them is another
 * destination. Occupation, withdrawal type and reason do neither.
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
] as const
export type BankIdentityField = (typeof BANK_IDENTITY)[number]

/** 'Please provide first name' for `firstName`. */
function pleaseProvide(field: string): string {
  return `Please provide ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
}

const provided = (field: string) => requiredText(pleaseProvide(field), 140)
const providedChoice = <const T extends readonly string[]>(field: string, options: T) =>
  choice(options, pleaseProvide(field))

/** The fields of a withdrawal by an online bank service, in the order of the form. */
export const bankWithdrawal = z.object({
  amount: amountField(EMPTY_AMOUNT),
  title: providedChoice('title', BANK_TITLES),
  surname: provided('surname'),
  firstName: provided('firstName'),
  occupation: provided('occupation'),
  clientNumber: provided('clientNumber'),
  investmentNumber: provided('investmentNumber'),
  productName: provided('productName'),
  bankName: provided('bankName'),
  accountNumber: provided('accountNumber'),
  branchName: provided('branchName'),
  accountType: providedChoice('accountType', ACCOUNT_TYPES),
  accountHolderName: provided('accountHolderName'),
  branchCode: provided('branchCode'),
  withdrawalType: z.optional(
    z.union([z.enum(WITHDRAWAL_TYPES), z.literal('')], { error: 'Please choose full or partial' }),
  ),
  withdrawalReason: provided('withdrawalReason'),
  withdrawalMethod: optionalText(40),
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const requestBankWithdrawal = endpoint({
  method: 'POST',
  path: '/withdrawals/online-service',
  scope: 'signed-in',
  summary: 'Withdraw to a bank account by the online service. The amount is held at once',
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
