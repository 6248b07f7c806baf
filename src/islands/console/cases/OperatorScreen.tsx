import { type ReactNode, useSyncExternalStore } from 'react'
import type { OperatorScope } from '../../../contract/roles.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { useSession } from '../../lib/useSession.ts'
import { FactorDialog } from './factor.tsx'
import { neededRole, rolesInWords } from './roleWords.ts'
import { useOperator } from './useOperator.ts'

interface OperatorScreenProps {
  /** Operators without this scope read which role they need. Left out for what every role may read. */
  scope?: OperatorScope
  /** Built into the page and shown until the operator is known: the screen's skeleton. */
  waiting: ReactNode
  /** Rendered in the browser only, so it may read the address at once. */
  children: () => ReactNode
}

/**
 * The root of every screen of the console. The page's guard sends everybody else away before the first paint, and the
 * server decides about each call anyway.
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
  const { me, can, failure, reload } = useOperator()
  const isInBrowser = useSyncExternalStore(subscribeToNothing, inBrowser, atBuild)
  if (!isInBrowser || session?.role !== 'operator') return waiting
  if (scope === undefined || can(scope))
    return (
      <>
        <Screen />
        <FactorDialog />
      </>
    )
  if (failure !== null) return <LoadFailure msg={failure} onRetry={reload} />
  if (me === null) return waiting
  return (
    <Notice title="This page is not yours to see">{`${neededRole(scope)} You are ${rolesInWords(me.roles)}.`}</Notice>
  )
}

const subscribeToNothing = () => () => undefined
const inBrowser = () => true
const atBuild = () => false

/** Says which role is needed. Shows nothing to operators who have it. */
export function NeedsRole({ scope }: { scope: OperatorScope }) {
  const { me, can, failure, reload } = useOperator()
  if (failure !== null) return <LoadFailure msg={failure} onRetry={reload} />
  if (me === null || can(scope)) return null
  return (
    <p className="soft small">
      {neededRole(scope)} You are {rolesInWords(me.roles)}.
    </p>
  )
}
