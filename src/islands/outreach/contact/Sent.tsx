import { useEffect, useRef } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import styles from './Sent.module.css'

/** What is left of a message once it has been sent. */
export interface Receipt {
  /** The server's words. */
  msg: string
  email: string
}

/** Stands in the place of the form until somebody wants to write again, and takes the focus that the form had. */
export function Sent({ receipt: { msg, email }, onAnother }: { receipt: Receipt; onAnother: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className={styles.sent} tabIndex={-1}>
      <Notice
        tone="success"
        live
        title={msg}
        actions={
          <Button size="small" onClick={onAnother}>
            Write another message
          </Button>
        }
      >
        You gave {email} as your address. If it is wrong, no answer can reach you: then write once more.
      </Notice>
    </div>
  )
}
