import type { SessionAnswer } from '../../contract/identity/signIn.ts'

type Role = SessionAnswer['role']

const HOMES: Record<Role, string> = { investor: '/dashboard/overview', operator: '/operator' }

/** Why a user has to sign in again: the session has ended, or they logged out in another tab. */
export type SessionEnd = 'ended' | 'logged-out'

/** The URL of /sign-in. `next` leads back to `path`, unless that is the home page anyway; `why` gives the reason. */
export function signInPath(path: string, why?: SessionEnd): string {
  const query = [
    ...(Object.values(HOMES).includes(path) ? [] : [`next=${encodeURIComponent(path)}`]),
    ...(why === undefined ? [] : [`why=${why}`]),
  ]
  return query.length === 0 ? '/sign-in' : `/sign-in?${query.join('&')}`
}

/** The page to open after sign-in: `next` if it is a page of this site that the role may see, otherwise home. */
export function resolvePathAfterSignIn(role: Role, next: string | null, origin: string): string {
  const url = next?.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null
  // Checked after parsing, because `//elsewhere.example`, `/\elsewhere.example` and `/a/../..//b` only look like paths.
  if (url === null || url.origin !== origin) return HOMES[role]
  // The profile page leads operators to the same page of the console.
  const area =
    role === 'operator' ? /^\/(operator(\/|$)|dashboard\/profile$)/ : /^\/(dashboard\/|liabilities$)/
  return area.test(url.pathname) ? url.pathname + url.search + url.hash : HOMES[role]
}
