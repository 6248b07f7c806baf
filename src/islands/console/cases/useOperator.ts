import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect } from 'react'
import { getSelf } from '../../../contract/console/operators.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES_OF, type Role } from '../../../contract/roles.ts'
import { ApiFailure, BLOCKED, describeFailure, isNetworkFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { retryOnReconnect } from '../../lib/connection.ts'
import { getSession, updateSession } from '../../lib/session.ts'
import { useSession } from '../../lib/useSession.ts'

export interface Operator {
  /** The signed-in operator; null until loaded. */
  me: { readonly _id: string; readonly roles: readonly Role[] } | null
  /** Whether the operator's roles include a scope, by the same list as on the server. False until loaded. */
  can: (scope: OperatorScope) => boolean
  /** Why the operator could not be loaded, as a sentence. */
  failure: string | null
  reload: () => void
}

/** The signed-in operator and their roles. Loaded once per page, and stored with the session for the next page. */
export function useOperator(): Operator {
  const me = useSession()?.operator ?? null
  const failure = useStore($failure, { ssr: () => null })
  useEffect(load, [])
  return {
    me,
    can: (scope) => me?.roles.some((role) => ROLES_OF[scope].includes(role)) ?? false,
    failure: me === null ? failure : null,
    reload,
  }
}

const $failure = atom<string | null>(null)
let isLoaded = false
let failures = 0

function reload(): void {
  failures = 0
  load()
}

function load(): void {
  const token = getSession()?.token
  if (isLoaded || token === undefined) return
  isLoaded = true
  $failure.set(null)
  call(getSelf).then(
    ({ _id, roles }) => {
      // Another tab may have signed in as another user meanwhile.
      if (getSession()?.token !== token) return
      updateSession({ operator: { _id, roles } })
      // The navigation shows links by roles. On later pages, the guard sets them before the first paint.
      document.documentElement.dataset.roles = roles.join(' ')
    },
    (error: unknown) => {
      isLoaded = false
      if (error instanceof ApiFailure && error.code === 'two_factor_not_enabled')
        return location.replace('/operator/account#security')
      const msg = describeFailure(error)
      const isBlocked = isNetworkFailure(error) && retryOnReconnect(++failures, load) === null
      $failure.set(isBlocked ? BLOCKED : msg)
    },
  )
}

/** Whether an operator writes confidential notes and freezes silently. */
export function isConfidant(
  me: Operator['me'],
  settings: Pick<Settings, 'confidentialRole'> | null | undefined,
): boolean {
  const role = settings?.confidentialRole
  return me?.roles.some((own) => own === 'compliance' || own === role) ?? false
}
