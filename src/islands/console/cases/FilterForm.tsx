import { type ReactNode, useState } from 'react'
import { IDENTITY_STATUSES } from '../../../contract/console/investors.ts'
import { listCountries } from '../../../contract/countries.ts'
import { COIN_LABELS, COINS } from '../../../contract/money/coins.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField, type TextFieldProps } from '../../../design/Field.tsx'
import { SelectField, type SelectFieldProps } from '../../../design/SelectField.tsx'
import { describeIdentity } from '../investors/words.ts'
import { InvestorPicker } from '../proposals/InvestorPicker.tsx'
import styles from './cases.module.css'
import type { FilterName, Filters } from './useFilters.ts'

interface FieldProps {
  name: string
  value: string
}

/** A field for each filter, by its name in the address and in the query. */
const FIELDS: Readonly<Record<FilterName, (props: FieldProps) => ReactNode>> = {
  from: buildText({ label: 'From', type: 'date' }),
  to: buildText({ label: 'To', type: 'date' }),
  amountFrom: buildText({ label: 'At least, USD', inputMode: 'decimal', autoComplete: 'off' }),
  amountTo: buildText({ label: 'At most, USD', inputMode: 'decimal', autoComplete: 'off' }),
  coin: buildSelect(
    'Coin',
    'Any coin',
    COINS.map((coin) => ({ value: coin, label: COIN_LABELS[coin] })),
  ),
  country: buildSelect('Country', 'Any country', listCountries()),
  kyc: buildSelect(
    'Identity',
    'Any identity',
    IDENTITY_STATUSES.map((status) => ({ value: status, label: describeIdentity(status) })),
  ),
  anywhere: buildSelect('Search in', 'Beginnings of words', [
    { value: 'true', label: 'All parts, newest 10,000' },
  ]),
  person: PersonField,
}

function buildText(field: TextFieldProps) {
  return ({ name, value }: FieldProps) => <TextField {...field} name={name} defaultValue={value} />
}

function buildSelect(label: string, placeholder: string, options: SelectFieldProps['options']) {
  return ({ name, value }: FieldProps) => (
    <SelectField label={label} placeholder={placeholder} options={options} name={name} defaultValue={value} />
  )
}

function PersonField({ name, value }: FieldProps) {
  const [person, setPerson] = useState(value)
  if (person === '')
    return <InvestorPicker name={name} ref={() => undefined} onChange={() => undefined} error={undefined} />
  return (
    <div className="row">
      <input type="hidden" name={name} value={person} />
      <a href={`/operator/investors?open=${encodeURIComponent(person)}`}>One investor only</a>
      <Button size="small" variant="quiet" onClick={() => setPerson('')}>
        Another one
      </Button>
    </div>
  )
}

/** The filters that the server compares in each row, because no index finds them. */
const READ_IN_ROWS: Readonly<Partial<Record<FilterName, string>>> = {
  amountFrom: 'amounts',
  amountTo: 'amounts',
  coin: 'coins',
  country: 'countries',
}

interface FilterFormProps {
  names: readonly FilterName[]
  filters: Filters
  onChange: (filters: Filters) => void
}

/** Narrows a list. The address keeps the filters, so that a link or a bookmark opens the same list. */
export function FilterForm({ names, filters, onChange }: FilterFormProps) {
  const read = [...new Set(names.flatMap((name) => READ_IN_ROWS[name] ?? []))]
  return (
    <form
      // Resets the fields when the address changes, also by the back button.
      key={JSON.stringify(filters)}
      className={styles.filterForm}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget)
        onChange(Object.fromEntries(names.map((name) => [name, String(typed.get(name) ?? '').trim()])))
      }}
    >
      {names.map((name) => {
        const Field = FIELDS[name]
        return <Field key={name} name={name} value={filters[name] ?? ''} />
      })}
      <div className="row">
        <Button type="submit">Show</Button>
        <Button variant="quiet" onClick={() => onChange({})}>
          Clear
        </Button>
      </div>
      {read.length > 0 && (
        <p className="soft small">
          {`We look for ${new Intl.ListFormat('en-GB').format(read)} in the next 10,000 rows. Choose days to look further.`}
        </p>
      )}
    </form>
  )
}
