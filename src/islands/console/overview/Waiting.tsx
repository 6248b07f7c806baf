import { MOST_COUNTED, type OperatorOverview } from '../../../contract/console/overview.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { isBeyondUsual, QUEUES } from './queues.ts'
import styles from './Waiting.module.css'

/**
 * How many wait in each queue and for how long, each with the way there; what waits longer than nineteen of twenty did is marked
 * in words. Undefined while it loads.
 */
export function Waiting({ overview }: { overview: OperatorOverview | undefined }) {
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
