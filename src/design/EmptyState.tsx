import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

export interface EmptyStateProps {
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** An empty list or screen: its meaning, and the next step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <svg className={styles.mark} aria-hidden="true" focusable="false">
        <use href="#logo-ink" />
        <use href="#logo-accent" />
      </svg>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
