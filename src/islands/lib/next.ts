import type { SessionAnswer } from '../../contract/auth.ts'

type Role = SessionAnswer['role']

const HOMES: Record<Role, string> = { investor: '/dashboard/overview', operator: '/operator' }

/** /sign-in, with the way back to `path` unless signing in leads there anyway. */
export function signInPath(path: string): string {
  return Object.values(HOMES).includes(path) ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}

/** Where signing in leads: to `next` if that is a page of this site that the role may see, or else home. */
export function pathAfterSignIn(role: Role, next: string | null, origin: string): string {
  const url = next?.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null
  // Parsed before it is looked at: `//elsewhere.example`, `/\elsewhere.example` and `/a/../..//b` are not what they seem.
  if (url === null || url.origin !== origin) return HOMES[role]
  // An operator's own account is kept on the same page as anybody's.
  const area = role === 'operator' ? /^\/(operator(\/|$)|dashboard\/profile$)/ : /^\/dashboard\//
  return area.test(url.pathname) ? url.pathname + url.search + url.hash : HOMES[role]
}
