import { MOST_COUNTED, type OperatorOverview } from '../../../contract/console/overview.ts'
import type { DecisionKind, DecisionTimes } from '../../../contract/money/decisionTimes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { duration } from '../../lib/DecisionTimes.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import styles from './Overview.module.css'
import { isBeyondUsual, QUEUES } from './queues.ts'

/**
 * The number of pending rows of each queue, and since when. Marks a queue whose oldest row waits longer than 19 of 20
 * decisions took. `overview` is undefined while it loads.
 */
export function Queues({ overview }: { overview: OperatorOverview | undefined }) {
  return (
    <section aria-labelledby="waiting" className="stack">
      <h2 id="waiting" className="visually-hidden">
        What waits
      </h2>
      <Tiles>
        {QUEUES.map(({ key, label, href, open, kind }) => {
          const queue = overview?.waiting[key]
          const time = kind === null ? null : overview?.decisionTimes[kind]
          return (
            <Tile
              key={key}
              label={label}
              count={queue?.count}
              hint={
                <>
                  {queue && <Since oldest={queue.oldest} />}
                  {queue?.count === MOST_COUNTED && ' There may be more: no further is counted.'}
                  {overview && queue?.oldest && time && isBeyondUsual(queue.oldest, overview.at, time) && (
                    <strong className={styles.late}>Longer than 19 of 20</strong>
                  )}
                  <a className={styles.open} href={href}>
                    {open}
                  </a>
                </>
              }
            />
          )
        })}
      </Tiles>
    </section>
  )
}

function Since({ oldest }: { oldest: string | null }) {
  if (oldest === null) return 'Nothing waits.'
  return (
    <>
      The oldest since <DateTime at={oldest} />
    </>
  )
}

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
      columns={[
        {
          key: 'kind',
          header: 'What',
          cell: ({ label, time }) => (
            <>
              {label}
              {time && <span className="small soft"> – from {time.decisions} or more</span>}
            </>
          ),
        },
        {
          key: 'median',
          header: 'Half within',
          align: 'end',
          cell: ({ time }) => (time === null ? 'Too few to say' : duration(time.medianMinutes)),
        },
        {
          key: 'p95',
          header: '19 of 20 within',
          align: 'end',
          cell: ({ time }) => (time === null ? '–' : duration(time.p95Minutes)),
        },
      ]}
      rows={times && KINDS.map((each) => ({ ...each, time: times[each.kind] }))}
      rowKey={({ kind }) => kind}
      emptyText="Nothing was measured yet."
      skeletonRows={KINDS.length}
    >
      <p className="small soft">
        From the request on. Investors are told the same. Measured each midnight (UTC) over 90 days and
        rounded up, given from 20 decisions on.{' '}
        {times?.until && (
          <>
            Last up to <DateTime at={times.until} timeZone="UTC" /> UTC.
          </>
        )}
      </p>
    </TablePanel>
  )
}
