import { ChevronDown } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { joinClasses } from './classes.ts'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

/** Options under a heading. */
export interface OptionGroup {
  label: string
  options: readonly Option[]
}

export type SelectFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'select'>, 'children' | 'multiple'> & {
    options: readonly (Option | OptionGroup)[]
    /** An empty first entry: "Choose a country". Without it the first option is selected. */
    placeholder?: string
  }

/** A native select, for short lists. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, optional, id, options, placeholder, ...select } = props
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id}>
      {(control) => (
        <div className={styles.selectFrame}>
          <select {...select} {...control} className={joinClasses(styles.control, styles.select)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) =>
              'options' in option ? (
                <optgroup key={option.label} label={option.label}>
                  {option.options.map(renderOption)}
                </optgroup>
              ) : (
                renderOption(option)
              ),
            )}
          </select>
          <ChevronDown aria-hidden="true" size={18} />
        </div>
      )}
    </Field>
  )
}

function renderOption({ value, label, disabled }: Option) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  )
}
