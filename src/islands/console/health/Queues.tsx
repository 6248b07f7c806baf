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
  return (
    <TablePanel
      title="What waits for an operator"
      columns={[
        {
          key: 'kind',
          header: 'Work',
          narrow: 'line',
          cell: ({ kind }: Row) => <a href={getWorkKind(kind).href}>{getWorkKind(kind).title}</a>,
        },
        { key: 'count', header: 'Waiting', align: 'end', cell: ({ count }: Row) => formatNumber(count) },
        {
          key: 'overdue',
          header: 'Overdue',
          align: 'end',
          cell: ({ overdue }: Row) => (
            <span className={overdue > 0 ? styles.overdue : undefined}>{formatNumber(overdue)}</span>
          ),
        },
        {
          key: 'oldest',
          header: 'Oldest',
          align: 'end',
          cell: ({ oldest }: Row) => (oldest === null ? 'None' : formatAge(oldest, nowMs)),
        },
        {
          key: 'target',
          header: 'Target',
          align: 'end',
          cell: ({ targetHours }: Row) =>
            targetHours === 1 ? '1 hour' : `${formatNumber(targetHours)} hours`,
        },
      ]}
      rows={
        overview &&
        WORK_KIND_NAMES.map((kind): Row => ({ kind, ...overview.waiting[kind] })).toSorted(
          (a, b) => b.overdue - a.overdue || b.count - a.count,
        )
      }
      rowKey={({ kind }) => kind}
      emptyText="Nothing waits."
      skeletonRows={6}
    />
  )
}
