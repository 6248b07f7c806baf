import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../design/Button.tsx'
import { Notice } from '../../design/Notice.tsx'

export interface OutcomeWords {
  tone: 'success' | 'info' | 'caution'
  title: string
  text: ReactNode
}

export interface OutcomeProps {
  outcome: OutcomeWords
  onClose: () => void
  /** Opens what to go on with; undefined when nothing is left. */
  onNext: (() => void) | undefined
}

/** What a decision led to, in the place where it was made. It takes the focus; the way on stands under it. */
export function Outcome({ outcome, onClose, onNext }: OutcomeProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div className="stack">
      <div ref={place} tabIndex={-1}>
        <Notice tone={outcome.tone} title={outcome.title}>
          {outcome.text}
        </Notice>
      </div>
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
