import type { InputOf } from '../../../contract/endpoint.ts'
import {
  ACCOUNT_TYPES,
  BANK_TITLES,
  type requestBankWithdrawal,
  WITHDRAWAL_TYPES,
} from '../../../contract/money/withdrawals.ts'
import { TextField } from '../../../design/Field.tsx'
import { type Option, SelectField } from '../../../design/SelectField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import { capitalised } from '../transactions/words.ts'
import styles from './Withdrawal.module.css'

export function BankFields({ field }: { field: (name: BankName) => FieldAttributes }) {
  return BANK_FIELDS.map(({ title, hint, fields }) => (
    <fieldset key={title} className={styles.group}>
      <legend>{title}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div className={styles.fields}>
        {fields.map(({ name, options, ...words }) =>
          options ? (
            <SelectField key={name} options={options} placeholder="Choose" {...words} {...field(name)} />
          ) : (
            <TextField key={name} autoComplete="off" {...words} {...field(name)} />
          ),
        )}
      </div>
    </fieldset>
  ))
}

type BankName = Exclude<
  keyof InputOf<typeof requestBankWithdrawal>,
  'amount' | 'code' | 'passkey' | 'withdrawalMethod'
>

interface BankField {
  name: BankName
  label: string
  autoComplete?: string
  options?: readonly Option[]
  optional?: boolean
}

interface BankGroup {
  title: string
  hint?: string
  fields: readonly BankField[]
}

export const BANK_FIELDS: readonly BankGroup[] = [
  {
    title: 'About you',
    fields: [
      {
        name: 'title',
        label: 'Title',
        autoComplete: 'honorific-prefix',
        options: BANK_TITLES.map((value) => ({ value, label: value })),
      },
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
      { name: 'accountType', label: 'Account type', options: capitalisedOptions(ACCOUNT_TYPES) },
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
        options: capitalisedOptions(WITHDRAWAL_TYPES),
        optional: true,
      },
      { name: 'withdrawalReason', label: 'Withdrawal reason' },
    ],
  },
]

function capitalisedOptions(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: capitalised(value) }))
}

const SHOWN = 4

/** As the API masks it: `••••1234`. */
export function maskedAccount(accountNumber: string): string {
  const characters = [...accountNumber.replace(/[\s-]/g, '')]
  return `••••${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`
}

export function accountWords(
  typed: (name: 'accountNumber' | 'bankName' | 'accountHolderName') => string,
): string {
  return `the account ${maskedAccount(typed('accountNumber'))} at ${typed('bankName')}, held by ${typed('accountHolderName')}`
}
