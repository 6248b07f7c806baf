import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { FieldNotes, getControlAttributes } from './Field.tsx'
import styles from './Switch.module.css'

export type SwitchProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'role' | 'checked'> & {
  checked: boolean
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** The change is being saved: the switch keeps its focus and ignores clicks until then. */
  busy?: boolean
}

/**
 * A switch that takes effect immediately. Controlled by `checked` and `onChange`: it shows the saved state, not the
 * requested one.
 */
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
          {...getControlAttributes(controlId, hint, error)}
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
      {/* Errors follow a click on the focused switch, so they are announced immediately. */}
      <div className={styles.notes} aria-live="polite">
        <FieldNotes controlId={controlId} hint={hint} error={error} />
      </div>
    </div>
  )
}
