import type { OperatorScope, Scope } from '../../src/contract/endpoint.ts'
import type { Actor } from './actor.ts'
import { refuse } from './errors.ts'

type Role = 'reviewer' | 'treasurer' | 'administrator' | 'auditor'

const READS = (scope: OperatorScope) => scope.endsWith('.read') || scope === 'operator:overview'

const GRANTS: Record<Role, (scope: OperatorScope) => boolean> = {
  reviewer: (scope) =>
    READS(scope) ||
    scope === 'operator:kyc.decide' ||
    scope === 'operator:kyc.keys' ||
    scope === 'operator:messages.write',
  treasurer: (scope) =>
    READS(scope) ||
    scope === 'operator:deposits.decide' ||
    scope === 'operator:withdrawals.decide' ||
    scope.startsWith('operator:proposals.'),
  administrator: (scope) =>
    READS(scope) ||
    scope === 'operator:settings.write' ||
    scope === 'operator:investors.write' ||
    scope === 'operator:wallets.write' ||
    scope === 'operator:kyc.keys' ||
    scope.startsWith('operator:proposals.'),
  auditor: READS,
}

export const ALL_ROLES = Object.keys(GRANTS) as Role[]

/** Refuses an actor whom the scope does not let in: an operator needs a second factor and a role that grants it. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (scope === 'public' || scope === 'signed-in') return
  if (actor.role !== 'operator') refuse('forbidden')
  if (!actor.twoFactor) refuse('two_factor_not_enabled')
  const roles = actor.operatorRoles.split(' ').filter((role): role is Role => role in GRANTS)
  if (!roles.some((role) => GRANTS[role](scope))) refuse('forbidden')
}
