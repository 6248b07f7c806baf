import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import type { SessionAnswer } from '../../contract/identity/signIn.ts'
import type { Role } from '../../contract/roles.ts'
import { SESSION_KEY } from './guard.ts'
import { type Ending, signInPath } from './next.ts'

/** What is kept: the answer of the sign-in, whole, and of an operator, once they were asked for, their id and roles. */
export type Session = SessionAnswer & { operator?: { _id: string; roles: readonly Role[] } }

/** Stands in the storage for a moment, by which other tabs know a logout from a session that ended. */
export const LOGGED_OUT = ''

const $kept = persistentAtom<Session | null | typeof LOGGED_OUT>(SESSION_KEY, null, {
  encode: (session) => (session === null ? undefined : session && JSON.stringify(session)),
  decode: readSession,
})

/** Who is signed in on this browser, null when nobody is. Follows what other tabs do. */
export const $session = computed($kept, (session) => (session && !isExpired(session) ? session : null))

/** The session as it is this moment: one that has expired since is none. */
export function currentSession(): Session | null {
  const session = $kept.get()
  return session && !isExpired(session) ? session : null
}

/** Keeps the answer of a sign-in, whole. */
export function signIn(answer: SessionAnswer): void {
  $kept.set(answer)
}

/** Goes on under another name or e-mail address, or as the operator one is, on every page of this browser. */
export function amendSession(known: Partial<Pick<Session, 'name' | 'email' | 'operator'>>): void {
  const session = $kept.get()
  if (session) $kept.set({ ...session, ...known })
}

/** Forgets the session on this browser. The server's part is `signOut`. */
export function forgetSession(): void {
  $kept.set(null)
}

/** As `forgetSession`, of somebody who wants to be gone: their other tabs forget what was typed there, too. */
export function logOut(): void {
  $kept.set(LOGGED_OUT)
  forgetSession()
}

/** Goes to /sign-in, from where the way leads back to this page. */
export function leaveForSignIn(why?: Ending): void {
  location.replace(signInPath(location.pathname + location.search + location.hash, why))
}

function isExpired(session: Session): boolean {
  return Date.parse(session.expiresAt) <= Date.now()
}

function readSession(kept: string): Session | null {
  try {
    const value: unknown = JSON.parse(kept)
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

// Only `signIn` writes here, but anybody can edit their browser's storage.
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
}
