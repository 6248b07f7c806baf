import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import type { SessionAnswer } from '../../contract/auth.ts'
import { SESSION_KEY } from './guard.ts'
import { signInPath } from './next.ts'

const $kept = persistentAtom<SessionAnswer | null>(SESSION_KEY, null, {
  encode: (session) => (session === null ? undefined : JSON.stringify(session)),
  decode: readSession,
})

/** Who is signed in on this browser, null when nobody is. Follows what other tabs do. */
export const $session = computed($kept, (session) =>
  session === null || isExpired(session) ? null : session,
)

/** The session as it is this moment: one that has expired since is none. */
export function currentSession(): SessionAnswer | null {
  const session = $kept.get()
  return session === null || isExpired(session) ? null : session
}

/** Keeps the answer of a sign-in, whole. */
export function signIn(answer: SessionAnswer): void {
  $kept.set(answer)
}

/** Goes on under another name or e-mail address, on every page of this browser. */
export function amendSession(known: Partial<Pick<SessionAnswer, 'name' | 'email'>>): void {
  const session = $kept.get()
  if (session !== null) $kept.set({ ...session, ...known })
}

/** Forgets the session on this browser. The server's part is `signOut`. */
export function forgetSession(): void {
  $kept.set(null)
}

/** Goes to /sign-in, from where the way leads back to this page. */
export function leaveForSignIn(): void {
  location.replace(signInPath(location.pathname + location.search + location.hash))
}

function isExpired(session: SessionAnswer): boolean {
  return Date.parse(session.expiresAt) <= Date.now()
}

function readSession(kept: string): SessionAnswer | null {
  try {
    const value: unknown = JSON.parse(kept)
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

// Only `signIn` writes here, but anybody can edit their browser's storage.
function isSession(value: unknown): value is SessionAnswer {
  return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
}
