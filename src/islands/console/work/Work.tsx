import { type ReactNode, useRef } from 'react'
import { getHealth } from '../../../contract/console/health.ts'
import { getOverview } from '../../../contract/console/overview.ts'
import { getWork, type WorkItem } from '../../../contract/console/workItems.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { type Fresh, getData, type Resource } from '../../lib/resource.ts'
import { describeAssignment } from '../cases/assignedWords.ts'
import { CaseAge } from '../cases/CaseAge.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { useShortcuts } from '../cases/shortcuts.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useRowFocus } from '../cases/useRowFocus.ts'
import { HealthLine } from '../health/Alerts.tsx'
import { useEachMinute } from '../health/useEachMinute.ts'
import styles from './Work.module.css'
import { buildWorkHref, describeCase, describeTask, sortWork } from './words.ts'

/** /operator: the operator's tasks, oldest first, and the state of the platform in one line. */
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
      <Panel title="To do, oldest first">
        <Skeleton width="full" height="block" />
      </Panel>
    )
  const { yours, first, rest, others, more } = sortWork(data.items, me?._id)
  const isFree = yours.length === 0 && first.length === 0
  const nowMs = Date.parse(data.at)
  return (
    <div ref={list} className="stack">
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
      <Panel title="To do, oldest first">
        {rest.length > 0 ? (
          <Items items={rest} nowMs={nowMs} />
        ) : (
          <p className="soft">
            {isFree ? 'Nothing is waiting for you.' : 'Nothing else is waiting for you.'}
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
    </div>
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
              <span>{describeTask(item)}</span>
            </span>
            <span className={styles.whose}>
              {describeCase(item)}
              {item.assigned !== null && <span> · {describeAssignment(item.assigned, me, nowMs)}</span>}
            </span>
            <time className={styles.age} dateTime={item.createdAt} title={item.createdAt}>
              <CaseAge {...item} nowMs={nowMs} />
            </time>
          </a>
        </li>
      ))}
    </ul>
  )
}
