import type { ReactNode } from 'react'
import styles from './Copied.module.css'
import { CopyButton } from './CopyButton.tsx'

/** An address or a transaction id in full, with its copy button: nobody types such a thing. */
export function Copied({ text, what, children }: { text: string; what: string; children?: ReactNode }) {
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
      {children}
    </span>
  )
}
