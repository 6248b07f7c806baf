import type { ReactNode } from 'react'
import { LoadFailure } from '../../design/Notice.tsx'
import type { Resource } from './resource.ts'

interface LoadedProps<T> {
  resource: Resource<T> & { reload: () => void }
  waiting: ReactNode
  children: (data: T) => ReactNode
}

/** Shows a resource once it is loaded: until then `waiting`, after a failure a message with a retry button. */
export function Loaded<T>({ resource, waiting, children }: LoadedProps<T>) {
  if (resource.state === 'loading') return waiting
  if (resource.state === 'failed') return <LoadFailure msg={resource.msg} onRetry={resource.reload} />
  return children(resource.data)
}

/** Skeletons, with a label for screen readers: "Loading your sessions". */
export function Waiting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {label}
      </p>
      {children}
    </>
  )
}
