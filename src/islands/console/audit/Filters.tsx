import { useState } from 'react'
import { listOperators } from '../../../contract/console/operators.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { setSearchParams, useSearchParams } from '../../lib/url.ts'
import { useSession } from '../../lib/useSession.ts'
import { useOperator } from '../cases/useOperator.ts'
import { InvestorPicker } from '../proposals/InvestorPicker.tsx'
import styles from './Filters.module.css'
import { ACTION_WORDS } from './words.ts'

export const FILTERS = ['actor', 'action', 'subject', 'from', 'to', 'line'] as const
type FilterName = (typeof FILTERS)[number]
export type Filters = Partial<Record<FilterName, string>>

/** The filters, kept in the address. */
export function useFilters(): [filters: Filters, set: (words: Partial<Record<FilterName, string>>) => void] {
  const query = useSearchParams()
  const filters: Filters = {}
  for (const name of FILTERS) {
    const word = query?.get(name)
    if (word) filters[name] = word
  }
  return [
    filters,
    (words) =>
      setSearchParams(Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word || null]))),
  ]
}

interface FiltersProps {
  filters: Filters
  onChange: (words: Partial<Record<FilterName, string>>) => void
}

export function FilterBar({ filters, onChange }: FiltersProps) {
  const [isFinding, setFinding] = useState(false)
  const actors = useActors(filters.actor)
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined)
  return (
    <search>
      <form
        // A new address, also by the back button, resets the fields.
        key={JSON.stringify(filters)}
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          onChange(typedIn(event.currentTarget))
        }}
      >
        <SelectField
          label="Who"
          name="actor"
          options={actors}
          defaultValue={filters.actor ?? ''}
          onChange={({ target }) => onChange({ actor: target.value })}
        />
        <SelectField
          label="Act"
          name="action"
          options={actionOptions}
          defaultValue={filters.action ?? ''}
          onChange={({ target }) => onChange({ action: target.value })}
        />
        <TextField
          label="About"
          name="subject"
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          placeholder="Reference or id"
          defaultValue={filters.subject ?? ''}
        />
        <TextField label="From" name="from" type="date" defaultValue={filters.from ?? ''} />
        <TextField label="To" name="to" type="date" defaultValue={filters.to ?? ''} />
        <TextField
          label="Line"
          name="line"
          inputMode="numeric"
          autoComplete="off"
          pattern="[0-9]*"
          maxLength={15}
          defaultValue={filters.line ?? ''}
        />
        <div className={styles.buttons}>
          <Button type="submit" variant="primary">
            Show
          </Button>
          <Button onClick={() => setFinding(true)}>Find an investor</Button>
          {isFiltered && (
            <Button
              variant="quiet"
              onClick={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
            >
              Show all
            </Button>
          )}
        </div>
      </form>
      <Modal open={isFinding} onClose={() => setFinding(false)} title="Find an investor" size="large">
        <FindInvestor
          onFound={(words) => {
            setFinding(false)
            onChange({ actor: '', subject: '', line: '', ...words })
          }}
        />
      </Modal>
    </search>
  )
}

function typedIn(form: HTMLFormElement): Partial<Record<FilterName, string>> {
  const typed = new FormData(form)
  return Object.fromEntries(FILTERS.map((name) => [name, String(typed.get(name) ?? '').trim()]))
}

const actionOptions = [
  { value: '', label: 'Every act' },
  ...Object.entries(ACTION_WORDS)
    .map(([value, words]) => ({ value, label: actionLabel(words) }))
    .toSorted((one, other) => (one.label < other.label ? -1 : 1)),
]

/** "Credited …" */
function actionLabel(words: string): string {
  const label = words.replace('*', '…')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** The choices of "Who": all operators where one may read them, and the account that the address names. */
function useActors(chosen: string | undefined) {
  const { me, can } = useOperator()
  const session = useSession()
  const operators = useResource(can('operator:operators.read') ? 'operators' : null, () =>
    call(listOperators, { query: { limit: '100' } }),
  )
  const people =
    operators.state === 'ready'
      ? operators.data.map(({ _id, name, own }) => ({ value: _id, label: own ? `${name} (you)` : name }))
      : me !== null && session !== null
        ? [{ value: me._id, label: `${session.name} (you)` }]
        : []
  const known = [
    { value: '', label: 'Everybody' },
    ...people,
    { value: 'system', label: 'The platform itself' },
    { value: 'owner', label: 'Whoever has the database' },
    { value: 'visitor', label: 'Visitors' },
  ]
  if (chosen === undefined || known.some(({ value }) => value === chosen)) return known
  return [...known, { value: chosen, label: `Account ${chosen.slice(0, 8)}…` }]
}

/** Finds an investor, to show what was done to the account or what they did. */
function FindInvestor({ onFound }: { onFound: (words: { actor?: string; subject?: string }) => void }) {
  const [id, setId] = useState<string | null>(null)
  return (
    <div className="stack">
      <InvestorPicker
        name="investor"
        ref={() => undefined}
        onChange={({ target }) => setId(target.value)}
        error={undefined}
      />
      {id !== null && (
        <div className="row">
          <Button variant="primary" onClick={() => onFound({ subject: id })}>
            What was done to the account
          </Button>
          <Button onClick={() => onFound({ actor: id })}>What they did</Button>
        </div>
      )}
      <p className="soft small">
        What was done to a deposit, a withdrawal or an identity check is found by its reference.
      </p>
    </div>
  )
}
