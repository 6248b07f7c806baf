import { type ReactNode, useEffect, useRef } from 'react'
import type { RequestStatus } from '../../../contract/money/transactions.ts'
import { Timeline } from '../../../design/Timeline.tsx'
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
 * All that stands about the open thing. It takes the focus, so that it is read from its beginning, and no key that is
 * still held presses a button; also where one follows another in the same dialog.
 */
export function CaseFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.focus({ preventScroll: true })
    frame.current?.closest('dialog')?.scrollTo(0, 0)
  }, [])
  return (
    <div ref={frame} className={styles.frame} tabIndex={-1}>
      {children}
    </div>
  )
}
