import { type ReactNode, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { signOut } from '../lib/signOut.ts'

interface LogoutButtonProps {
  icon?: ReactNode
  className?: string | undefined
}

/** Ends the session on the server too, and leads to /sign-in. */
export function LogoutButton({ icon, className }: LogoutButtonProps) {
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
