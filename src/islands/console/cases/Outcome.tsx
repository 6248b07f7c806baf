import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'

export interface OutcomeWords {
  tone: 'success' | 'info' | 'caution'
  title?: string
  text: ReactNode
}

/** What an action led to. It takes the focus, because the button that had it is gone. */
export function OutcomeNotice({ tone, title, text }: OutcomeWords) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice tone={tone} {...(title !== undefined && { title })}>
        {text}
      </Notice>
    </div>
  )
}

export interface OutcomeProps {
  outcome: OutcomeWords
  onClose: () => void
  /** Opens the next row of the queue; undefined when none is left. */
  onNext?: (() => void) | undefined
}

/** What a decision led to, with the buttons that continue from there. */
export function Outcome({ outcome, onClose, onNext }: OutcomeProps) {
  return (
    <div className="stack">
      <OutcomeNotice {...outcome} />
      <div className="row">
        {onNext && (
          <Button variant="primary" onClick={onNext}>
            Next in the queue
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}

/** Words for an action that came too late, because the row was decided or changed meanwhile. */
export function nothingDone(text: string): OutcomeWords {
  return { tone: 'caution', title: 'Nothing was done', text }
}
