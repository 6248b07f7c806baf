import { useState } from 'react'
import { logout } from '../../contract/identity/signIn.ts'
import { Button } from '../../design/Button.tsx'
import { call } from '../lib/api.ts'
import { forgetDrafts } from '../lib/drafts.ts'
import { currentSession, logOut } from '../lib/session.ts'

export function LogoutButton({ className }: { className?: string }) {
  const [isLeaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOut()
  }
  return (
    <Button variant="quiet" busy={isLeaving} onClick={leave} className={className}>
      Logout
    </Button>
  )
}

/** Ends the session on the server and here, then opens /sign-in, even if the server cannot be reached. */
export async function signOut(): Promise<void> {
  if (currentSession() !== null) await call(logout, { quiet: true }).catch(() => undefined)
  forgetDrafts()
  logOut()
  location.assign('/sign-in')
}
