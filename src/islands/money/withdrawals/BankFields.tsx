import { useState } from 'react'
import type { InputOf } from '../../../contract/endpoint.ts'
import { takesAccountType } from '../../../contract/money/bankCountries.ts'
import {
  ACCOUNT_TYPES,
  BANK_TITLES,
  type requestBankWithdrawal,
  WITHDRAWAL_TYPES,
} from '../../../contract/money/withdrawals.ts'
import { CheckboxField, TextField } from '../../../design/Field.tsx'
import { type Option, SelectField } from '../../../design/SelectField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import type { FieldValue } from '../../lib/formControls.ts'
import { toCapitalised } from '../transactions/words.ts'
import { getBankCountry, listBankCountries } from './bankCountries.ts'
import styles from './Withdrawal.module.css'

interface BankFieldsProps {
  field: (name: BankName | 'country' | 'isFull') => FieldAttributes
  form: {
    watch: (name: 'country' | 'isFull' | 'accountNumber' | 'branchCode') => FieldValue
    clearErrors: (name: 'accountNumber' | 'branchCode') => void
  }
}

/** The bank account as its country writes it, and on request every field that a bank may ask for. */
export function BankFields({ field, form }: BankFieldsProps) {
  const [countries] = useState(listBankCountries)
  // No error while a number is first typed.
  const [left, setLeft] = useState<readonly string[]>([])
  const code = String(form.watch('country') ?? '')
  const country = getBankCountry(code)
  const isFull = form.watch('isFull') === true
  const countryField = field('country')
  const onCountry: typeof countryField.onChange = (event) => {
    countryField.onChange(event)
    form.clearErrors('accountNumber')
    form.clearErrors('branchCode')
  }
  const renderNumberField = (
    name: 'accountNumber' | 'branchCode',
    label: string,
    problemOf: (typed: string) => string | null,
    hint?: string,
  ) => {
    const { error, ...others } = field(name)
    const typed = String(form.watch(name) ?? '').trim()
    const problem = left.includes(name) && typed !== '' ? problemOf(typed) : null
    return (
      <TextField
        key={name}
        label={label}
        hint={hint}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...others}
        onBlur={() => setLeft((before) => (before.includes(name) ? before : [...before, name]))}
        error={formatLabelledError(error, label) ?? problem ?? undefined}
      />
    )
  }
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label="Country of the bank"
          autoComplete="country"
          options={countries}
          placeholder="Choose a country"
          {...countryField}
          onChange={onCountry}
        />
        {renderNumberField('accountNumber', country.account, country.accountProblem)}
        {country.branch !== null &&
          renderNumberField('branchCode', country.branch, country.branchProblem, country.branchHint)}
        {renderFields(PAYEE_FIELDS, field)}
        {!isFull && takesAccountType(code) && renderFields([ACCOUNT_TYPE], field)}
      </div>
      <CheckboxField
        label="Fill in the full form"
        hint="If your bank asks for more, such as a client number, a branch or a reason."
        {...field('isFull')}
      />
      {isFull && (
        <div className={styles.fields}>
          {renderFields(country.branch === null ? [...FULL_FIELDS, BRANCH_CODE] : FULL_FIELDS, field)}
        </div>
      )}
    </>
  )
}

function renderFields(fields: readonly BankField[], field: BankFieldsProps['field']) {
  return fields.map(({ name, options, ...words }) =>
    options ? (
      <SelectField key={name} options={options} placeholder="Choose" {...words} {...field(name)} />
    ) : (
      <TextField key={name} autoComplete="off" {...words} {...field(name)} />
    ),
  )
}

/** The error in the words of the label: "Please provide sort code" instead of "branch code". */
function formatLabelledError(error: string | undefined, label: string): string | undefined {
  return error?.replace(
    /^Please provide (account number|branch code)$/,
    `Please provide ${label === 'IBAN' ? label : label.toLowerCase()}`,
  )
}

type BankName = Exclude<
  keyof InputOf<typeof requestBankWithdrawal>,
  'amount' | 'code' | 'passkey' | 'withdrawalMethod' | 'country'
>

interface BankField {
  name: BankName
  label: string
  autoComplete?: string
  options?: readonly Option[]
  optional?: boolean
}

const PAYEE_FIELDS: readonly BankField[] = [
  { name: 'bankName', label: 'Bank name' },
  { name: 'accountHolderName', label: 'Account holder name', autoComplete: 'name' },
]

const ACCOUNT_TYPE: BankField = {
  name: 'accountType',
  label: 'Account type',
  options: toOptions(ACCOUNT_TYPES),
}

/** Shown where the account number contains it, in the full form. */
const BRANCH_CODE: BankField = { name: 'branchCode', label: 'Branch code' }

const FULL_FIELDS: readonly BankField[] = [
  {
    name: 'title',
    label: 'Title',
    autoComplete: 'honorific-prefix',
    options: BANK_TITLES.map((value) => ({ value, label: value })),
  },
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'surname', label: 'Surname', autoComplete: 'family-name' },
  { name: 'occupation', label: 'Occupation', autoComplete: 'organization-title' },
  ACCOUNT_TYPE,
  { name: 'branchName', label: 'Branch name' },
  { name: 'clientNumber', label: 'Client number' },
  { name: 'investmentNumber', label: 'Investment number' },
  { name: 'productName', label: 'Product name' },
  {
    name: 'withdrawalType',
    label: 'Withdrawal type',
    options: toOptions(WITHDRAWAL_TYPES),
    optional: true,
  },
  { name: 'withdrawalReason', label: 'Withdrawal reason' },
]

export const BANK_FIELDS: readonly BankField[] = [
  { name: 'accountNumber', label: 'Account number' },
  BRANCH_CODE,
  ...PAYEE_FIELDS,
  ...FULL_FIELDS,
]

function toOptions(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: toCapitalised(value) }))
}

const SHOWN = 4

/** As the API masks it: `••••1234`. */
export function formatMaskedAccount(accountNumber: string): string {
  const characters = [...accountNumber.replace(/[\s-]/g, '')]
  return `••••${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`
}

export function describeAccount(
  typed: (name: 'accountNumber' | 'bankName' | 'accountHolderName') => string,
): string {
  return `the account ${formatMaskedAccount(typed('accountNumber'))} at ${typed('bankName')}, held by ${typed('accountHolderName')}`
}
