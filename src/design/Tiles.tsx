import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Money } from './Money.tsx'
import { Skeleton } from './Skeleton.tsx'
import styles from './Tiles.module.css'

/** A grid of figures, read out as a list of terms and values. */
export function Tiles({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <dl className={styles.tiles}>{children}</dl>
    </div>
  )
}

export interface TileProps {
  label: string
  /** USD. While neither `amount` nor `count` is there, the tile is loading. */
  amount?: number | undefined
  count?: number | undefined
  /** What the figure is made of, or what it means. */
  hint?: ReactNode
  /** Opens how the figure comes about: the whole tile can be pressed for it. */
  onExplain?: (() => void) | undefined
}

/** One figure. */
export function Tile({ label, amount, count, hint, onExplain }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt className={styles.label}>
        {label}
        {onExplain && (
          <button type="button" className={styles.explain} onClick={onExplain}>
            <Info aria-hidden="true" size={15} />
            <span className="visually-hidden">How {label} comes about</span>
          </button>
        )}
      </dt>
      <dd className={styles.figure}>
        <Figure amount={amount} count={count} />
      </dd>
      {hint && <dd className={styles.hint}>{hint}</dd>}
    </div>
  )
}

function Figure({ amount, count }: Pick<TileProps, 'amount' | 'count'>) {
  if (amount !== undefined) return <Money value={amount} />
  if (count !== undefined) return count.toLocaleString('en-US')
  return (
    <>
      <Skeleton width="medium" height="figure" />
      <span className="visually-hidden">Loading</span>
    </>
  )
}
