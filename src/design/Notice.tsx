import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import styles from './Notice.module.css'

export interface NoticeProps {
  tone?: 'info' | 'caution' | 'danger' | 'success'
  title?: string
  children?: ReactNode
  /** Buttons or links under the text. */
  actions?: ReactNode
  /** Appeared after a user action: screen readers announce it immediately. */
  live?: boolean
}

const icons = { info: Info, caution: TriangleAlert, danger: CircleAlert, success: CircleCheck }

/** A highlighted message. Icon and text convey the tone, not only the colour. */
export function Notice({ tone = 'info', title, children, actions, live = false }: NoticeProps) {
  const Icon = icons[tone]
  const role = live ? (tone === 'danger' ? 'alert' : 'status') : undefined
  return (
    <div className={joinClasses(styles.notice, styles[tone])} role={role}>
      <Icon className={styles.icon} aria-hidden="true" size={20} />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}

/** Shown instead of content that failed to load, with a retry button. */
export function LoadFailure({ msg, onRetry }: { msg: string; onRetry: (() => void) | undefined }) {
  return (
    <Notice
      tone="danger"
      live
      actions={
        onRetry && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {msg}
    </Notice>
  )
}
