import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect } from 'react'
import { getSelf } from '../../../contract/console/operators.ts'
import { ROLES_OF, type Role } from '../../../contract/console/roles.ts'
import type { OperatorScope } from '../../../contract/endpoint.ts'
import { ApiFailure, failureWords } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { onReconnect } from '../../lib/connection.ts'
import { amendSession, currentSession } from '../../lib/session.ts'
import { useSession } from '../../lib/useSession.ts'

export interface Operator {
  /** Who one is; null until that is known. */
  me: { readonly _id: string; readonly roles: readonly Role[] } | null
  /** Whether one's roles open a scope: what a screen offers goes by it, the server decides by the same list. False until it is known. */
  can: (scope: OperatorScope) => boolean
  /** Why it isn't known, as a sentence; null while it is being asked, and once it is known. */
  failure: string | null
  askAgain: () => void
}

/**
 * Who one is as an operator, and with which roles: asked once a page, by whichever screen wants to know first, and kept
 * with the session, so that the next page shows from the start what one may do.
 */
export function useOperator(): Operator {
  const me = useSession()?.operator ?? null
  const failure = useStore($failure, { ssr: () => null })
  useEffect(ask, [])
  return {
    me,
    can: (scope) => me?.roles.some((role) => ROLES_OF[scope].includes(role)) ?? false,
    failure: me === null ? failure : null,
    askAgain: ask,
  }
}

const $failure = atom<string | null>(null)
let isAsked = false

function ask(): void {
  const token = currentSession()?.token
  if (isAsked || token === undefined) return
  isAsked = true
  $failure.set(null)
  call(getSelf).then(
    ({ _id, roles }) => {
      // Somebody else may have signed in meanwhile, in another tab.
      if (currentSession()?.token !== token) return
      amendSession({ operator: { _id, roles } })
      // As the guard does before the next page is painted: the navigation goes by it.
      document.documentElement.dataset.roles = roles.join(' ')
    },
    (error: unknown) => {
      isAsked = false
      $failure.set(failureWords(error))
      if (error instanceof ApiFailure && error.status === 0) onReconnect(ask)
    },
  )
}
