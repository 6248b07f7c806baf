import { REQUEST_STATUSES, TRX_TYPES } from '../../../contract/money/transactions.ts'
import { SelectField } from '../../../design/SelectField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { type Filter, isBackwards, oneOf } from './filter.ts'
import styles from './Transactions.module.css'
import { capitalised, KIND_LABELS } from './words.ts'

interface FiltersProps {
  filter: Filter
  onChange: (next: Partial<Filter>) => void
}

export function Filters({ filter, onChange }: FiltersProps) {
  return (
    <search className={styles.filters} aria-label="Filter the history">
      <SelectField
        label="Kind"
        value={filter.kind}
        placeholder="All kinds"
        options={TRX_TYPES.map((value) => ({ value, label: KIND_LABELS[value] }))}
        onChange={({ target }) => onChange({ kind: oneOf(TRX_TYPES, target.value) })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        placeholder="Any status"
        options={REQUEST_STATUSES.map((value) => ({ value, label: capitalised(value) }))}
        onChange={({ target }) => onChange({ status: oneOf(REQUEST_STATUSES, target.value) })}
      />
      <TextField
        label="From"
        type="date"
        value={filter.from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={filter.to}
        error={isBackwards(filter) ? 'The last day comes before the first' : undefined}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </search>
  )
}
