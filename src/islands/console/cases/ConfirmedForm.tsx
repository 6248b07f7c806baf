import { type ReactNode, useEffect, useRef } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../design/Button.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import styles from './ConfirmedForm.module.css'
import type { ConfirmedForm as Steps } from './useConfirmedForm.ts'

export interface ConfirmedFormProps<S extends z.ZodMiniType> {
  form: Steps<S>
  /** Leads to the confirming step: "Review the credit". */
  reviewLabel: string
  /** Sends: "Credit $500.00". */
  confirmLabel: (values: z.input<S>) => string
  /** What is about to happen, with the figures and the name: read before it is confirmed. */
  summary: (values: z.input<S>) => ReactNode
  variant?: FormProps['submitVariant']
  /** Leaves without deciding. */
  onCancel: () => void
  /** The fields. */
  children: ReactNode
}

/** The fields, then what they amount to and the button that does it. */
export function ConfirmedForm<S extends z.ZodMiniType>(props: ConfirmedFormProps<S>) {
  const { form, reviewLabel, confirmLabel, variant = 'primary', onCancel } = props
  const { reviewed, shell } = form
  const { fields, summary, back } = useFocusBetween(reviewed !== null, form.back)
  return (
    <Form
      onSubmit={reviewed === null ? form.review : shell.onSubmit}
      pending={shell.pending}
      formError={reviewed === null ? shell.formError : null}
      submitLabel={reviewed === null ? reviewLabel : confirmLabel(reviewed)}
      submitVariant={variant}
      actions={
        shell.pending && reviewed !== null ? null : (
          <Button variant="quiet" onClick={reviewed === null ? onCancel : back}>
            {reviewed === null ? 'Cancel' : 'Change it'}
          </Button>
        )
      }
    >
      {/* Kept while they are hidden: what was typed, and the places beside which the server's objections stand. */}
      <div ref={fields} hidden={reviewed !== null} className={reviewed === null ? 'stack' : undefined}>
        {props.children}
      </div>
      {reviewed !== null && (
        <div ref={summary} className={styles.summary} tabIndex={-1}>
          {props.summary(reviewed)}
        </div>
      )}
    </Form>
  )
}

/** Enter goes on from every field alike, since what follows is only read. With Shift it begins a new line. */
function goOnByEnter(event: KeyboardEvent): void {
  const { target, key, shiftKey, isComposing } = event
  if (key !== 'Enter' || shiftKey || isComposing) return
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)) return
  event.preventDefault()
  if (!event.repeat) target.form?.requestSubmit()
}

/** The focus goes to what has to be read, so that Enter pressed once more confirms nothing, and back to the first field. */
function useFocusBetween(isReviewed: boolean, leave: () => void) {
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const isGoingBack = useRef(false)
  useEffect(() => {
    const place = fields.current
    place?.addEventListener('keydown', goOnByEnter)
    return () => place?.removeEventListener('keydown', goOnByEnter)
  }, [])
  useEffect(() => {
    if (isReviewed) summary.current?.focus()
    else if (isGoingBack.current)
      fields.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    isGoingBack.current = false
  }, [isReviewed])
  const back = () => {
    isGoingBack.current = true
    leave()
  }
  return { fields, summary, back }
}
