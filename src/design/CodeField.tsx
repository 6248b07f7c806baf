import type { ComponentPropsWithRef } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export type CodeFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'inputMode' | 'autoComplete'> & {
    /** `digits` brings up the number pad; `text` is for where a recovery code is taken as well. */
    kind?: 'digits' | 'text'
  }

/** A code that was sent or generated, in one field that phones and password managers can fill in. */
export function CodeField({ label, hint, error, optional, id, kind = 'digits', ...input }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} id={id}>
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
          className={classes(styles.control, styles.code)}
        />
      )}
    </Field>
  )
}
