import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

export interface PanelProps {
  title?: string
  actions?: ReactNode
  children: ReactNode
}

/** A framed part of a screen; with a title it is a labelled region. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId()
  if (!title) return <div className={styles.panel}>{children}</div>
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
