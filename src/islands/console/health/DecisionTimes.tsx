import type { DecisionKind, DecisionTimes } from '../../../contract/money/decisionTimes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { formatDuration } from '../../lib/DecisionTimes.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'

const KINDS: readonly { kind: DecisionKind; label: string }[] = [
  { kind: 'deposits', label: 'Deposits, to the decision' },
  { kind: 'withdrawals', label: 'Withdrawals, to the decision' },
  { kind: 'payouts', label: 'Withdrawals, to the payout' },
  { kind: 'identity', label: 'Identity documents' },
  { kind: 'messages', label: 'Messages' },
]

/** How long decisions take. Investors see the same figures beside their forms. `times` is undefined while it loads. */
export function DecisionTimesTable({ times }: { times: DecisionTimes | undefined }) {
  return (
    <TablePanel
      title="How long decisions take"
      fold={{ gist: 'Over the last 90 days, as investors see it.', isInOrder: true }}
      columns={[
        {
          key: 'kind',
          header: 'Decision',
          narrow: 'line',
          cell: ({ label, time }) => (
            <span>
              {label}
              {time && <span className="small soft"> – {time.decisions} or more decisions</span>}
            </span>
          ),
        },
        {
          key: 'median',
          header: 'Half within',
          narrow: 'start',
          label: true,
          align: 'end',
          cell: ({ time }) => (time === null ? 'Too few decisions' : formatDuration(time.medianMinutes)),
        },
        {
          key: 'p95',
          header: '19 of 20 within',
          narrow: 'end',
          label: true,
          align: 'end',
          cell: ({ time }) => (time === null ? '–' : formatDuration(time.p95Minutes)),
        },
      ]}
      rows={times && KINDS.map((row) => ({ ...row, time: times[row.kind] }))}
      rowKey={({ kind }) => kind}
      emptyText="Nothing has been measured yet."
      skeletonRows={KINDS.length}
    >
      <p className="small soft">
        Measured from the request, every day at 00:00 UTC, over the last 90 days. Rounded up. Shown once there
        are 20 decisions. Investors see the same times.{' '}
        {times?.until && (
          <span>
            Last measured <DateTime at={times.until} />.
          </span>
        )}
      </p>
    </TablePanel>
  )
}
