import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import type { SessionAnswer } from '../../contract/identity/signIn.ts'
import type { Role } from '../../contract/roles.ts'
import { SESSION_KEY } from './guard.ts'
import { type SessionEnd, signInPath } from './next.ts'

/** The figures of the overview that this browser loaded last, in USD. They are a part of the session so that signing out deletes them. */
export interface LastFigures {
  /** When they were loaded, in epoch milliseconds. */
  readonly atMs: number
  readonly totalBalance: number
  readonly available: number
  readonly profits: number
  readonly positions: readonly { readonly name: string; readonly value: number }[]
}

/** The stored session: the answer of the sign-in, for operators, once loaded, their id and roles, and for investors their last figures. */
export type Session = SessionAnswer & {
  operator?: { _id: string; roles: readonly Role[] }
  lastFigures?: LastFigures
}

/** Stored for a moment at logout, so that other tabs can tell a logout from an ended session. */
export const LOGGED_OUT = ''

const $kept = persistentAtom<Session | null | typeof LOGGED_OUT>(SESSION_KEY, null, {
  encode: (session) => (session === null ? undefined : session && JSON.stringify(session)),
  decode: readSession,
})

/** The session of this browser; null if no user is signed in. Follows changes by other tabs. */
export const $session = computed($kept, (session) => session || null)

/** The session now. Only the server knows whether it has ended: the clock of a browser may be days off. */
export function getSession(): Session | null {
  return $session.get()
}

export function signIn(answer: SessionAnswer): void {
  $kept.set(answer)
}

/** Updates the stored session after a change of name or e-mail address, or once the operator or the figures are loaded. */
export function updateSession(
  changes: Partial<Pick<Session, 'name' | 'email' | 'operator' | 'lastFigures'>>,
): void {
  const session = $kept.get()
  if (session) $kept.set({ ...session, ...changes })
}

/** Forgets the session in this browser. `signOut` also ends it on the server. */
export function clearSession(): void {
  $kept.set(null)
}

/** Like `clearSession`, at a logout: other tabs then delete their drafts, too. */
export function logOut(): void {
  $kept.set(LOGGED_OUT)
  clearSession()
}

/** Opens /sign-in, which leads back to this page. */
export function leaveForSignIn(why?: SessionEnd): void {
  location.replace(signInPath(location.pathname + location.search + location.hash, why))
}

function readSession(kept: string): Session | null {
  try {
    const value: unknown = JSON.parse(kept)
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

// Users can edit their browser's storage.
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
}
