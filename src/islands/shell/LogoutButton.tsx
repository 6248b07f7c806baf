import { type ReactNode, useState } from 'react'
import { logout } from '../../contract/identity/signIn.ts'
import { Button } from '../../design/Button.tsx'
import { call } from '../lib/api.ts'
import { forgetDrafts } from '../lib/drafts.ts'
import { currentSession, logOut } from '../lib/session.ts'

/** Ends the session on the server too, and leads to /sign-in. */
export function LogoutButton({ icon, className }: { icon?: ReactNode; className?: string | undefined }) {
  const [isLeaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOut()
  }
  return (
    <Button variant="quiet" busy={isLeaving} onClick={leave} icon={icon} className={className}>
      Logout
    </Button>
  )
}

/** Ends the session on the server and on this browser, and goes to /sign-in. Leaves even when the server can't be reached. */
export async function signOut(): Promise<void> {
  if (currentSession() !== null) await call(logout, { quiet: true }).catch(() => undefined)
  forgetDrafts()
  logOut()
  location.assign('/sign-in')
}
