import type { ComponentPropsWithRef } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export type TextFieldProps = FieldProps & ComponentPropsWithRef<'input'>

/** A one-line text field. Set `type`, `autoComplete` and `inputMode` for what is asked; a field of a form is spread on it. */
export function TextField({ label, hint, error, optional, id, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} id={id}>
      {(control) => (
        <input type="text" {...input} {...control} className={classes(styles.control, className)} />
      )}
    </Field>
  )
}
