import { type ReactNode, useRef } from 'react'
import { getHealth } from '../../../contract/console/health.ts'
import { getOverview } from '../../../contract/console/overview.ts'
import { getWorkKind, WORK_KIND_NAMES } from '../../../contract/console/work.ts'
import { getWork, type WorkItem } from '../../../contract/console/workItems.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { type Fresh, getData, type Resource } from '../../lib/resource.ts'
import { formatAge } from '../cases/age.ts'
import { describeAssignment } from '../cases/assignedWords.ts'
import { CaseAge } from '../cases/CaseAge.tsx'
import cases from '../cases/cases.module.css'
import { Unbroken } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { PhoneFilters } from '../cases/PhoneFilters.tsx'
import { RiskLabel } from '../cases/RiskPanel.tsx'
import { useShortcuts } from '../cases/shortcuts.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { useRowFocus } from '../cases/useRowFocus.ts'
import { HealthLine } from '../health/Alerts.tsx'
import { useEachMinute } from '../health/useEachMinute.ts'
import { Handover } from './Handover.tsx'
import styles from './Work.module.css'
import {
  buildWorkHref,
  describeCase,
  describeTask,
  groupByDue,
  matchesWork,
  sortByRisk,
  sortWork,
} from './words.ts'

/** /operator: the operator's tasks, most urgent first, and the state of the platform in one line. */
export function Work() {
  return <OperatorScreen waiting={<Waiting />}>{LoadedWork}</OperatorScreen>
}

function Waiting() {
  return (
    <div className="stack">
      <HealthLine overview={undefined} health={undefined} />
      <WorkLists />
    </div>
  )
}

// Three calls, so that one can fail without the others.
function LoadedWork() {
  const work = useEachMinute('operator work', () => call(getWork))
  const { me, can } = useOperator()
  return (
    <div className="stack">
      {me === null && <HealthLine overview={undefined} health={undefined} />}
      {can('operator:health.read') && <LoadedHealthLine />}
      {me !== null && <Handover />}
      {work.state === 'failed' ? (
        <LoadFailure msg={work.msg} onRetry={work.reload} />
      ) : (
        <WorkLists work={work} />
      )}
    </div>
  )
}

function LoadedHealthLine() {
  const overview = useEachMinute('operator overview', () => call(getOverview))
  const health = useEachMinute('operator health', () => call(getHealth))
  return <HealthLine overview={overview} health={health} />
}

type WorkResource = Resource<Fresh<{ at: string; items: WorkItem[] }>>

/** `work` is undefined until the operator is loaded. */
function WorkLists({ work }: { work?: WorkResource }) {
  const list = useRef<HTMLDivElement>(null)
  const rows = useRowFocus(list, '')
  useShortcuts({ j: () => rows.move(1), k: () => rows.move(-1), o: rows.open }, list, 'list')
  const { me } = useOperator()
  const data = getData(work)?.data
  if (data === undefined)
    return (
      <Panel title="To do, most urgent first">
        <Skeleton width="full" height="block" />
      </Panel>
    )
  return (
    <div ref={list} className="stack">
      <FilteredWork {...data} me={me?._id} />
    </div>
  )
}

/** The filters, and the lists that they leave. Browser only. */
function FilteredWork({ at, items: all, me }: { at: string; items: WorkItem[]; me: string | undefined }) {
  const nowMs = Date.parse(at)
  const [order, sort] = useAddress('order', '')
  const { filters, setters } = useWorkFilters()
  const matching = all.filter((item) => matchesWork(item, filters, me, nowMs))
  const isNarrowed = Object.values(filters).some((value) => value !== '')
  const { yours, first, rest, others, more } = sortWork(
    order === 'risk' ? sortByRisk(matching) : matching,
    me,
  )
  const isFree = yours.length === 0 && first.length === 0
  const kinds = WORK_KIND_NAMES.filter((kind) => all.some((item) => item.kind === kind))
  return (
    <>
      <search aria-label="Filter the work">
        <PhoneFilters count={Object.values(filters).filter(Boolean).length}>
          <FilterSelect
            label="Kind of work"
            value={filters.kind}
            onChange={setters.kind}
            options={[['', 'All kinds'], ...kinds.map((kind) => [kind, getWorkKind(kind).title] as const)]}
          />
          {all.some(({ risk }) => risk !== undefined) && (
            <FilterSelect label="Risk" value={filters.risk} onChange={setters.risk} options={RISKS} />
          )}
          <FilterSelect
            label="Whose work"
            value={filters.assigned}
            onChange={setters.assigned}
            options={WHOSE}
          />
          <FilterSelect label="Time" value={filters.due} onChange={setters.due} options={TIMES} />
          <FilterSelect label="Order" value={order} onChange={sort} options={ORDERS} />
        </PhoneFilters>
      </search>
      {yours.length > 0 && (
        <Panel title="Assigned to you">
          <Items items={yours} nowMs={nowMs} />
        </Panel>
      )}
      {first.length > 0 && (
        <Panel title="First: second approvals and payouts due">
          <Items items={first} nowMs={nowMs} />
        </Panel>
      )}
      <Panel title={`To do, ${order === 'risk' ? 'highest risk' : 'most urgent'} first`}>
        {order !== 'risk' &&
          groupByDue(rest, nowMs).map(({ title, items }) => (
            <section key={title} className={styles.group}>
              <h3>{`${title} (${items.length})`}</h3>
              <Items items={items} nowMs={nowMs} />
            </section>
          ))}
        {order === 'risk' && <Items items={rest} nowMs={nowMs} />}
        {rest.length === 0 && (
          <p className="soft">
            {isNarrowed
              ? 'Nothing else matches these filters.'
              : isFree
                ? 'Nothing is waiting for you.'
                : 'Nothing else is waiting for you.'}
          </p>
        )}
        {more.length > 0 && (
          <p className={styles.more}>
            {more.map(({ href, title }) => (
              <a key={title} href={href}>
                All of “{title}”
              </a>
            ))}
          </p>
        )}
      </Panel>
      {others.length > 0 && (
        <Others title={`Waiting for other operators (${others.length})`}>
          <Items items={others} nowMs={nowMs} />
        </Others>
      )}
    </>
  )
}

type Options = readonly (readonly [value: string, label: string])[]

const RISKS: Options = [
  ['', 'Any risk'],
  ['high', 'High risk'],
  ['medium', 'Medium or high risk'],
]
const WHOSE: Options = [
  ['', 'All cases'],
  ['me', 'Mine'],
  ['nobody', 'Unassigned'],
]
const TIMES: Options = [
  ['', 'Any time'],
  ['overdue', 'Overdue'],
]
const ORDERS: Options = [
  ['', 'Most urgent first'],
  ['risk', 'Highest risk first'],
]

function useWorkFilters() {
  const [kind, setKind] = useAddress('kind', '')
  const [risk, setRisk] = useAddress('risk', '')
  const [assigned, setAssigned] = useAddress('assigned', '')
  const [due, setDue] = useAddress('due', '')
  return {
    filters: { kind, risk, assigned, due },
    setters: { kind: setKind, risk: setRisk, assigned: setAssigned, due: setDue },
  }
}

function FilterSelect(props: {
  label: string
  value: string
  onChange: (value: string) => void
  options: Options
}) {
  const { label, value, onChange, options } = props
  return (
    <select
      className={cases.assignedFilter}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Others({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.others}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

function Items({ items, nowMs }: { items: readonly WorkItem[]; nowMs: number }) {
  const { me } = useOperator()
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item._id} className={styles.item}>
          <a href={buildWorkHref(item)} className={styles.row} data-row={item._id}>
            <span className={styles.task}>
              <span>
                <Unbroken text={describeTask(item)} />
              </span>
            </span>
            <span className={styles.whose}>
              <Unbroken text={describeCase(item)} />
              {item.assigned !== null && <span> · {describeAssignment(item.assigned, me, nowMs)}</span>}
            </span>
            <span className={styles.risk}>{item.risk && <RiskLabel risk={item.risk} />}</span>
            <span className={styles.age}>
              <CaseAge {...item} nowMs={nowMs} />
              <span className={styles.waits}>{`waits ${formatAge(item.createdAt, nowMs)}`}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
