import { ChevronDown, LogOut, Settings } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ButtonLink } from '../../design/ButtonLink.tsx'
import { currentSession } from '../lib/session.ts'
import { useSession } from '../lib/useSession.ts'
import styles from './AccountMenu.module.css'
import { LogoutButton } from './LogoutButton.tsx'

/** Who is signed in, and a menu with what concerns the account. Leaves the page when the session has ended elsewhere. */
export function AccountMenu() {
  const session = useSession()
  useLeavingWhenSignedOutElsewhere(session !== null)
  if (session === null) return <span className={styles.waits} />
  return (
    <div className={styles.account}>
      <button type="button" className={styles.opener} popoverTarget="account-menu">
        <span className={styles.name}>{session.name}</span>
        <ChevronDown aria-hidden="true" size={16} />
      </button>
      <div id="account-menu" className={styles.menu} popover="auto">
        <p className={styles.email}>{session.email}</p>
        <ButtonLink
          href="/dashboard/profile"
          variant="quiet"
          className={styles.item}
          icon={<Settings aria-hidden="true" size={18} />}
        >
          Account Settings
        </ButtonLink>
        <LogoutButton className={styles.item} icon={<LogOut aria-hidden="true" size={18} />} />
      </div>
    </div>
  )
}

/** What this tab does about a session that ended is the doer's business; here it is another tab, or a step back in the history. */
function useLeavingWhenSignedOutElsewhere(isSignedIn: boolean) {
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (isSignedIn) wasSignedIn.current = true
  }, [isSignedIn])
  useEffect(() => {
    const look = () => {
      if (wasSignedIn.current && currentSession() === null) location.replace('/sign-in')
    }
    const lookWhenRestored = ({ persisted }: PageTransitionEvent) => persisted && look()
    addEventListener('storage', look)
    addEventListener('pageshow', lookWhenRestored)
    return () => {
      removeEventListener('storage', look)
      removeEventListener('pageshow', lookWhenRestored)
    }
  }, [])
}
