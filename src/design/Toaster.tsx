import { useStore } from '@nanostores/react'
import { CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react'
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless'
import { joinClasses } from './classes.ts'
import { $openDialogs } from './openDialogs.ts'
import styles from './Toaster.module.css'
import { showCarriedToast, toast, toastOptions } from './toasts.ts'

/** With more toasts, "Dismiss all" appears. */
const MANY = 2
/** For the built page, where no dialog is open. */
const NO_DIALOGS: readonly HTMLDialogElement[] = []

/**
 * Shows the toasts of every island. Once per page, in the layouts of signed-in and auth pages. While a dialog is open, they are
 * inside it, because everything outside a modal dialog is inert.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster(toastOptions)
  const { startPause, endPause } = handlers
  const section = useRef<HTMLElement>(null)
  // The pause ends when the pointer or focus leaves, or when the toast that had it is gone.
  const resumeUnlessActive = useCallback(() => {
    if (!section.current?.matches(':hover, :focus-within')) endPause()
  }, [endPause])
  useEffect(resumeUnlessActive)
  const dialog = useStore($openDialogs, { ssr: () => NO_DIALOGS }).at(-1)
  // In the top layer, the dialog neither clips nor moves them.
  useLayoutEffect(() => void (dialog && section.current?.showPopover()), [dialog])
  useEffect(showCarriedToast, [])
  const messages = (
    // Hovering or focusing any toast pauses all, so that none disappears while another is read.
    <section
      ref={section}
      className={styles.toaster}
      popover="manual"
      aria-label="Messages"
      aria-live="polite"
      onMouseEnter={startPause}
      onMouseLeave={resumeUnlessActive}
      onFocus={startPause}
      // During blur the focus has not moved yet.
      onBlur={() => setTimeout(resumeUnlessActive)}
    >
      {toasts.filter(({ visible }) => visible).length > MANY && (
        <button type="button" className={styles.all} onClick={() => toast.dismissAll()}>
          Dismiss all
        </button>
      )}
      {toasts.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </section>
  )
  return dialog ? createPortal(messages, dialog) : messages
}

function Item({ item }: { item: Toast }) {
  return (
    <div className={joinClasses(styles.toast, styles[item.type], !item.visible && styles.leaving)}>
      <Icon type={item.type} />
      <div className={styles.message} {...item.ariaProps}>
        {resolveValue(item.message, item)}
      </div>
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Dismiss"
        onClick={(event) => closeToast(event, item.id)}
      >
        <X aria-hidden="true" size={16} />
      </button>
    </div>
  )
}

/** Dismisses a toast. Keyboard users continue at the next one. */
function closeToast({ currentTarget }: MouseEvent<HTMLElement>, id: string) {
  const others = [...(currentTarget.closest('section')?.querySelectorAll('button') ?? [])]
  const next = others[others.indexOf(currentTarget as HTMLButtonElement) + 1]
  if (currentTarget.matches(':focus-visible')) (next ?? others.at(-2))?.focus()
  toast.dismiss(id)
}

function Icon({ type }: Pick<Toast, 'type'>) {
  switch (type) {
    case 'success':
      return <CircleCheck className={styles.icon} aria-hidden="true" size={20} />
    case 'error':
      return <CircleAlert className={styles.icon} aria-hidden="true" size={20} />
    case 'loading':
      return (
        <LoaderCircle className={joinClasses(styles.icon, styles.turning)} aria-hidden="true" size={20} />
      )
    default:
      return null
  }
}
