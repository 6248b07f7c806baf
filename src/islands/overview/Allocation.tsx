import type { Position } from '../../contract/investing/allocations.ts'
import { toCents } from '../../contract/money.ts'
import { sum } from '../../contract/numbers.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Money } from '../../design/Money.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import styles from './Allocation.module.css'
import type { Figures } from './figures.ts'

interface AllocationProps {
  /** Undefined while loading. */
  figures: Figures | undefined
  positions: readonly Position[] | undefined
}

/** Where the money is, as a bar with a segment for each strategy. The four amounts, less debt, add up to the value. */
export function Allocation({ figures, positions = [] }: AllocationProps) {
  const invested = positions.filter(({ value }) => value > 0)
  const worth = sum(invested.map(({ value }) => toCents(value))) / 100
  const pricedAt = invested.map(({ at }) => at).sort()[0]
  const parts = [
    ['Cash', figures?.available, styles.cash, 'available'],
    ['Held for withdrawals', figures?.pendingWithdrawals, styles.held, 'pendingWithdrawals'],
    ['Orders waiting', figures?.allocating, styles.waiting, 'allocating'],
    ['In strategies', figures && worth, styles.strategy, undefined],
  ] as const
  const segments = [
    ...parts.slice(0, 3).map(([label, usd, look]) => ({ label, usd: usd ?? 0, look })),
    ...invested.map(({ name, value }) => ({ label: name, usd: value, look: styles.strategy })),
  ].filter(({ usd }) => usd > 0)
  return (
    <section aria-labelledby="allocation" aria-busy={figures === undefined}>
      <h2 id="allocation" className={styles.heading}>
        Where it is
      </h2>
      <div className={styles.bar} aria-hidden="true">
        {segments.map(({ label, usd, look }) => (
          <span key={label} className={look} style={{ flexGrow: usd }} title={label} />
        ))}
      </div>
      <dl className={styles.parts}>
        {parts.map(([label, usd, look, early]) => (
          <div key={label}>
            <dt>
              <span className={look} aria-hidden="true" />
              {label}
            </dt>
            <dd>{usd === undefined ? <Skeleton width="medium" early={early} /> : <Money value={usd} />}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {figures && figures.owed > 0 && (
          <span>
            Less <Money value={figures.owed} /> owed.{' '}
          </span>
        )}
        <span>
          {pricedAt ? (
            <span>
              Strategies at the prices of <DateTime at={pricedAt} />.
            </span>
          ) : figures ? (
            'Nothing is in strategies.'
          ) : (
            <Skeleton width="long" />
          )}
        </span>
      </p>
    </section>
  )
}
