import { type MouseEvent, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { classes } from '../../../design/classes.ts'
import { NotificationContent, NotificationWindow } from '../../outreach/notifications/NotificationWindow.tsx'
import styles from './NotificationPreview.module.css'
import type { Preview } from './usePreview.ts'

/** What the investor will see: the content as the server made it safe, by the pieces that show it to the investor. */
export function NotificationPreview({ title, preview }: { title: string; preview: Preview }) {
  const [isOpen, setOpen] = useState(false)
  const isOld = preview.state === 'loading' || (preview.state !== 'blank' && preview.isOld)
  const shownTitle = title.trim() || 'No title yet'
  return (
    <section className={styles.preview} aria-label="Preview" aria-busy={isOld || undefined}>
      <p className="small soft">What the investor sees</p>
      <div className={classes(styles.paper, isOld && styles.old)}>
        <p className={styles.title}>{shownTitle}</p>
        {preview.state === 'blank' && <p className="soft">Nothing to show yet.</p>}
        {preview.state === 'loading' && <p className="soft">Asking the server…</p>}
        {preview.state === 'refused' && <p className={styles.refused}>{preview.msg}</p>}
        {preview.state === 'ready' && (
          <div onClickCapture={stay}>
            <NotificationContent content={preview.content} />
          </div>
        )}
      </div>
      {preview.state === 'ready' && (
        <div className={styles.foot}>
          <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Show it in its window
          </Button>
          <span className="small soft number">{preview.bytes.toLocaleString('en-US')} of 16,384 bytes</span>
          <NotificationWindow
            title={shownTitle}
            content={preview.content}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </div>
      )}
    </section>
  )
}

// What was typed would be lost with the page.
function stay(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault()
}
