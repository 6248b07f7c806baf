import { CircleAlert } from 'lucide-react'
import { type ComponentPropsWithRef, type ReactNode, type Ref, useId } from 'react'
import { readCode, readPhone } from '../contract/typedText.ts'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'
import { type TypedControl, useTypedControl } from './typedControl.ts'

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

/** A field whose value is what was understood of the text that a person typed. */
export type TypedInputProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'inputMode' | 'ref'> & {
  ref?: Ref<TypedControl>
}

export type CodeFieldProps = FieldProps &
  Omit<TypedInputProps, 'autoComplete'> & {
    /** `digits` opens the number pad; `text` also allows recovery codes. */
    kind?: 'digits' | 'text'
  }

/**
 * A mailed or generated code, in one field that phones and password managers can fill in. Its value has the digits 0 to 9, whatever
 * script they were typed in.
 */
export function CodeField(props: CodeFieldProps) {
  const { label, hint, error, optional, id, kind = 'digits', ref, onChange, ...attributes } = props
  const { attributes: input } = useTypedControl(ref, readCode, onChange)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...attributes}
          {...control}
          {...input}
          type="text"
          inputMode={kind === 'digits' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          className={joinClasses(styles.control, styles.code)}
        />
      )}
    </Field>
  )
}

export type PhoneNumberFieldProps = FieldProps &
  TypedInputProps & {
    /** Understands more than `readPhone`: a stable function. The field shows what it understood. */
    read?: (typed: string) => string
  }

/** A phone number. Its value is as the contract takes it, also if the text has brackets, hyphens or invisible marks. */
export function PhoneNumberField(props: PhoneNumberFieldProps) {
  const { label, hint, error, optional, id, ref, read = readPhone, onChange, ...attributes } = props
  const { attributes: input, typed } = useTypedControl(ref, read, onChange)
  const understood = read(typed)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <>
          <input {...attributes} {...control} {...input} type="tel" className={styles.control} />
          <div aria-live="polite" className={styles.understood}>
            {understood !== readPhone(typed) && (
              <p>
                We read this as <strong className="number">{understood}</strong>
              </p>
            )}
          </div>
        </>
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
