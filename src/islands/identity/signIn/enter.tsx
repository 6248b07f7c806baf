import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Notice } from '../../../design/Notice.tsx'
import { saveToastForNextPage } from '../../../design/toasts.ts'
import { clearDrafts } from '../../lib/drafts.ts'
import { resolvePathAfterSignIn } from '../../lib/next.ts'
import { signIn } from '../../lib/session.ts'

/** Stores a new session in this browser and opens the next page. */
export function enter(session: SessionAnswer, next: string | null): void {
  signIn(session)
  clearDrafts(session.email)
  saveToastForNextPage('Login Successful')
  location.assign(resolvePathAfterSignIn(session.role, next, location.origin))
}

export function StorageBlocked() {
  return (
    <Notice tone="danger" live title="Your browser blocks storage for this site">
      To stay signed in, this site must store your session in this browser. Allow cookies and site data for it
      in the settings of your browser, or leave private browsing. Then load this page again.
    </Notice>
  )
}
