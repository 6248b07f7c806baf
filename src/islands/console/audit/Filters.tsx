import { useState } from 'react'
import { listActionsByArea } from '../../../contract/auditActions.ts'
import type { AuditEntry } from '../../../contract/console/audit.ts'
import { listOperators } from '../../../contract/console/operators.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { TextField } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { setSearchParams, useSearchParams } from '../../lib/url.ts'
import { useSession } from '../../lib/useSession.ts'
import { PhoneFilters } from '../cases/PhoneFilters.tsx'
import { usePrivateAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import styles from './Filters.module.css'
import { type FoundPerson, findPeople } from './findPeople.ts'

const FILTERS = ['person', 'actor', 'action', 'subject', 'from', 'to', 'line'] as const
/** Behind a disclosure, which is open while one of them is set. */
const MORE = ['from', 'to', 'line'] as const
type FilterName = (typeof FILTERS)[number]
export type Filters = Partial<Record<FilterName, string>>

/** Blank filters, which remove all from the URL. */
export const NO_FILTERS: Filters = Object.fromEntries(FILTERS.map((name) => [name, '']))

/** The filters, stored in the URL. A blank filter is removed. */
export function useFilters(): [filters: Filters, set: (filters: Filters) => void] {
  const query = useSearchParams()
  // It may be an e-mail address.
  const [subject, setSubject] = usePrivateAddress('subject')
  const filters: Filters = subject === '' ? {} : { subject }
  for (const name of FILTERS) {
    const value = name === 'subject' ? null : query?.get(name)
    if (value) filters[name] = value
  }
  return [
    filters,
    ({ subject, ...changes }) => {
      setSearchParams(
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value || null])),
      )
      if (subject !== undefined) setSubject(subject)
    },
  ]
}

interface FilterBarProps {
  filters: Filters
  /** The lines shown, which have the names behind the ids of the filters. */
  entries: readonly AuditEntry[]
  onChange: (filters: Filters) => void
}

export function FilterBar({ filters, entries, onChange }: FilterBarProps) {
  const { can } = useOperator()
  const [found, setFound] = useState<readonly FoundPerson[]>([])
  const [problem, setProblem] = useState<string>()
  const people = usePeople(filters.person, entries)
  const count = FILTERS.filter((name) => filters[name] !== undefined).length
  const hasMore = MORE.some((name) => filters[name] !== undefined)
  const { busy, start: find } = useAction(async (name: string, others: Filters) => {
    const matches = await findPeople(name, can('operator:operators.read'))
    const [first, second] = matches
    setFound(second === undefined ? [] : matches)
    setProblem(first === undefined ? 'Nobody has this name or address' : undefined)
    if (first !== undefined && second === undefined) onChange({ ...others, person: first.id })
  })
  const choose = (person: FoundPerson) => {
    setFound([])
    onChange({ ...filters, person: person.id })
  }
  return (
    <search className="stack">
      <PhoneFilters count={count}>
        <form
          // Resets the fields when the URL changes, also by the back button.
          key={JSON.stringify(filters)}
          className={styles.filters}
          onSubmit={(event) => {
            event.preventDefault()
            const { name, ...typed } = readFilters(event.currentTarget)
            if (name !== '') return find(name, typed)
            setProblem(undefined)
            onChange(typed)
          }}
        >
          <TextField
            label="Find a person"
            name="name"
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={120}
            placeholder="Name or e-mail"
            error={problem}
          />
          <SelectField
            label="Person, by or about"
            name="person"
            options={people}
            defaultValue={filters.person ?? ''}
            onChange={({ target }) => onChange({ person: target.value })}
          />
          <SelectField
            label="Action"
            name="action"
            options={actionOptions}
            defaultValue={filters.action ?? ''}
            onChange={({ target }) => onChange({ action: target.value })}
          />
          <TextField
            label="Reference"
            hint={findSubjectName(filters.subject, entries)}
            name="subject"
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            placeholder="DEP-…, WDR-…, KYC-…, MSG-…"
            defaultValue={filters.subject ?? ''}
          />
          <details className={styles.more} open={hasMore || undefined}>
            <summary>Days and line</summary>
            <div className={styles.filters}>
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
            </div>
          </details>
          <div className={styles.buttons}>
            <Button type="submit" variant="primary" busy={busy}>
              Show
            </Button>
            {count > 0 && (
              <Button variant="quiet" onClick={() => onChange(NO_FILTERS)}>
                Show all
              </Button>
            )}
          </div>
        </form>
      </PhoneFilters>
      {found.length > 0 && <FoundPeople people={found} onChosen={choose} />}
    </search>
  )
}

interface FoundPeopleProps {
  people: readonly FoundPerson[]
  onChosen: (person: FoundPerson) => void
}

/** Several people who match. */
function FoundPeople({ people, onChosen }: FoundPeopleProps) {
  return (
    <div role="status" className="stack">
      <p>Several people match. Whose lines do you want to see?</p>
      <ul className={joinClasses('plain-list', styles.found)}>
        {people.map((person) => (
          <li key={person.id}>
            <Button size="small" onClick={() => onChosen(person)}>
              <span>
                <bdi>{person.name}</bdi>, <span translate="no">{person.email}</span>
                <span>{person.isOperator && ' (operator)'}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function readFilters(form: HTMLFormElement): Filters & { name: string } {
  const typed = new FormData(form)
  const read = (name: string) => String(typed.get(name) ?? '').trim()
  return { ...Object.fromEntries(FILTERS.map((name) => [name, read(name)])), name: read('name') }
}

const actionOptions = [{ value: '', label: 'All actions' }, ...listActionsByArea()]

/** The choices of a person: the operators, if the user may list them, and the account that the URL names. */
function usePeople(chosen: string | undefined, entries: readonly AuditEntry[]) {
  const { me, can } = useOperator()
  const session = useSession()
  const operators = useResource(can('operator:operators.read') ? 'operators' : null, () =>
    call(listOperators, { query: { limit: '100' } }),
  )
  const people =
    operators.state === 'ready'
      ? operators.data.map(({ _id, name, own }) => ({
          value: _id,
          label: own ? `${isolate(name)} (you)` : name,
        }))
      : me !== null && session !== null
        ? [{ value: me._id, label: `${isolate(session.name)} (you)` }]
        : []
  const actors = [
    { value: '', label: 'Anyone' },
    ...people,
    { value: 'system', label: 'The system' },
    { value: 'owner', label: 'The database owner' },
    { value: 'visitor', label: 'Visitors' },
  ]
  if (chosen === undefined || actors.some(({ value }) => value === chosen)) return actors
  const name =
    entries.find(({ actor }) => actor === chosen)?.actorName ??
    entries.find(({ about }) => about?.person?._id === chosen)?.about?.person?.name
  return [...actors, { value: chosen, label: name ?? 'The chosen account' }]
}

/** The name of the person whose id the filter has. Ids are meaningless to a reader. */
function findSubjectName(subject: string | undefined, entries: readonly AuditEntry[]): string | undefined {
  return entries.find(({ about }) => subject !== undefined && about?.person?._id === subject)?.about?.person
    ?.name
}
