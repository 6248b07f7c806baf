import { countUnseenNotifications } from '../../../contract/outreach/notificationCount.ts'
import { call } from '../../lib/api.ts'
import { currentSession } from '../../lib/session.ts'

/** Most that the bell counts. */
const MOST = 99

/** Shows at the bell how many notifications are new. Without a framework, because every page of the dashboard has it. */
async function showUnseen(): Promise<void> {
  const bell = document.querySelector('[data-bell]')
  const badge = bell?.querySelector('b')
  if (!bell || !badge || currentSession() === null) return
  const { unseen } = await call(countUnseenNotifications, { quiet: true })
  badge.textContent = unseen > MOST ? `${MOST}+` : String(unseen)
  badge.hidden = unseen === 0
  bell.ariaLabel = unseen === 0 ? 'Notifications' : `Notifications, ${unseen} new`
}

// Without an answer, the bell is a link like any other.
showUnseen().catch(() => undefined)
