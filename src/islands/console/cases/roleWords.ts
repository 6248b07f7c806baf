import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES_OF, type Role } from '../../../contract/roles.ts'

/** "Needs the reviewer’s or the administrator’s role." */
export function describeScopeRoles(scope: OperatorScope): string {
  return describeRequiredRoles(ROLES_OF[scope])
}

export function describeRequiredRoles(roles: readonly Role[]): string {
  return `Needs ${roles.map((role) => `the ${role}’s`).join(' or ')} role.`
}

/** "reviewer and auditor". */
export function joinRoles(roles: readonly Role[]): string {
  return roles.join(' and ')
}
