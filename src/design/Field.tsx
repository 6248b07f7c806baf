import { CircleAlert } from 'lucide-react'
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'

/** Properties of every field. */
export interface FieldProps {
  label: string
  hint?: ReactNode
  /** One sentence; if set, the control is `aria-invalid` and refers to it. */
  error?: string | undefined
  /** Adds "(optional)" to the label. */
  optional?: boolean | undefined
}

/** The attributes that connect a control with its label, hint and error. */
export interface ControlAttributes {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** The frame around one control; `children` receives the control's attributes. */
export function Field({
  label,
  hint,
  error,
  optional,
  id,
  children,
}: FieldProps & { id?: string | undefined; children: (control: ControlAttributes) => ReactNode }) {
  const ownId = useId()
  const controlId = id ?? ownId
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={controlId}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {children(getControlAttributes(controlId, hint, error))}
      <FieldNotes controlId={controlId} hint={hint} error={error} />
    </div>
  )
}

/** Hint and error under a control, with the ids that `getControlAttributes` refers to. */
export function FieldNotes({
  controlId,
  hint,
  error,
}: {
  controlId: string
  hint: ReactNode
  error: string | undefined
}) {
  return (
    <>
      {hint && (
        <div className={styles.hint} id={`${controlId}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <div className={styles.error} id={`${controlId}-error`}>
          <CircleAlert aria-hidden="true" size={16} />
          <span>{error}</span>
        </div>
      )}
    </>
  )
}

export function getControlAttributes(
  id: string,
  hint: ReactNode,
  error: string | undefined,
): ControlAttributes {
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined }
}

export type TextFieldProps = FieldProps & ComponentPropsWithRef<'input'>

/** A one-line text field. Set `type`, `autoComplete` and `inputMode` to match. */
export function TextField({ label, hint, error, optional, id, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <input type="text" {...input} {...control} className={joinClasses(styles.control, className)} />
      )}
    </Field>
  )
}

export type TextAreaProps = FieldProps & ComponentPropsWithRef<'textarea'>

export function TextArea({ label, hint, error, optional, id, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <textarea rows={5} {...area} {...control} className={joinClasses(styles.control, styles.area)} />
      )}
    </Field>
  )
}

export type CodeFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'inputMode' | 'autoComplete'> & {
    /** `digits` opens the number pad; `text` also allows recovery codes. */
    kind?: 'digits' | 'text'
  }

/** A mailed or generated code, in one field that phones and password managers can fill in. */
export function CodeField({ label, hint, error, optional, id, kind = 'digits', ...input }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...input}
          {...control}
          type="text"
          inputMode={kind === 'digits' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          className={joinClasses(styles.control, styles.code)}
        />
      )}
    </Field>
  )
}

export type MoneyFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'inputMode'> & {
    /** The unit after the number. */
    unit?: string
    /** The sign before the number; null for none. */
    sign?: string | null
  }

/** An amount as typed text: a number input would round it and accept exponents. */
export function MoneyField(props: MoneyFieldProps) {
  const { label, hint, error, optional, id, unit = 'USD', sign = '$', ...input } = props
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <div className={styles.beside}>
          {sign !== null && (
            <span className={styles.prefix} aria-hidden="true">
              {sign}
            </span>
          )}
          <input
            autoComplete="off"
            {...input}
            {...control}
            type="text"
            inputMode="decimal"
            className={joinClasses(styles.control, styles.number)}
          />
          <span className={styles.suffix} aria-hidden="true">
            {unit}
          </span>
        </div>
      )}
    </Field>
  )
}

export type CheckboxFieldProps = Omit<ComponentPropsWithRef<'input'>, 'type'> & {
  /** May contain links, which do not tick the box. */
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

export function CheckboxField({ label, hint, error, id, ...input }: CheckboxFieldProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  return (
    <div className={styles.field}>
      <label className={styles.choice} htmlFor={controlId}>
        <input {...input} {...getControlAttributes(controlId, hint, error)} type="checkbox" />
        <span>{label}</span>
      </label>
      <FieldNotes controlId={controlId} hint={hint} error={error} />
    </div>
  )
}
