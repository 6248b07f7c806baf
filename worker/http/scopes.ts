import type { Scope } from '../../src/contract/endpoint.ts'
import { parseRoles, ROLES_OF, type Role } from '../../src/contract/roles.ts'
import { refuse } from '../lib/errors.ts'
import { type Actor, RULES } from './actor.ts'
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
  if (createRoleRule(roles).breaks(actor)) refuse('forbidden')
}

/** The rule that an operator has one of these roles. */
export function createRoleRule(roles: readonly Role[]) {
  return {
    code: 'forbidden',
    breaks: ({ operatorRoles }: Pick<Actor, 'operatorRoles'>) =>
      !parseRoles(operatorRoles).some((role) => roles.includes(role)),
  } as const
}

/** Refuses operators: they have no account books, and no operator may decide on their own requests. */
export async function requireInvestor(call: ActorCall): Promise<null> {
  call.require(RULES.investor)
  return null
}
