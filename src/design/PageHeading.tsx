import type { ReactNode } from 'react'
import styles from './PageHeading.module.css'

export interface PageHeadingProps {
  title: ReactNode
  lead?: ReactNode
  actions?: ReactNode
}

/** The h1 of a page. Layouts render it from their `title`; an island needs it only without a layout title. */
export function PageHeading({ title, lead, actions }: PageHeadingProps) {
  return (
    <header className={styles.heading}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        {lead && <div className={styles.lead}>{lead}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
