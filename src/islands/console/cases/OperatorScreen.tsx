import { type ReactNode, useSyncExternalStore } from 'react'
import type { OperatorScope } from '../../../contract/endpoint.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useSession } from '../../lib/useSession.ts'
import { FactorDialog } from './FactorDialog.tsx'
import { neededRole, rolesInWords } from './roleWords.ts'
import { useOperator } from './useOperator.ts'

interface OperatorScreenProps {
  /** Without a role that opens it, the screen says so in its place. Left out for what every role may read. */
  scope?: OperatorScope
  /** What is built into the page and stands until it is known who looks: the screen's own skeleton. */
  waiting: ReactNode
  /** Only ever rendered in the browser, for an operator: it may read the address from the start. */
  children: () => ReactNode
}

/**
 * The root of every screen of the console. The page's guard has sent away everybody else before anything was painted;
 * what they may see is the server's decision all the same.
 */
export function OperatorScreen(props: OperatorScreenProps) {
  return (
    <ErrorBoundary home="/operator">
      <Gate {...props} />
    </ErrorBoundary>
  )
}

function Gate({ scope, waiting, children: Screen }: OperatorScreenProps) {
  const session = useSession()
  const { me, can, failure, askAgain } = useOperator()
  const isInBrowser = useSyncExternalStore(nothingToWatch, inBrowser, atBuild)
  if (!isInBrowser || session?.role !== 'operator') return waiting
  if (scope === undefined || can(scope))
    return (
      <>
        <Screen />
        <FactorDialog />
      </>
    )
  if (failure !== null) return <LoadFailure msg={failure} onRetry={askAgain} />
  if (me === null) return waiting
  return (
    <Notice title="This page is not yours to see">{`${neededRole(scope)} You are ${rolesInWords(me.roles)}.`}</Notice>
  )
}

const nothingToWatch = () => () => undefined
const inBrowser = () => true
const atBuild = () => false

/** Stands where a decision would, for whom it is not open. Nothing, for whom it is. */
export function NeedsRole({ scope }: { scope: OperatorScope }) {
  const { me, can, failure, askAgain } = useOperator()
  if (failure !== null) return <LoadFailure msg={failure} onRetry={askAgain} />
  if (me === null || can(scope)) return null
  return (
    <p className="soft small">
      {neededRole(scope)} You are {rolesInWords(me.roles)}.
    </p>
  )
}
