import type { ReactNode } from 'react'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { useResource } from './resource.ts'

interface OnDemandProps<Module> {
  /** Names what is fetched. */
  name: string
  load: () => Promise<Module>
  children: (module: Module) => ReactNode
}

/** What stands in a dialog or behind a tab, fetched when that is opened. */
export function OnDemand<Module>({ name, load, children }: OnDemandProps<Module>) {
  const part = useResource(name, load)
  switch (part.state) {
    case 'loading':
      return (
        <>
          <p role="status" className="visually-hidden">
            Loading
          </p>
          <Skeleton height="block" />
        </>
      )
    case 'failed':
      return <LoadFailure msg={part.msg} onRetry={part.reload} />
    case 'ready':
      return children(part.data)
  }
}
