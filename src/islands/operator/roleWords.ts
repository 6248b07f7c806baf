import type { OperatorScope } from '../../contract/endpoint.ts'
import { ROLES_OF, type Role } from '../../contract/operator/roles.ts'

/** Which role is missing, as a sentence: "Needs the reviewer’s or the administrator’s role." */
export function neededRole(scope: OperatorScope): string {
  return `Needs ${ROLES_OF[scope].map((role) => `the ${role}’s`).join(' or ')} role.`
}

/** "reviewer and auditor". */
export function rolesInWords(roles: readonly Role[]): string {
  return roles.join(' and ')
}
