import type { Scope } from '../../src/contract/endpoint.ts'
import { parseRoles, ROLES_OF, type Role } from '../../src/contract/roles.ts'
import { refuse } from '../lib/errors.ts'
import { type Actor, assertRule, RULES } from './actor.ts'
import type { ActorCall } from './call.ts'

/** Refuses an actor outside the scope. An operator needs a second factor and a role that grants the scope. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (scope === 'public' || scope === 'signed-in') return
  if (actor.role !== 'operator') refuse('forbidden')
  if (!actor.twoFactor) refuse('two_factor_not_enabled')
  assertRole(actor, ROLES_OF[scope] ?? [])
}

/** Refuses an operator without any of these roles. */
export function assertRole(actor: Pick<Actor, 'operatorRoles'>, roles: readonly Role[]): void {
  if (!parseRoles(actor.operatorRoles).some((role) => roles.includes(role))) refuse('forbidden')
}

/** Refuses operators: they have no account books, and no operator may decide on their own requests. */
export async function requireInvestor({ actor }: ActorCall): Promise<null> {
  assertRule(actor, RULES.investor)
  return null
}
