import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'
import { FieldNotes, type FieldProps, getControlAttributes } from './Field.tsx'

export interface RadioOption {
  value: string
  label: string
  hint?: ReactNode
  disabled?: boolean
}

export type RadioGroupProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'value' | 'defaultValue' | 'checked'> & {
    name: string
    options: readonly RadioOption[]
    /** Makes the group controlled. Omit it if form field props are spread on the group. */
    value?: string
  }

export function RadioGroup(props: RadioGroupProps) {
  const { label, hint, error, optional, options, value, disabled, ...input } = props
  const id = useId()
  const { id: _, ...described } = getControlAttributes(id, hint, error)
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </legend>
      <div className={joinClasses(styles.cards, options.some(isLong) && styles.long)}>
        {options.map((option) => (
          <label key={option.value} className={joinClasses(styles.choice, styles.card)}>
            <input
              {...input}
              {...described}
              type="radio"
              value={option.value}
              disabled={option.disabled}
              {...(value === undefined ? {} : { checked: value === option.value })}
            />
            <span>
              {option.label}
              {option.hint && <span className={styles.choiceHint}>{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes controlId={id} hint={hint} error={error} />
    </fieldset>
  )
}

/** Side by side, two such cards would wrap their labels into many lines on a phone. */
function isLong({ label }: RadioOption): boolean {
  return label.length > 12
}
