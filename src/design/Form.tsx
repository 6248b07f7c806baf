import { type ReactNode, type SubmitEventHandler, useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import styles from './Form.module.css'
import { Notice } from './Notice.tsx'

export interface FormProps {
  /** Called on submit, never while `pending`. */
  onSubmit: SubmitEventHandler<HTMLFormElement>
  /** Work is under way. Required, so that no form can forget to say so. */
  pending: boolean
  /** What failed about the form as a whole, as a sentence; null when nothing did. */
  formError: string | null
  /** What was typed before and is back, as a sentence, with a way to begin anew. */
  restored?: { words: string; onDrop: () => void } | null
  /** What the button does: "Send Deposit Request". */
  submitLabel: string
  submitVariant?: 'primary' | 'danger'
  /** The button fills the width: sign-in and its like. */
  wide?: boolean
  /** Stands beside the submit button: a cancel button, a link. */
  actions?: ReactNode
  /** Names the form for screen readers where the heading above doesn't. */
  label?: string
  className?: string
  children: ReactNode
}

/** The shell of every form: fields, what failed, the button. Focuses the first field in error, or else what failed. */
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
      className={classes(styles.form, props.className)}
      aria-label={props.label}
      // POST, so that a submit before the script has loaded can't put a password into the address.
      method="post"
      noValidate
      onSubmit={pending ? (event) => event.preventDefault() : onSubmit}
    >
      {restored && (
        <Notice
          live
          actions={
            <Button
              size="small"
              onClick={() => {
                restored.onDrop()
                // The button that had the focus is gone.
                form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
              }}
            >
              Start afresh
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
      <div className={classes(styles.actions, wide && styles.wide)}>
        {/* Until the script is there, nothing could be sent. */}
        <Button type="submit" variant={submitVariant} busy={pending} wide={wide} disabled={!isReady}>
          {submitLabel}
        </Button>
        {props.actions}
      </div>
    </form>
  )
}

// Whether the script has taken over what was built changes once, and React asks by itself.
function subscribeToNothing() {
  return () => {}
}

/** When work ends in failure, the first field in error gets the focus, or else the sentence that says what failed. */
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
