import type { ComponentPropsWithRef } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export type MoneyFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'inputMode'> & {
    /** The unit after the number; "USD" unless a coin's quantity is asked for. */
    unit?: string
    /** The sign before the number; "$" by default, none when null. */
    sign?: string | null
  }

/** An amount, kept as the text that was typed: a number input would round it and take exponents. */
export function MoneyField(props: MoneyFieldProps) {
  const { label, hint, error, optional, id, unit = 'USD', sign = '$', ...input } = props
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} id={id}>
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
            className={classes(styles.control, styles.number)}
          />
          <span className={styles.suffix} aria-hidden="true">
            {unit}
          </span>
        </div>
      )}
    </Field>
  )
}
