import { type ReactNode, useState } from 'react'
import { IDENTITY_STATUSES } from '../../../contract/console/investors.ts'
import { listCountries } from '../../../contract/countries.ts'
import { COIN_LABELS, COINS } from '../../../contract/money/coins.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
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
  from: ({ name, value }) => <TextField label="From" type="date" name={name} defaultValue={value} />,
  to: ({ name, value }) => <TextField label="To" type="date" name={name} defaultValue={value} />,
  amountFrom: (props) => <AmountField label="At least, USD" {...props} />,
  amountTo: (props) => <AmountField label="At most, USD" {...props} />,
  coin: ({ name, value }) => (
    <SelectField
      label="Coin"
      name={name}
      placeholder="Any coin"
      defaultValue={value}
      options={COINS.map((coin) => ({ value: coin, label: COIN_LABELS[coin] }))}
    />
  ),
  country: ({ name, value }) => (
    <SelectField
      label="Country"
      name={name}
      placeholder="Any country"
      defaultValue={value}
      options={listCountries()}
    />
  ),
  kyc: ({ name, value }) => (
    <SelectField
      label="Identity"
      name={name}
      placeholder="Any identity"
      defaultValue={value}
      options={IDENTITY_STATUSES.map((status) => ({ value: status, label: describeIdentity(status) }))}
    />
  ),
  anywhere: ({ name, value }) => (
    <SelectField
      label="Search in"
      name={name}
      placeholder="Beginnings of words"
      defaultValue={value}
      options={[{ value: 'true', label: 'All parts, newest 10,000' }]}
    />
  ),
  person: PersonField,
}

function AmountField({ name, value, label }: FieldProps & { label: string }) {
  return <TextField label={label} name={name} inputMode="decimal" autoComplete="off" defaultValue={value} />
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
