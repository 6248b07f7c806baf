import { useId } from 'react'
import styles from './StatusFilter.module.css'
import { useWaiting } from './useWaiting.ts'
import { type Counted, countText } from './waiting.ts'

export interface Filter {
  /** The status that the API is asked for; blank for all. */
  value: string
  label: string
  /** How many there are is shown beside it, where these are counted. */
  counted?: Counted
}

export interface StatusFilterProps {
  /** Names the group for screen readers: "Show deposits". */
  label: string
  filters: readonly Filter[]
  value: string
  onChange: (value: string) => void
}

/** Which part of a queue is shown: one press, arrow keys between them. */
export function StatusFilter({ label, filters, value, onChange }: StatusFilterProps) {
  const name = useId()
  const waiting = useWaiting()
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
          {filter.counted && waiting && (
            <span className={styles.count}>{countText(waiting[filter.counted])}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
