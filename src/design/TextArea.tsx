import type { ComponentPropsWithRef } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export type TextAreaProps = FieldProps & ComponentPropsWithRef<'textarea'>

/** A field for several lines of text. */
export function TextArea({ label, hint, error, optional, id, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} id={id}>
      {(control) => (
        <textarea rows={5} {...area} {...control} className={classes(styles.control, styles.area)} />
      )}
    </Field>
  )
}
