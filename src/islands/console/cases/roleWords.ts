import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES_OF, type Role } from '../../../contract/roles.ts'

/** "Needs the role of reviewer or administrator." */
export function describeScopeRoles(scope: OperatorScope): string {
  return describeRequiredRoles(ROLES_OF[scope])
}

export function describeRequiredRoles(roles: readonly Role[]): string {
  return `Needs the role of ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(roles)}.`
}

/** "reviewer, treasurer and auditor". */
export function joinRoles(roles: readonly Role[]): string {
  return new Intl.ListFormat('en-GB').format(roles)
}
