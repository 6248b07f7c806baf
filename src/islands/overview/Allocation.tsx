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

/** Where the money is, as a bar and a list with each strategy. The amounts, less debt, add up to the value. */
export function Allocation({ figures, positions = [] }: AllocationProps) {
  const invested = positions.filter(({ value }) => value > 0)
  const pricedAt = invested.map(({ at }) => at).sort()[0]
  const parts: Part[] = [
    { label: 'Cash', usd: figures?.available, look: styles.cash, early: 'available' },
    ...[
      { label: 'Frozen: its payment left its chain', usd: figures?.undone, look: styles.held },
      { label: 'Held for withdrawals', usd: figures?.pendingWithdrawals, look: styles.held },
      { label: 'Orders waiting', usd: figures?.allocating, look: styles.waiting },
      ...invested.map(({ name, value }) => ({ label: name, usd: value, look: styles.strategy })),
    ].filter(({ usd = 0 }) => usd > 0),
  ]
  const whole = sum(parts.map(({ usd = 0 }) => toCents(usd))) / 100
  return (
    <section aria-labelledby="allocation" aria-busy={figures === undefined}>
      <h2 id="allocation" className={styles.heading}>
        Where it is
      </h2>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(
          ({ label, usd = 0, look }) =>
            usd > 0 && <span key={label} className={look} style={{ flexGrow: usd }} title={label} />,
        )}
      </div>
      <dl className={styles.parts}>
        {parts.map(({ label, usd, look, early }) => (
          <div key={label}>
            <dt>
              <span className={look} aria-hidden="true" />
              {label}
              <span>{usd !== undefined && usd > 0 && shares.format(usd / whole)}</span>
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

interface Part {
  readonly label: string
  /** Undefined while loading. */
  readonly usd: number | undefined
  readonly look: string | undefined
  /** See `Skeleton`. */
  readonly early?: string
}

const shares = new Intl.NumberFormat('en-US', { style: 'percent' })
