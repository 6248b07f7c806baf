import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import styles from './Field.module.css'

/** What every field has: a label above it, a hint under it, its error next to it. */
export interface FieldProps {
  label: string
  hint?: ReactNode
  /** One sentence; while it is set the control is `aria-invalid` and tied to it. */
  error?: string | undefined
  /** Adds "(optional)" to the label, for forms in which most fields are required. */
  optional?: boolean
}

/** The ids and ARIA attributes that tie a control to its label, hint and error. */
export interface ControlAttributes {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** The frame around one control; `children` receives what to spread on the control itself. */
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
      {children(controlAttributes(controlId, hint, error))}
      <FieldNotes controlId={controlId} hint={hint} error={error} />
    </div>
  )
}

/** Hint and error under a control, with the ids that `controlAttributes` points at. */
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

export function controlAttributes(id: string, hint: ReactNode, error: string | undefined): ControlAttributes {
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined }
}
