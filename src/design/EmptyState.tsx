import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

export interface EmptyStateProps {
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** An empty list or screen: what it means, and what to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <svg className={styles.water} viewBox="0 0 120 24" aria-hidden="true" focusable="false">
        <path d="M0 8h120" />
        <path d="M46 8a14 14 0 0 0 28 0" />
      </svg>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  )
}
