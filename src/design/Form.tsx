import { type ReactNode, type SubmitEventHandler, useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'
import { Notice } from './Notice.tsx'

export interface FormProps {
  /** Called on submit, except while `pending`. */
  onSubmit: SubmitEventHandler<HTMLFormElement>
  /** Required, so that every form shows its progress. */
  pending: boolean
  /** The error of the form as a whole, or null. */
  formError: string | null
  /** A message that earlier input was restored, with a way to discard it. */
  restored?: { words: string; onDrop: () => void } | null
  /** The tab keeps the input until it is sent. */
  keepsDraft?: boolean
  /** Without it there is no submit button, and the form is not sent: `actions` say what to do instead. */
  submitLabel?: string | undefined
  submitVariant?: 'primary' | 'danger'
  /** A full-width button, as in sign-in. */
  wide?: boolean
  /** Beside the submit button: a cancel button, a link. */
  actions?: ReactNode
  /** Names the form for screen readers if no heading does. */
  label?: string
  className?: string
  children: ReactNode
}

/**
 * The frame of every form: fields, errors, buttons. After a failure it focuses the first invalid field, or else the
 * error.
 */
export function Form(props: FormProps) {
  const {
    onSubmit,
    pending,
    formError,
    restored,
    submitLabel,
    submitVariant = 'primary',
    wide = false,
  } = props
  const form = useRef<HTMLFormElement>(null)
  useFocusOnFailure(form, pending, formError)
  const isReady = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
  return (
    <form
      ref={form}
      className={joinClasses(styles.form, props.className)}
      aria-label={props.label}
      // With GET, a submit before the script has loaded would put a password into the URL.
      method="post"
      noValidate
      data-keeps-draft={props.keepsDraft || undefined}
      onSubmit={pending || submitLabel === undefined ? (event) => event.preventDefault() : onSubmit}
    >
      {restored && (
        <Notice
          live
          actions={
            <Button
              size="small"
              onClick={() => {
                restored.onDrop()
                // The focused button is gone.
                form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
              }}
            >
              Start over
            </Button>
          }
        >
          {restored.words}
        </Notice>
      )}
      {props.children}
      {formError !== null && (
        <div data-form-error tabIndex={-1} className={styles.failure}>
          <Notice tone="danger" live>
            {formError}
          </Notice>
        </div>
      )}
      <div className={joinClasses(styles.actions, wide && styles.wide)}>
        {/* Submitting needs the script. */}
        {submitLabel !== undefined && (
          <Button type="submit" variant={submitVariant} busy={pending} wide={wide} disabled={!isReady}>
            {submitLabel}
          </Button>
        )}
        {props.actions}
      </div>
    </form>
  )
}

// Hydration happens once, and React detects it without a subscription.
function subscribeToNothing() {
  return () => {}
}

/** After a failed submit, focuses the first invalid field, or else the error. */
function useFocusOnFailure(
  form: React.RefObject<HTMLFormElement | null>,
  pending: boolean,
  formError: string | null,
) {
  const wasPending = useRef(false)
  useEffect(() => {
    const justEnded = wasPending.current && !pending
    wasPending.current = pending
    if (!justEnded) return
    const target =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      (formError !== null ? form.current?.querySelector<HTMLElement>('[data-form-error]') : null)
    target?.focus()
  }, [form, pending, formError])
}
