import { type ReactNode, useSyncExternalStore } from 'react'
import { getReaderTimeZone } from '../../../contract/dates.ts'
import { isolate } from '../../../contract/isolate.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { useSession } from '../../lib/useSession.ts'
import styles from './cases.module.css'
import { FactorDialog } from './factor.tsx'
import { describeScopeRoles, joinRoles } from './roleWords.ts'
import { useOperator } from './useOperator.ts'

interface OperatorScreenProps {
  /** Operators without this scope see which role they need. Omit it if every role may read the screen. */
  scope?: OperatorScope
  /** The skeleton, built into the page and shown until the operator is loaded. */
  waiting: ReactNode
  /** Rendered in the browser only, so it may read the URL on the first render. */
  children: () => ReactNode
}

/**
 * The root of every console screen. The page's guard redirects other users before the first paint, and the server checks
 * each call.
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
  const isInBrowser = useSyncExternalStore(subscribeToNothing, getBrowserSnapshot, getBuildSnapshot)
  // Its fields are replaced once the operator is loaded, so they take no input: it would be lost.
  const skeleton = (
    <fieldset disabled className={styles.waiting}>
      {waiting}
    </fieldset>
  )
  if (!isInBrowser || session?.role !== 'operator') return skeleton
  if (scope === undefined || can(scope))
    return (
      <>
        <Screen />
        <TimeZoneLine />
        <FactorDialog />
      </>
    )
  if (failure !== null) return <LoadFailure msg={failure} onRetry={reload} />
  if (me === null) return skeleton
  return (
    <Notice title="You do not have access to this page">{`${describeScopeRoles(scope)} You are ${joinRoles(me.roles)}.`}</Notice>
  )
}

/** The zone of all times on a screen or in a case. Browser only. */
export function TimeZoneLine() {
  return (
    <p className="soft small">
      Times in <span translate="no">{getReaderTimeZone().replaceAll('_', ' ')}</span>.
    </p>
  )
}

const subscribeToNothing = () => () => undefined
const getBrowserSnapshot = () => true
const getBuildSnapshot = () => false

/** Says which role is needed, to operators who do not have it. `labels` are the buttons that need it. */
export function NeedsRole({ scope, labels = [] }: { scope: OperatorScope; labels?: readonly string[] }) {
  const { me, can, failure, reload } = useOperator()
  if (failure !== null) return <LoadFailure msg={failure} onRetry={reload} />
  if (me === null || can(scope)) return null
  return (
    <p className="soft small">
      {labels.length > 0 && <span>{labels.map((label) => `“${isolate(label)}”`).join(', ')}: </span>}
      <span>
        {describeScopeRoles(scope)} You are {joinRoles(me.roles)}.
      </span>
    </p>
  )
}
