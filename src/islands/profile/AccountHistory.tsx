import { useEffect, useRef } from 'react'
import { listActivity } from '../../contract/activity.ts'
import { listSessions } from '../../contract/sessions.ts'
import { usePages } from '../lib/pages.ts'
import { Activity } from './Activity.tsx'
import { Sessions } from './Sessions.tsx'

interface AccountHistoryProps {
  /** How often something was changed on the tab: each time both lists are loaded anew. */
  changes: number
  /** A session was ended. */
  onEnded: () => void
}

/** Who is signed in, and what happened on the account. */
export function AccountHistory({ changes, onEnded }: AccountHistoryProps) {
  const sessions = usePages(listSessions)
  const activity = usePages(listActivity, { limit: '10' })
  const seen = useRef(changes)
  useEffect(() => {
    if (seen.current === changes) return
    seen.current = changes
    sessions.reload()
    activity.reload()
  })
  return (
    <>
      <Sessions sessions={sessions} onEnded={onEnded} />
      <Activity activity={activity} />
    </>
  )
}
