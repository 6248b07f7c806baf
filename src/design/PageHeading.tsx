import type { ReactNode } from 'react'
import styles from './PageHeading.module.css'

export interface PageHeadingProps {
  title: string
  /** One or two sentences under it. */
  lead?: ReactNode
  /** Buttons at its end. */
  actions?: ReactNode
}

/** The one h1 of a page. The layouts set it from their `title`; an island needs it only where it stands alone. */
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
