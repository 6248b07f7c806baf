import { useMemo, useState } from 'react'
import { profileCall } from '../../contract/profileCall.ts'
import type { UserInfo } from '../../contract/userInfo.ts'
import { Button } from '../../design/Button.tsx'
import { Modal } from '../../design/Modal.tsx'
import { call } from '../lib/api.ts'
import { contentOf } from './contentOf.tsx'

export type Notification = NonNullable<UserInfo['notification']>

/** What an operator lets an investor know, until they say "Okay"; a persistent one comes again with each visit. */
export function NotificationDialog({ notification }: { notification: Notification }) {
  const { title, content, persistent } = notification
  const [isOpen, setOpen] = useState(true)
  const shown = useMemo(() => contentOf(content), [content])
  const dismiss = () => {
    setOpen(false)
    // Where that fails it simply comes once more.
    if (!persistent)
      call(profileCall, { body: { seen: true, notification: { title, content } }, quiet: true }).catch(
        () => {},
      )
  }
  return (
    <Modal
      open={isOpen}
      onClose={dismiss}
      title={title}
      actions={
        <Button variant="primary" onClick={dismiss}>
          Okay
        </Button>
      }
    >
      <div className="prose">{shown}</div>
    </Modal>
  )
}
