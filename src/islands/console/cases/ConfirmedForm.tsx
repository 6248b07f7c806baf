import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { approveKyc } from '../../../contract/console/kyc.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import styles from './cases.module.css'
import { withFactor } from './factor.tsx'

interface ConfirmedFormState<S extends z.ZodMiniType> extends EndpointForm<S> {
  /** The validated input that the summary shows; null while the fields are shown. */
  reviewed: z.input<S> | null
  /** Validates the fields and shows the summary. */
  review: FormProps['onSubmit']
  back: () => void
}

interface ConfirmedFormOptions<B extends z.ZodMiniType, A, S extends z.ZodMiniType>
  extends Omit<EndpointFormOptions<B, A, S>, 'explained' | 'failures'> {
  /** Called with the server's message if the row was decided, changed or removed meanwhile. */
  onOvertaken?: (msg: string) => void
}

/**
 * A form in two steps: fields, then a summary to confirm. A failure leads back to the fields. It shows failures in the
 * form, because it is used in dialogs.
 */
export function useConfirmedForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>({
  onOvertaken,
  ...options
}: ConfirmedFormOptions<B, A, S>): ConfirmedFormState<S> {
  const [reviewed, setReviewed] = useState<{ values: z.input<S> } | null>(null)
  const form = useEndpointForm<B, A, S>({
    ...options,
    failures: 'form',
    explained: ['reference_used'],
    onFailure: (failure) => {
      setReviewed(null)
      if (failure.code === 'reference_used') form.form.setError('reference', { message: failure.msg })
      if (onOvertaken) ifOvertaken(onOvertaken)(failure)
      options.onFailure?.(failure)
    },
  })
  return {
    ...form,
    reviewed: reviewed === null ? null : reviewed.values,
    review: form.form.handleSubmit((values) => setReviewed({ values })),
    back: () => setReviewed(null),
  }
}

/** An `onFailure` that calls `run` with the message if the row was decided, changed or removed meanwhile. */
export function ifOvertaken(run: (msg: string) => void): (failure: ApiFailure) => void {
  return ({ code, msg }) => {
    if (code === 'already_decided' || code === 'conflict' || code === 'not_found') run(msg)
  }
}

export interface ConfirmedFormProps<S extends z.ZodMiniType> {
  form: ConfirmedFormState<S>
  reviewLabel?: string
  /** The label of the button that sends: "Credit $500.00". */
  confirmLabel: string | ((values: z.input<S>) => string)
  /** Says what is about to happen, with amounts and names. */
  summary: (values: z.input<S>) => ReactNode
  variant?: FormProps['submitVariant']
  onCancel: () => void
  children: ReactNode
}

export function ConfirmedForm<S extends z.ZodMiniType>(props: ConfirmedFormProps<S>) {
  const { form, reviewLabel = 'Review', confirmLabel, variant = 'primary', onCancel } = props
  const { reviewed, shell } = form
  const { fields, summary, back } = useFocusBetween(reviewed !== null, form.back)
  const labelOf = (values: z.input<S>) =>
    typeof confirmLabel === 'string' ? confirmLabel : confirmLabel(values)
  return (
    <Form
      onSubmit={reviewed === null ? form.review : shell.onSubmit}
      pending={shell.pending}
      formError={reviewed === null ? shell.formError : null}
      submitLabel={reviewed === null ? reviewLabel : labelOf(reviewed)}
      submitVariant={variant}
      actions={
        shell.pending && reviewed !== null ? null : (
          <Button variant="quiet" onClick={reviewed === null ? onCancel : back}>
            {reviewed === null ? 'Cancel' : 'Change it'}
          </Button>
        )
      }
    >
      {/* Hidden, not removed: the fields keep their input and show the server's errors. */}
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

/**
 * Enter submits from text areas and selects, too, because only the summary follows. Shift+Enter starts a new line. In a letter
 * (`data-lines`) Enter does.
 */
function submitOnEnter(event: KeyboardEvent): void {
  const { target, key, shiftKey, isComposing } = event
  if (key !== 'Enter' || shiftKey || isComposing) return
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)) return
  if (target.dataset.lines !== undefined) return
  event.preventDefault()
  if (!event.repeat) target.form?.requestSubmit()
}

/** Focuses the summary, so that a second Enter does not confirm it unread, and the first field on the way back. */
function useFocusBetween(isReviewed: boolean, leave: () => void) {
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const isGoingBack = useRef(false)
  useEffect(() => {
    const element = fields.current
    element?.addEventListener('keydown', submitOnEnter)
    return () => element?.removeEventListener('keydown', submitOnEnter)
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

/** Props of every form that decides a row. */
export interface DecisionProps<Row> {
  row: Row
  /** Called with the row from the server's answer. */
  onDecided: (row: Row) => void
  /** Called with the server's message if the row was decided, changed or removed meanwhile. */
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

interface ConfirmOnlyProps<Row extends { _id: string }> extends DecisionProps<Row> {
  /** An endpoint that takes only the row's id. */
  endpoint: Endpoint<NonNullable<(typeof approveKyc)['body']>, z.ZodMiniType<undefined>, Row>
  confirmLabel: string
  /** What the second factor confirms, in words, if the endpoint requires one. */
  what?: string
  /** Why it cannot be sent yet. */
  blocked?: string | undefined
  children: ReactNode
}

/** Confirms a decision that has no fields. */
export function ConfirmOnly<Row extends { _id: string }>(props: ConfirmOnlyProps<Row>) {
  const { row, endpoint, confirmLabel, what, blocked, onDecided, onOvertaken, onCancel, children } = props
  const [wasBlocked, setBlocked] = useState(false)
  const { shell } = useEndpointForm({
    endpoint,
    params: { id: row._id },
    bodyOf: () => ({}),
    ...(what !== undefined && { send: withFactor(endpoint, what) }),
    failures: 'form',
    onDone: onDecided,
    onFailure: ifOvertaken(onOvertaken),
  })
  return (
    <Form
      {...shell}
      onSubmit={(event) => {
        if (blocked === undefined) return shell.onSubmit(event)
        event.preventDefault()
        setBlocked(true)
      }}
      formError={wasBlocked && blocked !== undefined ? blocked : shell.formError}
      submitLabel={confirmLabel}
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      {/* Takes the focus, so that screen readers read it before the button. */}
      <div className={styles.summary} tabIndex={-1} data-read-first>
        {children}
      </div>
    </Form>
  )
}

/** Leaves a form. Hidden while the form is being sent. */
export function CancelButton({ hidden = false, onClick }: { hidden?: boolean; onClick: () => void }) {
  return hidden ? null : (
    <Button variant="quiet" onClick={onClick}>
      Cancel
    </Button>
  )
}
