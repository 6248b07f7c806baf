import { useState } from 'react'
import { listOperators } from '../../../contract/console/operators.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { useSession } from '../../lib/useSession.ts'
import { useOperator } from '../cases/useOperator.ts'
import { ACTS } from './acts.ts'
import styles from './Filters.module.css'
import { FindInvestor } from './FindInvestor.tsx'
import { FILTERS, type FilterName, type Filters } from './useFilters.ts'

export interface FiltersProps {
  filters: Filters
  onChange: (words: Partial<Record<FilterName, string>>) => void
}

/** Which lines of the log are shown: of whom, about what, of which act, from when to when. */
export function FilterBar({ filters, onChange }: FiltersProps) {
  const [isFinding, setFinding] = useState(false)
  const actors = useActors(filters.actor)
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined)
  return (
    <search>
      <form
        // What the address says is what the fields begin with, also after the way back.
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
          options={acts}
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

const acts = [
  { value: '', label: 'Every act' },
  ...Object.entries(ACTS)
    .map(([value, words]) => ({ value, label: wordsOfAct(words) }))
    .toSorted((one, other) => (one.label < other.label ? -1 : 1)),
]

// "Credited …"
function wordsOfAct(words: string): string {
  const said = words.replace('*', '…')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** Who can be chosen: all operators for whom may read them, and whoever the address names. */
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
