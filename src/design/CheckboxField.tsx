import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import styles from './Field.module.css'
import { controlAttributes, FieldNotes } from './Field.tsx'

export type CheckboxFieldProps = Omit<ComponentPropsWithRef<'input'>, 'type'> & {
  /** May hold links: they open without ticking the box. */
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** One box to tick, its label beside it. */
export function CheckboxField({ label, hint, error, id, ...input }: CheckboxFieldProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  return (
    <div className={styles.field}>
      <label className={styles.choice} htmlFor={controlId}>
        <input {...input} {...controlAttributes(controlId, hint, error)} type="checkbox" />
        <span>{label}</span>
      </label>
      <FieldNotes controlId={controlId} hint={hint} error={error} />
    </div>
  )
}
