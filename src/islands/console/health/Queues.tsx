import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { getWorkKind, WORK_KIND_NAMES, type WorkKind } from '../../../contract/console/work.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { formatAge } from '../cases/age.ts'
import styles from '../cases/cases.module.css'
import { TablePanel } from '../cases/TablePanel.tsx'

type Row = OperatorOverview['waiting'][WorkKind] & { readonly kind: WorkKind }

/** Everything that waits, by kind: overdue kinds first, then those with most cases. Undefined while it loads. */
export function Queues({ overview }: { overview: OperatorOverview | undefined }) {
  const nowMs = Date.parse(overview?.at ?? '')
  const rows = overview && WORK_KIND_NAMES.map((kind): Row => ({ kind, ...overview.waiting[kind] }))
  const empty = rows?.filter(({ count }) => count === 0) ?? []
  return (
    <TablePanel
      title="Waiting for operators"
      columns={[
        {
          key: 'kind',
          header: 'Work',
          narrow: 'start',
          cell: ({ kind }: Row) => <a href={getWorkKind(kind).href}>{getWorkKind(kind).title}</a>,
        },
        {
          key: 'count',
          header: 'Waiting',
          align: 'end',
          narrow: 'end',
          label: true,
          cell: ({ count }: Row) => formatNumber(count),
        },
        {
          key: 'overdue',
          header: 'Overdue',
          align: 'end',
          narrow: 'short-start',
          label: true,
          cell: ({ overdue }: Row) => (
            <span className={overdue > 0 ? styles.overdue : undefined}>{formatNumber(overdue)}</span>
          ),
        },
        {
          key: 'oldest',
          header: 'Oldest',
          align: 'end',
          narrow: 'wide-end',
          label: true,
          cell: ({ oldest }: Row) => (oldest === null ? 'None' : formatAge(oldest, nowMs)),
        },
        {
          key: 'target',
          header: 'Target',
          align: 'end',
          narrow: 'line',
          label: true,
          cell: ({ targetHours }: Row) =>
            targetHours === 1 ? '1 hour' : `${formatNumber(targetHours)} hours`,
        },
      ]}
      rows={rows
        ?.filter(({ count }) => count > 0)
        .toSorted((a, b) => b.overdue - a.overdue || b.count - a.count)}
      rowKey={({ kind }) => kind}
      emptyText="Nothing waits."
      skeletonRows={6}
    >
      {empty.length > 0 && (
        <details>
          <summary>{empty.length === 1 ? 'One queue is empty' : `${empty.length} queues are empty`}</summary>
          <ul>
            {empty.map(({ kind }) => (
              <li key={kind}>
                <a href={getWorkKind(kind).href}>{getWorkKind(kind).title}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </TablePanel>
  )
}
