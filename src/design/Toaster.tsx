import { CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react'
import { type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless'
import { classes } from './classes.ts'
import styles from './Toaster.module.css'
import { sayCarriedToast, toast, toastOptions } from './toasts.ts'

/** More than so many toasts can be dismissed together. */
const MANY = 2

/** Shows the toasts of every island on the page. One a page; the layouts of signed-in and auth pages hold it. */
export function Toaster() {
  const { toasts, handlers } = useToaster(toastOptions)
  const { startPause, endPause } = handlers
  const section = useRef<HTMLElement>(null)
  // Whatever may have ended it: the pointer left, the focus moved on, or the toast that had either of them is gone.
  const goOn = useCallback(() => {
    if (!section.current?.matches(':hover, :focus-within')) endPause()
  }, [endPause])
  useEffect(goOn)
  useRaisedAboveDialogs(section, toasts[0]?.id)
  useEffect(sayCarriedToast, [])
  return (
    // The pointer or the focus over any of them stops the clock of all, so that reading one doesn't lose another.
    <section
      ref={section}
      className={styles.toaster}
      popover="manual"
      aria-label="Messages"
      aria-live="polite"
      onMouseEnter={startPause}
      onMouseLeave={goOn}
      onFocus={startPause}
      // The focus has left only afterwards.
      onBlur={() => setTimeout(goOn)}
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
 * An open dialog stands in the browser's top layer, over every z-index. What enters that layer later stands higher, so
 * the toasts enter it anew with each message that comes while a dialog is open.
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
    <div className={classes(styles.toast, styles[item.type], !item.visible && styles.leaving)}>
      <Icon type={item.type} />
      <div className={styles.message} {...item.ariaProps}>
        {resolveValue(item.message, item)}
      </div>
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Dismiss"
        onClick={(event) => dismiss(event, item.id)}
      >
        <X aria-hidden="true" size={16} />
      </button>
    </div>
  )
}

/** Whoever goes through them by keyboard goes on with the next one. */
function dismiss({ currentTarget }: MouseEvent<HTMLElement>, id: string) {
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
      return <LoaderCircle className={classes(styles.icon, styles.turning)} aria-hidden="true" size={20} />
    default:
      return null
  }
}
