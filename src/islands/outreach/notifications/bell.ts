import { countUnseenNotifications } from '../../../contract/outreach/notificationCount.ts'
import { call } from '../../lib/api.ts'
import { getSession } from '../../lib/session.ts'

/** Shows at the bell how many notifications are new. Without a framework, because every page of the dashboard has it. */
async function showUnseen(): Promise<void> {
  const bell = document.querySelector('[data-bell]')
  const badge = bell?.querySelector('b')
  // The page of design samples is shown without a session.
  if (!bell || !badge || getSession() === null) return
  const { unseen } = await call(countUnseenNotifications, { quiet: true })
  if (unseen === 0) return
  badge.hidden = false
  badge.textContent = `${unseen}`
  bell.ariaLabel += `, ${unseen} new`
}

// Without an answer, the bell is a link like any other.
showUnseen().catch(() => {})
