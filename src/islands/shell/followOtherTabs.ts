import { clearDrafts } from '../lib/drafts.ts'
import { SESSION_KEY } from '../lib/guard.ts'
import { resolvePathAfterSignIn, type SessionEnd } from '../lib/next.ts'
import { getSession, LOGGED_OUT, leaveForSignIn } from '../lib/session.ts'

/**
 * Leaves the page when another tab logs out, finds that the session has ended, or signs in as another user, who must not see
 * this page. Returns a cancel function.
 */
export function followOtherTabs(): () => void {
  let own = getSession()
  const check = (why?: SessionEnd) => {
    const now = getSession()
    if (now !== null && (own === null || now.token === own.token || now.email === own.email)) {
      own = now
      return
    }
    stop()
    document.documentElement.hidden = true
    if (now === null) leaveForSignIn(why)
    else location.replace(resolvePathAfterSignIn(now.role, null, location.origin))
  }
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== SESSION_KEY && key !== null) return
    if (newValue !== LOGGED_OUT) return check('ended')
    // The other tab's next change repeats this event.
    stop()
    clearDrafts()
    document.documentElement.hidden = true
    location.replace('/sign-in?why=logged-out')
  }
  // The back button may restore the page from the browser's cache.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && check()
  addEventListener('storage', onStorage)
  addEventListener('pageshow', onPageShow)
  const stop = () => {
    removeEventListener('storage', onStorage)
    removeEventListener('pageshow', onPageShow)
  }
  return stop
}
