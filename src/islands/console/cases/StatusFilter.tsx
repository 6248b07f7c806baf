import { useId } from 'react'
import styles from './cases.module.css'
import { type Counted, countText, usePendingCounts } from './pendingCounts.ts'

export interface Filter {
  /** The status that the API takes; blank for all. */
  value: string
  label: string
  /** The count shown beside it. */
  counted?: Counted
}

export interface StatusFilterProps {
  /** Names the group for screen readers: "Show deposits". */
  label: string
  filters: readonly Filter[]
  value: string
  onChange: (value: string) => void
}

/** Radio buttons for the part of a list to show. */
export function StatusFilter({ label, filters, value, onChange }: StatusFilterProps) {
  const name = useId()
  const counts = usePendingCounts()
  return (
    <fieldset className={styles.filter}>
      <legend className="visually-hidden">{label}</legend>
      {filters.map((filter) => (
        <label key={filter.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={filter.value}
            checked={filter.value === value}
            onChange={() => onChange(filter.value)}
          />
          {filter.label}
          {filter.counted && counts && (
            <span className={styles.count}>{countText(counts[filter.counted])}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
