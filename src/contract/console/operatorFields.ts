import * as z from 'zod/mini'
import { emailField, optionalLines, requiredLines, requiredText } from '../fields.ts'
import { ROLES } from '../roles.ts'
import { REASON } from './cases.ts'

const ROLES_PROBLEM = `Please choose at least one role of ${ROLES.join(', ')}`

/** At least one role; without duplicates, in the order of `ROLES`. */
const rolesField = z.pipe(
  z
    .array(z.enum(ROLES, { error: ROLES_PROBLEM }), { error: ROLES_PROBLEM })
    .check(z.minLength(1, ROLES_PROBLEM), z.maxLength(20, ROLES_PROBLEM)),
  z.transform((chosen) => ROLES.filter((role) => chosen.includes(role))),
)

export const invitationFields = {
  email: emailField(),
  name: requiredText('Please give the name', 100),
  roles: rolesField,
  reason: optionalLines(500),
}
export const rolesFields = { roles: rolesField, reason: requiredLines(REASON, 500) }
