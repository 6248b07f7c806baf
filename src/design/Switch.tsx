import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { controlAttributes, FieldNotes } from './Field.tsx'
import styles from './Switch.module.css'

export type SwitchProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'role' | 'checked'> & {
  checked: boolean
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** What was switched is being saved: it cannot be switched again until that has ended, and keeps the focus. */
  busy?: boolean
}

/** Something that is on or off and takes effect at once. Give `checked` and `onChange`: it shows what holds, not what was asked for. */
export function Switch({ label, hint, error, busy = false, id, checked, onChange, ...input }: SwitchProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label className={styles.label} htmlFor={controlId}>
          {label}
        </label>
        <input
          {...input}
          {...controlAttributes(controlId, hint, error)}
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          className={styles.track}
          aria-busy={busy || undefined}
          aria-disabled={busy || undefined}
          onChange={busy ? undefined : onChange}
          readOnly={busy || onChange === undefined}
        />
      </div>
      {/* What goes wrong comes of a press just now, with the focus on the switch: it is said at once. */}
      <div className={styles.notes} aria-live="polite">
        <FieldNotes controlId={controlId} hint={hint} error={error} />
      </div>
    </div>
  )
}
