import { CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react'
import { type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless'
import { joinClasses } from './classes.ts'
import styles from './Toaster.module.css'
import { showCarriedToast, toast, toastOptions } from './toasts.ts'

/** With more toasts, "Dismiss all" appears. */
const MANY = 2

/** Shows the toasts of every island. Once per page, in the layouts of signed-in and auth pages. */
export function Toaster() {
  const { toasts, handlers } = useToaster(toastOptions)
  const { startPause, endPause } = handlers
  const section = useRef<HTMLElement>(null)
  // The pause ends when the pointer or focus leaves, or when the toast that had it is gone.
  const resumeUnlessActive = useCallback(() => {
    if (!section.current?.matches(':hover, :focus-within')) endPause()
  }, [endPause])
  useEffect(resumeUnlessActive)
  useRaisedAboveDialogs(section, toasts[0]?.id)
  useEffect(showCarriedToast, [])
  return (
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
}

/**
 * An open dialog is in the browser's top layer, above every z-index. Later entries are above earlier ones, so the
 * toasts re-enter it with each message while a dialog is open.
 */
function useRaisedAboveDialogs(section: RefObject<HTMLElement | null>, newestId: string | undefined) {
  useEffect(() => {
    if (newestId === undefined || !document.querySelector('dialog:modal')) return
    section.current?.togglePopover(false)
    section.current?.togglePopover(true)
  }, [section, newestId])
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
