import { useCallback } from 'react'
import { formatUsd } from '../contract/money.ts'
import { readAmount } from '../contract/typedAmounts.ts'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps, type TypedInputProps } from './Field.tsx'
import { typeText, useTypedControl } from './typedControl.ts'

export type MoneyFieldProps = FieldProps &
  TypedInputProps & {
    /** The unit after the number. */
    unit?: string
    /** The sign before the number; null for none. */
    sign?: string | null
    /** The most decimals of an amount. */
    decimals?: number
  }

/**
 * An amount as typed text: a number input would round it and accept exponents. Its value is as the contract takes it, `1500.50`. If
 * the text is written otherwise, the field says what it understood, or asks.
 */
export function MoneyField(props: MoneyFieldProps) {
  const { label, hint, error, optional, id, ref, onChange, ...more } = props
  const { unit = 'USD', sign = '$', decimals = 2, ...attributes } = more
  const read = useCallback(
    (typed: string) => readAmount(typed, { decimals, unit }).amount ?? typed.trim(),
    [decimals, unit],
  )
  const { attributes: input, typed } = useTypedControl(ref, read, onChange)
  const { amount, choices } = readAmount(typed, { decimals, unit })
  const format = (amount: string) => (unit === 'USD' ? formatUsd(Number(amount)) : `${amount} ${unit}`)
  const isAsking = choices.length > 0
  return (
    <Field
      label={label}
      hint={hint}
      error={error && isAsking ? 'Please choose the amount that you mean' : error}
      optional={optional}
      id={id}
    >
      {(control) => (
        <>
          <div className={styles.beside}>
            {sign !== null && (
              <span className={styles.prefix} aria-hidden="true">
                {sign}
              </span>
            )}
            <input
              autoComplete="off"
              {...attributes}
              {...control}
              {...input}
              type="text"
              inputMode="decimal"
              className={joinClasses(styles.control, styles.number)}
            />
            <span className={styles.suffix} aria-hidden="true">
              {unit}
            </span>
          </div>
          <div aria-live="polite" className={styles.understood}>
            {amount !== null && amount !== typed.trim() && (
              <p>
                We read this as <strong className="number">{format(amount)}</strong>
              </p>
            )}
            {isAsking && (
              <p className="row">
                <span>Do you mean</span>
                {choices.map((choice) => (
                  <Button
                    key={choice}
                    size="small"
                    onClick={() => {
                      if (input.ref.current === null) return
                      typeText(input.ref.current, choice)
                      // The button is gone now.
                      input.ref.current.focus()
                    }}
                  >
                    {format(choice)}
                  </Button>
                ))}
              </p>
            )}
          </div>
        </>
      )}
    </Field>
  )
}
