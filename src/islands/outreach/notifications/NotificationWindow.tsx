import { useMemo } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { contentOf } from './contentOf.tsx'

interface NotificationWindowProps {
  title: string
  content: string
  open: boolean
  onClose: () => void
}

/** A notification as the investor sees it. */
export function NotificationWindow({ title, content, open, onClose }: NotificationWindowProps) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          Okay
        </Button>
      }
    >
      <NotificationContent content={content} />
    </Modal>
  )
}

/** Its content alone. */
export function NotificationContent({ content }: { content: string }) {
  const shown = useMemo(() => contentOf(content), [content])
  return <div className="prose">{shown}</div>
}
