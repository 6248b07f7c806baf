import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { noBody } from '../../../contract/console/cases.ts'
import { type Risk, riskReasonField } from '../../../contract/console/risk.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import { validateValues } from '../../lib/form.ts'
import styles from './cases.module.css'
import { withFactor } from './factor.tsx'
import { RISK_REASON_REFUSED, RiskReasonField } from './RiskReasonField.tsx'
import { KeyHint } from './shortcuts.tsx'

interface ConfirmedFormState<S extends z.ZodMiniType> extends EndpointForm<S> {
  /** Whether the summary stands below the fields, with one button for both. */
  isAtOnce: boolean
  /** The validated input that the summary shows; null while the fields are shown or invalid. */
  reviewed: z.input<S> | null
  /** Counts the validations that were asked for with Enter. */
  checks: number
  /** Validates the fields and leads to the summary. */
  review: FormProps['onSubmit']
  back: () => void
}

interface ConfirmedFormOptions<B extends z.ZodMiniType, A, S extends z.ZodMiniType>
  extends Omit<EndpointFormOptions<B, A, S>, 'explained' | 'failures'> {
  /** Called with the server's message if the row was decided, changed or removed meanwhile. */
  onOvertaken?: (msg: string) => void
  /** The fields that the summary shows while they are valid, below them: one step instead of two. */
  atOnce?: readonly (keyof z.input<S> & string)[]
}

/**
 * A form with a summary to confirm: in a second step, or below the fields (`atOnce`). A failure leads back to the fields. It
 * shows failures in the form, because it is used in dialogs.
 */
export function useConfirmedForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>({
  onOvertaken,
  atOnce,
  ...options
}: ConfirmedFormOptions<B, A, S>): ConfirmedFormState<S> {
  const [reviewed, setReviewed] = useState<{ values: z.input<S> } | null>(null)
  const [checks, setChecks] = useState(0)
  const form = useEndpointForm<B, A, S>({
    ...options,
    failures: 'form',
    explained: ['reference_used'],
    onFailure: (failure) => {
      setReviewed(null)
      if (failure.code === 'reference_used') form.form.setError('reference', { message: failure.msg })
      if (onOvertaken) createOvertakenHandler(onOvertaken)(failure)
      options.onFailure?.(failure)
    },
  })
  const typed = atOnce && Object.fromEntries(atOnce.map((name) => [name, form.form.watch(name)]))
  const isValid =
    typed && Object.keys(validateValues(options.schema ?? options.endpoint.body, typed)).length === 0
  return {
    ...form,
    isAtOnce: atOnce !== undefined,
    reviewed: atOnce ? (isValid ? (typed as z.input<S>) : null) : (reviewed?.values ?? null),
    checks,
    review: form.form.handleSubmit((values) =>
      atOnce ? setChecks((before) => before + 1) : setReviewed({ values }),
    ),
    back: () => setReviewed(null),
  }
}

/** An `onFailure` that calls `run` with the message if the row was decided, changed or removed meanwhile. */
export function createOvertakenHandler(run: (msg: string) => void): (failure: ApiFailure) => void {
  return ({ code, msg }) => {
    if (code === 'already_decided' || code === 'conflict' || code === 'not_found') run(msg)
  }
}

export interface ConfirmedFormProps<S extends z.ZodMiniType> {
  form: ConfirmedFormState<S>
  reviewLabel?: string
  /** The label of the button that sends: "Credit $500.00". */
  confirmLabel: string | ((values: z.input<S>) => string)
  /** Describes the effect of sending the form, with amounts and names. */
  summary: (values: z.input<S>) => ReactNode
  variant?: FormProps['submitVariant']
  /** Undefined if there is no view to go back to. */
  onCancel: (() => void) | undefined
  children: ReactNode
}

export function ConfirmedForm<S extends z.ZodMiniType>(props: ConfirmedFormProps<S>) {
  return props.form.isAtOnce ? <FormAtOnce {...props} /> : <FormInTwoSteps {...props} />
}

/**
 * Fields, the summary of valid ones, and one button that names its action. Enter moves from a field to the summary and
 * does not send the form: only the button does.
 */
function FormAtOnce<S extends z.ZodMiniType>(props: ConfirmedFormProps<S>) {
  const { form, confirmLabel, variant = 'primary', onCancel, children } = props
  const { reviewed, shell, checks } = form
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  useSubmitOnEnter(fields, ANY_FIELD, () => {
    isByKey.current = true
  })
  useEffect(() => {
    if (checks > 0) summary.current?.focus()
  }, [checks])
  const values = reviewed ?? ({} as z.input<S>)
  return (
    <Form
      onSubmit={(event) => {
        const isChecked = isByKey.current
        isByKey.current = false
        return isChecked ? form.review(event) : shell.onSubmit(event)
      }}
      pending={shell.pending}
      formError={shell.formError}
      restored={shell.restored}
      keepsDraft={shell.keepsDraft}
      submitLabel={typeof confirmLabel === 'string' ? confirmLabel : confirmLabel(values)}
      submitVariant={variant}
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      <div ref={fields} className="stack">
        {children}
      </div>
      {reviewed !== null && (
        <div ref={summary} className={styles.summary} tabIndex={-1}>
          {props.summary(reviewed)}
        </div>
      )}
    </Form>
  )
}

function FormInTwoSteps<S extends z.ZodMiniType>(props: ConfirmedFormProps<S>) {
  const { form, reviewLabel = 'Review', confirmLabel, variant = 'primary', onCancel } = props
  const { reviewed, shell } = form
  const { fields, summary, back } = useFocusBetween(reviewed !== null, form.back)
  const getConfirmLabel = (values: z.input<S>) =>
    typeof confirmLabel === 'string' ? confirmLabel : confirmLabel(values)
  return (
    <Form
      onSubmit={reviewed === null ? form.review : shell.onSubmit}
      pending={shell.pending}
      formError={reviewed === null ? shell.formError : null}
      restored={reviewed === null ? shell.restored : null}
      keepsDraft={shell.keepsDraft}
      submitLabel={reviewed === null ? reviewLabel : getConfirmLabel(reviewed)}
      submitVariant={variant}
      actions={
        shell.pending && reviewed !== null ? null : (
          <CancelButton
            onClick={reviewed === null ? onCancel : back}
            label={reviewed === null ? 'Cancel' : 'Change it'}
          />
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

const ANY_FIELD = 'input, textarea, select'

/**
 * Enter submits from fields that match, because only the summary follows. Shift+Enter starts a new line. In a letter
 * (`data-lines`) Enter does.
 * @param before runs before each such submit
 */
function useSubmitOnEnter(
  place: RefObject<HTMLElement | null>,
  fields: string,
  before: () => void = () => undefined,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, shiftKey, isComposing } = event
    if (key !== 'Enter' || shiftKey || isComposing) return
    if (!(target instanceof HTMLElement && target.matches(fields))) return
    if (target.dataset.lines !== undefined) return
    event.preventDefault()
    if (event.repeat) return
    before()
    target.closest('form')?.requestSubmit()
  })
  useEffect(() => {
    const element = place.current
    const handleKey = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', handleKey)
    return () => element?.removeEventListener('keydown', handleKey)
  }, [place])
}

/** Focuses the summary, so that a second Enter does not confirm it unread, and the first field on the way back. */
function useFocusBetween(isReviewed: boolean, leave: () => void) {
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const isGoingBack = useRef(false)
  useSubmitOnEnter(fields, 'textarea, select')
  useEffect(() => {
    if (isReviewed) summary.current?.focus()
    else if (isGoingBack.current) fields.current?.querySelector<HTMLElement>(ANY_FIELD)?.focus()
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
  /** Undefined if there is no view to go back to: the form is open from the start. */
  onCancel: (() => void) | undefined
}

interface ConfirmOnlyProps<Row extends { _id: string }> extends DecisionProps<Row> {
  /** An endpoint that takes only the row's id. */
  endpoint: Endpoint<typeof noBody, z.ZodMiniType<undefined>, Row>
  confirmLabel: string
  /** The action that the second factor confirms, in words, if the endpoint requires one. */
  what?: string
  /** Why it cannot be sent yet. */
  blocked?: string | undefined
  /** Of a case: a high one takes a reason. */
  risk?: Risk | undefined
  children: ReactNode
}

/** Confirms a decision that has no fields. */
export function ConfirmOnly<Row extends { _id: string }>(props: ConfirmOnlyProps<Row>) {
  const { row, endpoint, confirmLabel, what, blocked, risk, onDecided, onOvertaken, onCancel, children } =
    props
  const [wasBlocked, setBlocked] = useState(false)
  const { shell, field } = useEndpointForm({
    endpoint,
    schema: riskReason,
    params: { id: row._id },
    beside: RISK_REASON_REFUSED,
    // Only endpoints with a risk take the field, and only their forms show it.
    bodyOf: (values) => values as z.input<typeof noBody>,
    ...(what !== undefined && { send: withFactor(endpoint, what) }),
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
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
      <RiskReasonField risk={risk} {...field('riskReason')} />
    </Form>
  )
}

const riskReason = z.object({ riskReason: riskReasonField })

interface AtOnceProps<Row extends { _id: string }> extends DecisionProps<Row> {
  /** An endpoint that takes only the row's id. */
  endpoint: ConfirmOnlyProps<Row>['endpoint']
  label: string
  shortcut: string
  /** A reason to ask first, or null. The first click shows it, and a second click decides. */
  findObjection?: () => string | null
}

/** A decision in one click, for what can be undone with another. */
export function AtOnce<Row extends { _id: string }>(props: AtOnceProps<Row>) {
  const { row, endpoint, label, shortcut, findObjection, onDecided, onOvertaken } = props
  const [failure, setFailure] = useState<string | null>(null)
  const { busy, start } = useAction(async () => {
    setFailure(null)
    try {
      onDecided(await call(endpoint, { params: { id: row._id }, body: {}, quiet: true }))
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      setFailure(failure.msg)
      createOvertakenHandler(onOvertaken)(failure)
    }
  })
  const handleClick = () => {
    const objection = findObjection?.() ?? null
    if (objection === null || failure === objection) start()
    else setFailure(objection)
  }
  return (
    <>
      {/* The second click of a double click would decide the next case. */}
      <Button busy={busy} aria-keyshortcuts={shortcut} onClick={(event) => event.detail < 2 && handleClick()}>
        <span>{label}</span>
        <KeyHint of={shortcut.toUpperCase()} />
      </Button>
      {failure !== null && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
    </>
  )
}

interface CancelButtonProps {
  hidden?: boolean
  /** Without it there is no button. */
  onClick: (() => void) | undefined
  label?: string
}

/** Leaves a form. Hidden while the form is being sent. */
export function CancelButton({ hidden = false, onClick, label = 'Cancel' }: CancelButtonProps) {
  return hidden || onClick === undefined ? null : (
    <Button variant="quiet" onClick={onClick}>
      {label}
    </Button>
  )
}
