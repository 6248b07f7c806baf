import { useState } from 'react'
import { profileCall } from '../../contract/profileCall.ts'
import type { UserInfo } from '../../contract/userInfo.ts'
import { call } from '../lib/api.ts'
import { NotificationWindow } from './NotificationWindow.tsx'

export type Notification = NonNullable<UserInfo['notification']>

/** What an operator lets an investor know, until they say "Okay"; a persistent one comes again with each visit. */
export function NotificationDialog({ notification }: { notification: Notification }) {
  const { title, content, persistent } = notification
  const [isOpen, setOpen] = useState(true)
  const dismiss = () => {
    setOpen(false)
    // Where that fails it simply comes once more.
    if (!persistent)
      call(profileCall, { body: { seen: true, notification: { title, content } }, quiet: true }).catch(
        () => {},
      )
  }
  return <NotificationWindow title={title} content={content} open={isOpen} onClose={dismiss} />
}
