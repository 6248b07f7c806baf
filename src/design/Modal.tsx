import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { joinClasses } from './classes.ts'
import styles from './Modal.module.css'
import { openDialog } from './openDialogs.ts'

export interface ModalProps {
  open: boolean
  /** Called by Escape and the close button. */
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons under the content. Forms have their own. */
  actions?: ReactNode
  size?: 'medium' | 'large' | 'wide'
  /** False hides the close button and ignores Escape, for steps that must not be interrupted. */
  dismissible?: boolean
}

/** A native dialog: labelled, with focus trapped and restored. Its content is mounted only while open. */
export function Modal({
  open,
  onClose,
  title,
  children,
  actions,
  size = 'medium',
  dismissible = true,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    const before = document.activeElement
    const close = openDialog(element)
    return () => {
      close()
      // The browser restores the focus on close(), unless the opener was re-rendered meanwhile.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [open])
  return (
    <dialog
      ref={dialog}
      className={joinClasses(styles.dialog, styles[size])}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        // React would bubble it to a surrounding dialog, which must stay open.
        event.stopPropagation()
        if (dismissible) onClose()
      }}
    >
      {open && (
        <div className={styles.frame}>
          <header className={styles.head}>
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
            {dismissible && (
              <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
                <X aria-hidden="true" size={20} />
              </button>
            )}
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}
