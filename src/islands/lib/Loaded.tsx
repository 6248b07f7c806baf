import type { ReactNode } from 'react'
import { LoadFailure } from '../../design/Notice.tsx'
import type { Resource } from './resource.ts'

interface LoadedProps<T> {
  resource: Resource<T> & { reload: () => void }
  /** Shown while it loads. */
  waiting: ReactNode
  children: (data: T) => ReactNode
}

/** Shows what a resource has loaded. Before that shows `waiting`; after a failure, what failed and a retry. */
export function Loaded<T>({ resource, waiting, children }: LoadedProps<T>) {
  if (resource.state === 'loading') return waiting
  if (resource.state === 'failed') return <LoadFailure msg={resource.msg} onRetry={resource.reload} />
  return children(resource.data)
}

/** Skeletons, with the words that screen readers hear: "Loading your sessions". */
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
