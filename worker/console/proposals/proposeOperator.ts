import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as changeOperators from '../../../src/contract/console/operators.ts'
import type { OperatorProposal } from '../../../src/contract/console/proposalBodies.ts'
import type { OperatorAction, Proposal } from '../../../src/contract/console/proposals.ts'
import { parseRoles, type Role } from '../../../src/contract/roles.ts'
import { type ActorCall, type Answer, accepted, type CallOf } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { operatorInvitations, proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { type OperatorFacts, readOperators, refuseOwn } from '../operators/operators.ts'
import { fileProposal, type NewProposal, readPendingProposals } from './proposal.ts'

export function inviteOperator(call: CallOf<typeof changeOperators.inviteOperator>) {
  return proposeChange(call, { kind: 'operator', action: 'invite', ...call.body })
}

export function changeRoles(call: CallOf<typeof changeOperators.changeRoles>, { id }: OperatorFacts) {
  return proposeChange(call, { kind: 'operator', action: 'roles', operator: id, ...call.body })
}

export function enableOperator(call: CallOf<typeof changeOperators.enableOperator>, { id }: OperatorFacts) {
  return proposeChange(call, { kind: 'operator', action: 'enable', operator: id, ...call.body })
}

/** Proposes to remove an operator's lost second factor. */
export function resetFactor(call: CallOf<typeof changeOperators.resetFactor>, { id }: OperatorFacts) {
  return proposeChange(call, { kind: 'operator', action: 'reset_factor', operator: id, ...call.body })
}

async function proposeChange(call: ActorCall, change: OperatorProposal): Promise<Answer<Proposal>> {
  return fileProposal(call, await proposeOperatorChange(call, change), accepted)
}

/** A proposal about an operator. Refuses the administrator's own access, and a change without effect. */
export function proposeOperatorChange(call: ActorCall, change: OperatorProposal): Promise<NewProposal> {
  switch (change.action) {
    case 'invite':
      return proposeInvitation(call, change)
    case 'roles':
      return proposeAccess(call, change, change.roles)
    case 'enable':
    case 'reset_factor':
      return proposeAccess(call, change)
  }
}

type Of<Action extends OperatorAction> = Extract<OperatorProposal, { action: Action }>

async function proposeInvitation(call: ActorCall, change: Of<'invite'>): Promise<NewProposal> {
  const { db, nowMs } = call
  const { email, name, reason } = change
  const [i, p] = [alias(operatorInvitations, 'i'), alias(proposals, 'p')]
  const [existing, open] = await readTogether(
    db,
    selectRows({ id: users.id }).from(users).where(eq(users.email, email)),
    selectRows({ id: i.id })
      .from(i)
      .leftJoin(p, eq(p.id, i.proposal))
      .where(
        sql`i.email = ${email} AND i.accepted_at IS NULL AND (p.status = 'pending' OR i.expires_at > ${nowMs})`,
      ),
  )
  if (existing.length > 0)
    refuseField('email', 'This address already has an account. An operator needs a separate address')
  if (open.length > 0) refuse('conflict', { msg: 'This address is already invited.' })
  const [id, roles] = [newId(), change.roles.join(' ')]
  return {
    kind: 'operator',
    payload: { action: 'invite', roles, invitation: id },
    reason: reason ?? null,
    operator: null,
    operatorName: name,
    operatorEmail: email,
    alongside: (proposal) => [
      db.insert(operatorInvitations).values({ id, proposal, email, name, roles, createdAt: nowMs }),
    ],
  }
}

async function proposeAccess(
  call: ActorCall,
  { action, operator: id, reason }: Of<'roles' | 'enable' | 'reset_factor'>,
  roles?: readonly Role[],
): Promise<NewProposal> {
  const [[operator], pending] = await readTogether(
    call.db,
    readOperators(sql`u.id = ${id}`, 1),
    readPendingProposals(sql`operator = ${id}`),
  )
  if (operator === undefined) return refuseField('operator', 'There is no such operator')
  refuseOwn(call, id)
  refuseWithoutChange(operator, action, roles)
  if (pending.length > 0) refuse('conflict', { msg: 'A change of this operator already awaits approval.' })
  return {
    kind: 'operator',
    payload: action === 'roles' ? { action, roles: roles?.join(' ') ?? '' } : { action },
    reason: reason ?? null,
    operator: id,
    operatorName: operator.name,
    operatorEmail: operator.email,
  }
}

function refuseWithoutChange(operator: OperatorFacts, action: OperatorAction, roles?: readonly Role[]): void {
  if (action === 'roles' && parseRoles(operator.roles).join() === roles?.join())
    refuseField('roles', 'They already have these roles')
  if (action === 'enable' && operator.disabledAt === null)
    refuse('conflict', { msg: 'This operator is not disabled.' })
  if (action === 'reset_factor' && operator.twoFactor === 0)
    refuse('conflict', { msg: 'This operator has no second factor to remove.' })
}
