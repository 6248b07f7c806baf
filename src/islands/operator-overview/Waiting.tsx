import type { OperatorOverview } from '../../contract/operator/overview.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Tile, Tiles } from '../../design/Tiles.tsx'
import styles from './Waiting.module.css'

type Waits = OperatorOverview['waiting']

/** How many wait in each queue and for how long, each with the way there. Undefined while it loads. */
export function Waiting({ waiting }: { waiting: Waits | undefined }) {
  return (
    <section aria-labelledby="waiting" className="stack">
      <h2 id="waiting" className="visually-hidden">
        What waits
      </h2>
      <Tiles>
        {queues.map(({ key, label, href, open }) => {
          const queue = waiting?.[key]
          return (
            <Tile
              key={key}
              label={label}
              count={queue?.count}
              hint={
                <>
                  {queue && <Since oldest={queue.oldest} />}
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
  return (
    <>
      {oldest === null ? (
        'Nothing waits.'
      ) : (
        <>
          The oldest since <DateTime at={oldest} />
        </>
      )}
    </>
  )
}

const queues: readonly { key: keyof Waits; label: string; href: string; open: string }[] = [
  { key: 'deposits', label: 'Deposits to credit', href: '/operator/deposits', open: 'Open deposits' },
  {
    key: 'withdrawals',
    label: 'Withdrawals to approve',
    href: '/operator/withdrawals',
    open: 'Open withdrawals',
  },
  {
    key: 'payouts',
    label: 'Approved, to be paid',
    href: '/operator/withdrawals?status=approved',
    open: 'Open payments',
  },
  { key: 'kyc', label: 'Identity documents', href: '/operator/kyc', open: 'Open documents' },
  { key: 'proposals', label: 'Proposals', href: '/operator/proposals', open: 'Open proposals' },
  { key: 'messages', label: 'Messages', href: '/operator/messages', open: 'Open messages' },
]
