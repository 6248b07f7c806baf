import { type ReactNode, useState } from 'react'
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
import type { FieldValue } from '../../lib/formControls.ts'
import { toCapitalised } from '../transactions/words.ts'
import { NONE } from './bankAccount.ts'
import { getBankCountry, listBankCountries } from './bankCountries.ts'
import styles from './Withdrawal.module.css'

interface BankFieldsProps {
  field: (name: BankName | 'country') => FieldAttributes
  form: {
    watch: (name: 'country' | 'accountNumber' | 'branchCode') => FieldValue
    getValues: (name: 'country' | 'branchCode') => FieldValue
    setValue: (name: 'branchCode', value: string) => void
    clearErrors: (name: 'accountNumber' | 'branchCode') => void
  }
}

/** The bank account as its country writes it. What few payments need is folded, and filled in. */
export function BankFields({ field, form }: BankFieldsProps) {
  const [countries] = useState(listBankCountries)
  // No error while a number is first typed.
  const [left, setLeft] = useState<readonly string[]>([])
  const country = getBankCountry(String(form.watch('country') ?? ''))
  const countryField = field('country')
  const onCountry: typeof countryField.onChange = (event) => {
    countryField.onChange(event)
    const { branch } = getBankCountry(String(form.getValues('country') ?? ''))
    const code = form.getValues('branchCode')
    if (branch === null && !code) form.setValue('branchCode', NONE)
    if (branch !== null && code === NONE) form.setValue('branchCode', '')
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
  const branchCode =
    country.branch === null
      ? null
      : renderNumberField('branchCode', country.branch, country.branchProblem, country.branchHint)
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
        {branchCode}
        {renderFields(ACCOUNT_FIELDS, field)}
      </div>
      <MoreDetails
        isWrong={isWrong(MORE_FIELDS, field) || (branchCode === null && isWrong([BRANCH_CODE], field))}
      >
        {renderFields(MORE_FIELDS, field)}
        {branchCode === null && renderFields([BRANCH_CODE], field)}
      </MoreDetails>
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

function isWrong(fields: readonly BankField[], field: BankFieldsProps['field']): boolean {
  return fields.some(({ name }) => field(name).error !== undefined)
}

/** Opens by itself if a field in it has an error. The fields stay in the form while it is closed. */
function MoreDetails({ isWrong, children }: { isWrong: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles.more}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>More details</summary>
      <p className={styles.hint}>Already filled in. Change what your bank asks for.</p>
      <div className={styles.fields}>{children}</div>
    </details>
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
  'amount' | 'code' | 'passkey' | 'withdrawalMethod'
>

interface BankField {
  name: BankName
  label: string
  autoComplete?: string
  options?: readonly Option[]
  optional?: boolean
}

const ACCOUNT_FIELDS: readonly BankField[] = [
  { name: 'bankName', label: 'Bank name' },
  { name: 'accountHolderName', label: 'Account holder name', autoComplete: 'name' },
  {
    name: 'title',
    label: 'Title',
    autoComplete: 'honorific-prefix',
    options: BANK_TITLES.map((value) => ({ value, label: value })),
  },
  { name: 'accountType', label: 'Account type', options: toOptions(ACCOUNT_TYPES) },
]

const MORE_FIELDS: readonly BankField[] = [
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'surname', label: 'Surname', autoComplete: 'family-name' },
  { name: 'occupation', label: 'Occupation', autoComplete: 'organization-title' },
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
  { name: 'branchName', label: 'Branch name' },
]

/** Folded where the account number contains it. */
const BRANCH_CODE: BankField = { name: 'branchCode', label: 'Branch code' }
const ACCOUNT_NUMBER: BankField = { name: 'accountNumber', label: 'Account number' }

export const BANK_FIELDS: readonly BankField[] = [
  ACCOUNT_NUMBER,
  ...ACCOUNT_FIELDS,
  ...MORE_FIELDS,
  BRANCH_CODE,
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
