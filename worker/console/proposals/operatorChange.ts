import { sql } from 'drizzle-orm'
import type { OperatorAction, OperatorProposal } from '../../../src/contract/console/proposals.ts'
import { type Role, rolesIn } from '../../../src/contract/console/roles.ts'
import type { ActorCall } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Read, reading, readTogether, type Statement } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { operatorInvitations } from '../../lib/tables/operators.ts'
import { type OperatorFacts, readOperators, refuseOwn } from '../operators/operator.ts'
import type { ProposalFacts } from './proposal.ts'

/** What a proposal about an operator holds. */
export interface ProposedChange {
  readonly action: OperatorAction
  /** Separated by spaces. */
  readonly roles?: string
  readonly invitation?: string
}

/** A proposal to be made, and what is written with it. */
export interface Proposed {
  readonly facts: Pick<ProposalFacts, 'kind'> & Partial<ProposalFacts>
  readonly alongside?: (proposal: string) => readonly Statement[]
}

/** What an administrator proposes about an operator. Refuses one's own access, and what changes nothing. */
export function proposedChange(call: ActorCall, change: OperatorProposal): Promise<Proposed> {
  switch (change.action) {
    case 'invite':
      return invitation(call, change)
    case 'roles':
      return access(call, change, change.roles)
    case 'enable':
    case 'reset_factor':
      return access(call, change)
  }
}

type Of<Action extends OperatorAction> = Extract<OperatorProposal, { action: Action }>

async function invitation(call: ActorCall, change: Of<'invite'>): Promise<Proposed> {
  const { db, nowMs } = call
  const { email, name, reason } = change
  const [held, open] = await readTogether(
    db,
    reading<{ id: string }>(sql`SELECT id FROM users WHERE email = ${email}`),
    reading<{ id: string }>(sql`
      SELECT i.id FROM operator_invitations i LEFT JOIN proposals p ON p.id = i.proposal
      WHERE i.email = ${email} AND i.accepted_at IS NULL AND (p.status = 'pending' OR i.expires_at > ${nowMs})`),
  )
  if (held.length > 0)
    refuseField('email', 'This address has an account already. An operator’s account takes one of its own')
  if (open.length > 0) refuse('conflict', { msg: 'This address is invited already.' })
  const [id, roles] = [newId(), change.roles.join(' ')]
  return {
    facts: {
      ...factsOf({ action: 'invite', roles, invitation: id }, reason),
      operatorName: name,
      operatorEmail: email,
    },
    alongside: (proposal) => [
      db.insert(operatorInvitations).values({ id, proposal, email, name, roles, createdAt: nowMs }),
    ],
  }
}

async function access(
  call: ActorCall,
  { action, operator: id, reason }: Of<'roles' | 'enable' | 'reset_factor'>,
  roles?: readonly Role[],
): Promise<Proposed> {
  const [[operator], pending] = await readTogether(
    call.db,
    readOperators(sql`u.id = ${id}`, 1),
    pendingAbout(id),
  )
  if (operator === undefined) return refuseField('operator', 'There is no such operator')
  refuseOwn(call, id)
  refuseWithoutChange(operator, action, roles)
  if (pending.length > 0)
    refuse('conflict', { msg: 'A change of this operator awaits another administrator already.' })
  return {
    facts: {
      ...factsOf({ action, ...(roles && { roles: roles.join(' ') }) }, reason),
      operator: id,
      operatorName: operator.name,
      operatorEmail: operator.email,
    },
  }
}

function pendingAbout(id: string): Read<{ id: string }> {
  return reading(sql`SELECT p.id FROM proposals p WHERE p.operator = ${id} AND p.status = 'pending'`)
}

function refuseWithoutChange(operator: OperatorFacts, action: OperatorAction, roles?: readonly Role[]): void {
  if (action === 'roles' && rolesIn(operator.roles).join() === roles?.join())
    refuseField('roles', 'They have these roles already')
  if (action === 'enable' && operator.disabledAt === null)
    refuse('conflict', { msg: 'This operator is not disabled.' })
  if (action === 'reset_factor' && operator.twoFactor === 0)
    refuse('conflict', { msg: 'This operator has no second factor to take off.' })
}

function factsOf(change: ProposedChange, reason: string | undefined): Proposed['facts'] {
  return { kind: 'operator', payload: JSON.stringify(change), reason: reason ?? null }
}
