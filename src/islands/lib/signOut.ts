import { logout } from '../../contract/identity/signIn.ts'
import { call } from './api.ts'
import { forgetDrafts } from './drafts.ts'
import { currentSession, logOut } from './session.ts'

/** Ends the session on the server and on this browser, and goes to /sign-in. Leaves even when the server can't be reached. */
export async function signOut(): Promise<void> {
  if (currentSession() !== null) await call(logout, { quiet: true }).catch(() => undefined)
  forgetDrafts()
  logOut()
  location.assign('/sign-in')
}
