import type { ReactNode } from 'react'
import { formatNumber } from '../contract/numbers.ts'
import { joinClasses } from './classes.ts'
import { InfoButton } from './InfoButton.tsx'
import { Money } from './Money.tsx'
import { Skeleton } from './Skeleton.tsx'
import styles from './Tiles.module.css'

/** A grid of figures, as a description list; `isStrip` shows them smaller, in one line where there is room. */
export function Tiles({ isStrip = false, children }: { isStrip?: boolean; children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <dl className={joinClasses(styles.tiles, isStrip && styles.strip)}>{children}</dl>
    </div>
  )
}

export interface TileProps {
  label: string
  /** USD. Without `amount` and `count`, the tile is loading. */
  amount?: number | undefined
  count?: number | undefined
  /** See `Skeleton`. */
  early?: string
  hint?: ReactNode
  /** Opens the explanation of the figure: the whole tile is clickable. */
  onExplain?: (() => void) | undefined
}

export function Tile({ label, amount, count, early, hint, onExplain }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt className={styles.label}>
        {label}
        {onExplain && (
          <InfoButton label={`How ${label} comes about`} className={styles.explain} onClick={onExplain} />
        )}
      </dt>
      <dd className={styles.figure}>
        <Figure amount={amount} count={count} early={early} />
      </dd>
      {hint && <dd className={styles.hint}>{hint}</dd>}
    </div>
  )
}

function Figure({ amount, count, early }: Pick<TileProps, 'amount' | 'count' | 'early'>) {
  if (amount !== undefined) return <Money value={amount} />
  if (count !== undefined) return <span>{formatNumber(count)}</span>
  return (
    <>
      <Skeleton width="medium" height="figure" early={early} />
      <span className="visually-hidden">Loading</span>
    </>
  )
}
