import type { UserInfo } from '../../../contract/identity/profile.ts'

/** Whether a notification is to be shown: there is something to show, and it was not dismissed. */
export function isDue(notification: UserInfo['notification'] | undefined): boolean {
  return Boolean(notification?.title && notification.content && !notification.seen)
}
