import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ButtonLink } from '../../design/Button.tsx'
import { useSession } from '../lib/useSession.ts'
import styles from './AccountMenu.module.css'
import { followOtherTabs } from './followOtherTabs.ts'
import { LogoutButton } from './LogoutButton.tsx'
import { $show, bindPopover } from './visibility.ts'

/** The account menu. Leaves the page when the session ends in another tab. */
export function AccountMenu() {
  const session = useSession()
  const menu = useRef<HTMLDivElement>(null)
  const isSignedIn = session !== null
  useEffect(followOtherTabs, [])
  useEffect(() => {
    return isSignedIn && menu.current ? bindPopover(menu.current, $show) : undefined
  }, [isSignedIn])
  if (session === null) return <span className={styles.waits} />
  return (
    <div className={styles.account}>
      <button type="button" className={styles.opener} popoverTarget="account-menu">
        <span className={styles.name}>
          <bdi>{session.name}</bdi>
        </span>
        <ChevronDown aria-hidden="true" size={16} />
      </button>
      <div ref={menu} id="account-menu" className={styles.menu} popover="auto">
        <p translate="no" className={styles.email}>
          {session.email}
        </p>
        <ButtonLink
          href={session.role === 'operator' ? '/operator/account' : '/dashboard/profile'}
          variant="quiet"
          className={styles.item}
        >
          Account Settings
        </ButtonLink>
        <LogoutButton className={styles.item} />
      </div>
    </div>
  )
}
