import type { Scope } from '../../src/contract/endpoint.ts'
import { type OperatorScope, parseRoles, ROLES_OF, type Role } from '../../src/contract/roles.ts'
import { refuse } from '../lib/errors.ts'
import { type Actor, assertRule, RULES } from './actor.ts'
import type { ActorCall } from './call.ts'

/** Refuses an actor outside the scope. An operator needs a second factor and a role that grants the scope. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (scope === 'public' || scope === 'signed-in' || scope === 'signed-in-or-key') return
  if (scope === 'monitoring' || actor.role !== 'operator') refuse('forbidden')
  if (!actor.twoFactor) refuse('two_factor_not_enabled')
  assertRole(actor, ROLES_OF[scope] ?? [])
}

/** Refuses an operator without any of these roles. */
export function assertRole(actor: RoleHolder, roles: readonly Role[]): void {
  if (!hasRole(actor, roles)) refuse('forbidden')
}

type RoleHolder = Pick<Actor, 'operatorRoles'>

/** Whether an operator has one of these roles. */
export function hasRole({ operatorRoles }: RoleHolder, roles: readonly Role[]): boolean {
  return parseRoles(operatorRoles).some((role) => roles.includes(role))
}

/** Whether one of an operator's roles grants the scope. */
export function hasScope(operator: RoleHolder, scope: OperatorScope): boolean {
  return hasRole(operator, ROLES_OF[scope])
}

/** Refuses operators: they have no account books, and no operator may decide on their own requests. */
export async function requireInvestor({ actor }: ActorCall): Promise<null> {
  assertRule(actor, RULES.investor)
  return null
}
