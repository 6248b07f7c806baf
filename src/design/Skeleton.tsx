import { joinClasses } from './classes.ts'
import styles from './Skeleton.module.css'

export interface SkeletonProps {
  width?: 'short' | 'medium' | 'long' | 'full'
  /** `text` is one line, `figure` a tile's number, `control` a field, `block` a picture or a panel. */
  height?: 'text' | 'figure' | 'control' | 'block'
  /** Shows this field of a first call's answer before the islands have started (`earlyFigures.ts`), with a plus as `+profits`. */
  early?: string | undefined
}

/** Placeholder for loading content. Hidden from screen readers: announce "Loading" once, nearby. */
export function Skeleton({ width = 'full', height = 'text', early }: SkeletonProps) {
  return (
    <span
      className={joinClasses(styles.skeleton, styles[width], styles[height])}
      aria-hidden="true"
      data-early={early}
      suppressHydrationWarning
    >
      {/* A text child: when it hydrates, React keeps an amount that is already here. */ ''}
    </span>
  )
}
