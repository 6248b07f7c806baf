import type { ReactNode } from 'react'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { useResource } from '../lib/resource.ts'
import { CaseWaiting } from './CaseWaiting.tsx'

export interface FetchedProps<Part> {
  /** What it is, in a word or two: "deposit". */
  what: string
  load: () => Promise<Part>
  children: (part: Part) => ReactNode
}

/** A part of a screen that is fetched when it is first shown, so that a list comes without the forms of its dialogs. */
export function Fetched<Part>({ what, load, children }: FetchedProps<Part>) {
  const part = useResource(what, load)
  switch (part.state) {
    case 'loading':
      return <CaseWaiting what={what} />
    case 'failed':
      return <LoadFailure msg={part.msg} onRetry={part.reload} />
    case 'ready':
      return children(part.data)
  }
}
