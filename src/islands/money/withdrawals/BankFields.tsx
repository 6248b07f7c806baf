import { SelectField } from '../../../design/SelectField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from './BankFields.module.css'
import { BANK_FIELDS, type BankName } from './bankFields.ts'

/** Whom and which account an online service pays, in the groups of the contract. */
export function BankFields({ field }: { field: (name: BankName) => FieldAttributes }) {
  return BANK_FIELDS.map(({ title, hint, fields }) => (
    <fieldset key={title} className={styles.group}>
      <legend>{title}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div className={styles.fields}>
        {fields.map(({ name, options, ...words }) =>
          options ? (
            <SelectField key={name} options={options} placeholder="Choose" {...words} {...field(name)} />
          ) : (
            <TextField key={name} autoComplete="off" {...words} {...field(name)} />
          ),
        )}
      </div>
    </fieldset>
  ))
}
