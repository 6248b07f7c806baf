import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES_OF, type Role } from '../../../contract/roles.ts'

/** "Needs the reviewer’s or the administrator’s role." */
export function neededRole(scope: OperatorScope): string {
  return neededOf(ROLES_OF[scope])
}

export function neededOf(roles: readonly Role[]): string {
  return `Needs ${roles.map((role) => `the ${role}’s`).join(' or ')} role.`
}

/** "reviewer and auditor". */
export function rolesInWords(roles: readonly Role[]): string {
  return roles.join(' and ')
}
