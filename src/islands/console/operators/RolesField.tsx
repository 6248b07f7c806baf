import type { Role } from '../../../contract/console/roles.ts'
import { ROLES } from '../../../contract/console/roles.ts'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from './RolesField.module.css'
import { ROLE_NAMES, ROLE_SENTENCES } from './words.ts'

/** The roles as boxes, each with what it lets somebody do. */
export function RolesField({ field }: { field: (role: Role) => FieldAttributes }) {
  return (
    <fieldset className={styles.roles}>
      <legend className={styles.legend}>Roles</legend>
      {ROLES.map((role) => (
        <CheckboxField
          key={role}
          {...field(role)}
          label={ROLE_NAMES[role]}
          hint={<span className={styles.hint}>{ROLE_SENTENCES[role]}</span>}
        />
      ))}
    </fieldset>
  )
}
