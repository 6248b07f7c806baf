import { type ReactNode, useEffect, useRef } from 'react'
import type { RequestStatus } from '../../contract/transactions.ts'
import { Button } from '../../design/Button.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Timeline } from '../../design/Timeline.tsx'
import styles from './Case.module.css'

export interface CaseProps {
  facts: ReactNode
  /** The receipt or the document, beside the facts where there is room. */
  picture?: ReactNode
  timeline?: readonly { at: string; status: RequestStatus; note?: string | undefined }[] | undefined
}

/** What a decision is made on. */
export function Case({ facts, picture, timeline = [] }: CaseProps) {
  return (
    <>
      {picture === undefined ? (
        facts
      ) : (
        <div className={styles.beside}>
          {facts}
          {picture}
        </div>
      )}
      {timeline.length > 1 && <Timeline entries={timeline} />}
    </>
  )
}

/**
 * All that stands about the open thing. Where one follows another in the same dialog, what held the focus has gone with
 * the first: the next one takes it, so that it is read from its beginning.
 */
export function CaseFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) frame.current?.focus()
  }, [])
  return (
    <div ref={frame} className={styles.frame} tabIndex={-1}>
      {children}
    </div>
  )
}

/** Before it has come. */
export function CaseWaiting({ what }: { what: string }) {
  return (
    <div className="stack" role="status">
      <Skeleton width="long" />
      <Skeleton width="full" height="block" />
      <span className="visually-hidden">Loading the {what}</span>
    </div>
  )
}

/** It has not come. */
export function CaseFailed({ msg, onRetry }: { msg: string; onRetry: () => void }) {
  return (
    <Notice
      tone="danger"
      live
      actions={
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {msg}
    </Notice>
  )
}

/** What an address names is not in the list. */
export function CaseMissing() {
  return <p>This is not in the list. Another filter, or “Show more”, may have it.</p>
}
