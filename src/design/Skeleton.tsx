import { classes } from './classes.ts'
import styles from './Skeleton.module.css'

export interface SkeletonProps {
  width?: 'short' | 'medium' | 'long' | 'full'
  /** `text` is one line, `figure` a tile's number, `control` a field, `block` a picture or a panel. */
  height?: 'text' | 'figure' | 'control' | 'block'
}

/** Placeholder for loading content. Hidden from screen readers: announce "Loading" once, nearby. */
export function Skeleton({ width = 'full', height = 'text' }: SkeletonProps) {
  return <span className={classes(styles.skeleton, styles[width], styles[height])} aria-hidden="true" />
}
