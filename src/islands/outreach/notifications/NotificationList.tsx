import { useEffect } from 'react'
import {
  listNotifications,
  type ReceivedNotification,
  seeNotifications,
} from '../../../contract/outreach/notifications.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { OwnAmounts } from '../../../design/Money.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import styles from './NotificationList.module.css'
import { NotificationContent } from './NotificationWindow.tsx'

/** The query of its first call. */
export const NEWEST = { limit: '50' } as const

export const NotificationList = withErrorBoundary(List, '/dashboard/overview')

/** The latest notifications. Those shown count as seen from the next page on. */
function List() {
  const received = useResource('notifications', () => call(listNotifications, { query: NEWEST }))
  const latest = received.state === 'ready' ? received.data.find(({ seen }) => !seen)?._id : undefined
  useEffect(() => {
    // If it fails, they stay new, and the next visit tries again.
    if (latest !== undefined) call(seeNotifications, { body: { latest }, quiet: true }).catch(() => undefined)
  }, [latest])
  switch (received.state) {
    case 'loading':
      return <Loading label="Loading your notifications" />
    case 'failed':
      return <LoadFailure msg={received.msg} onRetry={received.reload} />
    case 'ready':
      return received.data.length === 0 ? (
        <EmptyState title="No notifications">Messages about your account appear here.</EmptyState>
      ) : (
        <div className="stack">
          {received.data.map((notification) => (
            <Item key={notification._id} {...notification} />
          ))}
        </div>
      )
  }
}

function Item({ title, content, at, seen }: ReceivedNotification) {
  return (
    <article className={styles.item}>
      <h2>
        <OwnAmounts text={title} />
      </h2>
      <p className={styles.when}>
        {!seen && <b>New</b>}
        <DateTime at={at} />
      </p>
      <NotificationContent content={content} />
    </article>
  )
}
