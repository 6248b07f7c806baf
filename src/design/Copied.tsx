import type { ReactNode } from 'react'
import styles from './Copied.module.css'
import { CopyButton } from './CopyButton.tsx'
import { Grouped } from './Grouped.tsx'

export interface CopiedProps {
  text: string
  /** Names it for screen readers: "receiving address". */
  what: string
  /** In groups that can be compared by eye, for what somebody has to compare. */
  grouped?: boolean
  children?: ReactNode
}

/** An address or a transaction id in full, with its copy button: nobody types such a thing. */
export function Copied({ text, what, grouped = false, children }: CopiedProps) {
  return (
    <span className={styles.copied}>
      {grouped ? <Grouped text={text} /> : <code>{text}</code>}
      <CopyButton text={text} what={what} />
      {children}
    </span>
  )
}
