import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

export interface LoadFailureProps {
  /** What happened, as a sentence. */
  msg: string
  onRetry: () => void
}

/** Stands in the place of what could not be loaded: what happened, and a way to try again. */
export function LoadFailure({ msg, onRetry }: LoadFailureProps) {
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
