import { Eye, EyeOff } from 'lucide-react'
import { type ComponentPropsWithRef, useState } from 'react'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export type PasswordFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'autoComplete'> & {
    /** Tells password managers to fill in or to suggest a password. */
    autoComplete: 'current-password' | 'new-password'
  }

/** A password field with a show/hide button. */
export function PasswordField({ label, hint, error, optional, id, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <div className={styles.beside}>
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={styles.control}
          />
          <button
            type="button"
            className={styles.reveal}
            aria-pressed={shown}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden="true" size={18} /> : <Eye aria-hidden="true" size={18} />}
            {/* As text, because an aria-label would match label queries for the field. */}
            <span className="visually-hidden">Show {label.toLowerCase()}</span>
          </button>
        </div>
      )}
    </Field>
  )
}
