import type { SessionAnswer } from '../../contract/identity/signIn.ts'

type Role = SessionAnswer['role']

const HOMES: Record<Role, string> = { investor: '/dashboard/overview', operator: '/operator' }

/** Why somebody who was signed in is asked to do so again: the session ended by itself, or they logged out in another tab. */
export type Ending = 'ended' | 'logged-out'

/** /sign-in, with the way back to `path` unless signing in leads there anyway, and why it is asked for. */
export function signInPath(path: string, why?: Ending): string {
  const query = [
    ...(Object.values(HOMES).includes(path) ? [] : [`next=${encodeURIComponent(path)}`]),
    ...(why === undefined ? [] : [`why=${why}`]),
  ]
  return query.length === 0 ? '/sign-in' : `/sign-in?${query.join('&')}`
}

/** Where signing in leads: to `next` if that is a page of this site that the role may see, or else home. */
export function pathAfterSignIn(role: Role, next: string | null, origin: string): string {
  const url = next?.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null
  // Parsed before it is looked at: `//elsewhere.example`, `/\elsewhere.example` and `/a/../..//b` are not what they seem.
  if (url === null || url.origin !== origin) return HOMES[role]
  // An operator's own account is kept on the same page as anybody's.
  const area =
    role === 'operator' ? /^\/(operator(\/|$)|dashboard\/profile$)/ : /^\/(dashboard\/|liabilities$)/
  return area.test(url.pathname) ? url.pathname + url.search + url.hash : HOMES[role]
}
