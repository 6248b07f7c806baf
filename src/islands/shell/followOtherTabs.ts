import { forgetDrafts } from '../lib/drafts.ts'
import { SESSION_KEY } from '../lib/guard.ts'
import { type Ending, pathAfterSignIn } from '../lib/next.ts'
import { currentSession, LOGGED_OUT, leaveForSignIn } from '../lib/session.ts'

/**
 * Leaves the page when another tab has logged out, or found the session ended, and when somebody else signed in there: what
 * is shown here is not theirs. Answers what ends the watch.
 */
export function followOtherTabs(): () => void {
  let mine = currentSession()
  const look = (why?: Ending) => {
    const now = currentSession()
    if (now !== null && (mine === null || now.token === mine.token || now.email === mine.email)) {
      mine = now
      return
    }
    stop()
    document.documentElement.hidden = true
    if (now === null) leaveForSignIn(why)
    else location.replace(pathAfterSignIn(now.role, null, location.origin))
  }
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key !== SESSION_KEY && key !== null) return
    if (newValue !== LOGGED_OUT) return look('ended')
    // The other tab's next change repeats this event.
    stop()
    forgetDrafts()
    document.documentElement.hidden = true
    location.replace('/sign-in?why=logged-out')
  }
  // "Back" may restore the page from the browser's cache.
  const lookWhenRestored = ({ persisted }: PageTransitionEvent) => persisted && look()
  addEventListener('storage', hear)
  addEventListener('pageshow', lookWhenRestored)
  const stop = () => {
    removeEventListener('storage', hear)
    removeEventListener('pageshow', lookWhenRestored)
  }
  return stop
}
