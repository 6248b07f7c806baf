import { type ReactNode, useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { useSession } from '../lib/useSession.ts'

export interface OperatorScreenProps {
  /** What is built into the page and stands until it is known who looks: the screen's own skeleton. */
  waiting: ReactNode
  /** Only ever rendered in the browser, for an operator: it may read the address from the start. */
  children: () => ReactNode
}

/**
 * The root of every screen of the console. The page's guard has sent away everybody else before anything was painted;
 * what they may see is the server's decision all the same.
 */
export function OperatorScreen({ waiting, children }: OperatorScreenProps) {
  return (
    <ErrorBoundary home="/operator">
      <Gate waiting={waiting}>{children}</Gate>
    </ErrorBoundary>
  )
}

function Gate({ waiting, children: Screen }: OperatorScreenProps) {
  const session = useSession()
  const isInBrowser = useSyncExternalStore(nothingToWatch, inBrowser, atBuild)
  return isInBrowser && session?.role === 'operator' ? <Screen /> : waiting
}

const nothingToWatch = () => () => undefined
const inBrowser = () => true
const atBuild = () => false
