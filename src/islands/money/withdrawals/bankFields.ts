import type { InputOf } from '../../../contract/endpoint.ts'
import {
  ACCOUNT_TYPES,
  BANK_TITLES,
  type requestBankWithdrawal,
  WITHDRAWAL_TYPES,
} from '../../../contract/money/withdrawals.ts'
import type { Option } from '../../../design/SelectField.tsx'

/** A field of the bank's form: neither the amount nor the proof. */
export type BankName = Exclude<
  keyof InputOf<typeof requestBankWithdrawal>,
  'amount' | 'code' | 'passkey' | 'withdrawalMethod'
>

/** One field of the bank's form: a choice where it has options, a text otherwise. */
export interface BankField {
  name: BankName
  label: string
  autoComplete?: string
  options?: readonly Option[]
  optional?: boolean
}

/** Fields that belong together. */
interface BankGroup {
  title: string
  hint?: string
  fields: readonly BankField[]
}

/** The fields of an online service withdrawal, in the contract's order, grouped by what they are about. */
export const BANK_FIELDS: readonly BankGroup[] = [
  {
    title: 'About you',
    fields: [
      { name: 'title', label: 'Title', autoComplete: 'honorific-prefix', options: asWritten(BANK_TITLES) },
      { name: 'surname', label: 'Surname', autoComplete: 'family-name' },
      { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
      { name: 'occupation', label: 'Occupation', autoComplete: 'organization-title' },
    ],
  },
  {
    title: 'Your investment',
    hint: 'As the bank or service that is paid names them. Where it has no such number or name, write “none”.',
    fields: [
      { name: 'clientNumber', label: 'Client number' },
      { name: 'investmentNumber', label: 'Investment number' },
      { name: 'productName', label: 'Product name' },
    ],
  },
  {
    title: 'Bank account',
    fields: [
      { name: 'bankName', label: 'Bank name' },
      { name: 'accountNumber', label: 'Account number' },
      { name: 'branchName', label: 'Branch name' },
      { name: 'accountType', label: 'Account type', options: capitalised(ACCOUNT_TYPES) },
      { name: 'accountHolderName', label: 'Account holder name', autoComplete: 'name' },
      { name: 'branchCode', label: 'Branch code' },
    ],
  },
  {
    title: 'This withdrawal',
    fields: [
      {
        name: 'withdrawalType',
        label: 'Withdrawal type',
        options: capitalised(WITHDRAWAL_TYPES),
        optional: true,
      },
      { name: 'withdrawalReason', label: 'Withdrawal reason' },
    ],
  },
]

function asWritten(words: readonly string[]): Option[] {
  return words.map((value) => ({ value, label: value }))
}

function capitalised(words: readonly string[]): Option[] {
  return words.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))
}
