import { useState } from 'react'
import { logout } from '../../contract/identity/signIn.ts'
import { Button } from '../../design/Button.tsx'
import { call } from '../lib/api.ts'
import { clearDrafts } from '../lib/drafts.ts'
import { getSession, logOut } from '../lib/session.ts'

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
  if (getSession() !== null) await call(logout, { quiet: true }).catch(() => undefined)
  clearDrafts()
  logOut()
  location.assign('/sign-in')
}
