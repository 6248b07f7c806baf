import { X } from 'lucide-react'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import styles from './Modal.module.css'
import { openDialog } from './openDialogs.ts'
import { hasUnsentInput, recordInput } from './typedInput.ts'

export interface ModalProps {
  open: boolean
  /** Called by Escape and the close button, after the person agreed to discard input. */
  onClose: () => void
  title: ReactNode
  /** Above the title, apart from the content. */
  above?: ReactNode
  children: ReactNode
  /** Buttons under the content. Forms have their own. */
  actions?: ReactNode
  size?: 'medium' | 'large' | 'wide'
  /** False hides the close button and ignores Escape, for steps that must not be interrupted. */
  dismissible?: boolean
}

type Leave = (run: () => void) => void

const LeaveContext = createContext<Leave>((run) => run())

/** Replaces the content of the surrounding dialog, after asking whether to discard its input. */
export function useLeave(): Leave {
  return useContext(LeaveContext)
}

/**
 * A native dialog: labelled, with focus trapped and restored. Its content is mounted only while open. It asks before it closes over
 * input that was not sent.
 */
export function Modal({
  open,
  onClose,
  title,
  above,
  children,
  actions,
  size = 'medium',
  dismissible = true,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [asked, setAsked] = useState<{ run: () => void } | null>(null)
  const leave: Leave = (run) => (hasUnsentInput(dialog.current) ? setAsked({ run }) : run())
  const handleKey = (event: KeyboardEvent) => {
    // An open popover closes first.
    if (event.key !== 'Escape' || event.defaultPrevented || dialog.current?.querySelector(OPEN_POPOVER))
      return
    // Otherwise a second Escape closes the dialog without asking.
    event.preventDefault()
    event.stopPropagation()
    if (dismissible) leave(onClose)
  }
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
        if (dismissible) leave(onClose)
      }}
      onKeyDown={handleKey}
      onInput={recordInput}
    >
      {open && (
        <LeaveContext value={leave}>
          <div className={styles.frame}>
            {above}
            <header className={styles.head}>
              <h2 id={titleId} className={styles.title}>
                {title}
              </h2>
              {dismissible && (
                <button
                  type="button"
                  className={styles.close}
                  aria-label="Close"
                  onClick={() => leave(onClose)}
                >
                  <X aria-hidden="true" size={20} />
                </button>
              )}
            </header>
            <div className={styles.body}>{children}</div>
            {actions && <footer className={styles.actions}>{actions}</footer>}
          </div>
          {asked && (
            <DiscardQuestion
              onKeep={() => setAsked(null)}
              onDiscard={() => {
                setAsked(null)
                asked.run()
              }}
            />
          )}
        </LeaveContext>
      )}
    </dialog>
  )
}

/** Toasts are manual popovers and do not count. */
const OPEN_POPOVER = '[popover]:not([popover=manual]):popover-open'

function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Modal
      open
      onClose={onKeep}
      title="Discard what you typed?"
      actions={
        <>
          <Button onClick={onKeep}>Keep it</Button>
          <Button variant="danger" onClick={onDiscard}>
            Discard it
          </Button>
        </>
      }
    >
      <p>You have not sent it yet.</p>
    </Modal>
  )
}
