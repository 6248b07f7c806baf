import { Button } from '../../../design/Button.tsx'
import { Said, type SaidProps } from './Said.tsx'

export type OutcomeWords = SaidProps & { title: string }

export interface OutcomeProps {
  outcome: OutcomeWords
  onClose: () => void
  /** Opens what to go on with; undefined when nothing is left. */
  onNext: (() => void) | undefined
}

/** What a decision led to, and the way on. */
export function Outcome({ outcome, onClose, onNext }: OutcomeProps) {
  return (
    <div className="stack">
      <Said {...outcome} />
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
