import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/operators.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { acceptInvitation as endpoint } from '../../../src/contract/identity/registration.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import {
  type ActorCall,
  type CallOf,
  type CheckedCall,
  created,
  ok,
  type PublicCallOf,
} from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { refuseGuessable } from '../../identity/credentials/refuseGuessable.ts'
import { newReferralCode } from '../../identity/signIn/register.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { findDatabaseRefusal, isConstraintError, refuse } from '../../lib/errors.ts'
import { buildFoldedNames } from '../../lib/foldName.ts'
import { operatorInvitations, proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { buildJoinedMail } from './mails.ts'

/** How long an invitation's link works. A trigger checks the same three days. */
export const INVITATION_MS = 72 * 3_600_000

interface InvitationFacts {
  readonly seq: number
  readonly invitation: typeof operatorInvitations.$inferSelect
  /** The proposal's decision; null for the owner's own invitation, which has no proposal. */
  readonly decision: 'pending' | 'approved' | 'rejected' | null
}

function readInvitations({ db }: ActorCall) {
  return db
    .select({
      seq: sql<number>`${operatorInvitations.seq}`.as('position'),
      invitation: operatorInvitations,
      decision: proposals.status,
    })
    .from(operatorInvitations)
    .leftJoin(proposals, eq(proposals.id, operatorInvitations.proposal))
}

export const listInvitations = createQueue(contract.listInvitations, {
  read: (call, after, rows) =>
    readInvitations(call)
      .where(after === null ? undefined : lt(operatorInvitations.seq, after.seq))
      .orderBy(desc(operatorInvitations.seq))
      .limit(rows),
  row: (facts, { nowMs }) => toInvitationRow(facts, nowMs),
})

export async function loadInvitation(call: ActorCall): Promise<InvitationFacts> {
  const [found] = await readInvitations(call).where(eq(operatorInvitations.id, call.params.id ?? ''))
  return found ?? refuse('not_found')
}

/** Invalidates the link of an open invitation. */
export async function withdrawInvitation(
  call: CallOf<typeof contract.withdrawInvitation>,
  facts: InvitationFacts,
) {
  const { db, nowMs } = call
  const { invitation } = facts
  const status = deriveStatus(facts, nowMs)
  if (status === 'awaiting')
    refuse('already_decided', { msg: 'The invitation was not mailed yet. Reject its proposal instead.' })
  if (status !== 'open') refuse('already_decided', { msg: 'This invitation is no longer open.' })
  return call.commit({
    statements: [
      db
        .update(operatorInvitations)
        .set({ expiresAt: nowMs })
        .where(eq(operatorInvitations.id, invitation.id)),
    ],
    audit: [{ action: 'operator.invitation_withdrawn', subject: invitation.id }],
    answer: ok(toInvitationRow({ ...facts, invitation: { ...invitation, expiresAt: nowMs } }, nowMs)),
  })
}

function toInvitationRow(facts: InvitationFacts, nowMs: number): contract.InvitationRow {
  const { id, email, name, roles, createdAt, expiresAt } = facts.invitation
  return {
    _id: id,
    email,
    name,
    roles: parseRoles(roles),
    createdAt: toIso(createdAt),
    status: deriveStatus(facts, nowMs),
    expiresAt: toIsoOrNull(expiresAt),
  }
}

function deriveStatus(
  { invitation, decision }: InvitationFacts,
  nowMs: number,
): contract.InvitationRow['status'] {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (decision === 'pending') return 'awaiting'
  return invitation.expiresAt !== null && nowMs < invitation.expiresAt ? 'open' : 'expired'
}

type AcceptCall = CheckedCall<BodyOf<typeof endpoint>, undefined>

type Invitation = InvitationFacts['invitation']

/**
 * Opens an operator's account with the mailed link, which proves the mailbox, and a chosen password. Starts no session, and
 * operator routes stay closed until a second factor is on. Answers `invalid_token` for a link that is wrong, used, expired or
 * withdrawn.
 */
export async function acceptInvitation(call: PublicCallOf<typeof endpoint>) {
  const { db, nowMs, body } = call
  const { tokenHash, acceptedAt, expiresAt } = operatorInvitations
  const [invitation] = await db
    .select()
    .from(operatorInvitations)
    .where(and(eq(tokenHash, await sha256Hex(body.token)), isNull(acceptedAt), gt(expiresAt, nowMs)))
  if (invitation === undefined) return refuse('invalid_token')
  refuseGuessable('password', body.password, [invitation.name, invitation.email])
  await open(call, invitation, await hashPassword(body.password))
  return created({ msg: 'Your account is open. Sign in and turn on a second factor.' })
}

async function open(call: AcceptCall, invitation: Invitation, passwordHash: string): Promise<void> {
  const { db, env, nowMs } = call
  const { email, name, roles } = invitation
  const id = newId()
  try {
    await call.commit({
      statements: [
        db
          .update(operatorInvitations)
          .set({ acceptedAt: nowMs, operator: id })
          .where(eq(operatorInvitations.id, invitation.id)),
        db.insert(users).values({
          id,
          role: 'operator',
          operatorRoles: roles,
          email,
          fullname: name.toLowerCase(),
          displayName: name,
          ...buildFoldedNames({ fullname: name, displayName: name }),
          phone: '',
          country: '',
          passwordHash,
          emailVerifiedAt: nowMs,
          createdAt: nowMs,
          referralCode: newReferralCode(),
        }),
        openBooks(db, id),
      ],
      audit: [{ action: 'operator.joined', subject: id, detail: { invitation: invitation.id } }],
      mails: [buildJoinedMail(env, invitation)],
    })
  } catch (error) {
    if (isConstraintError(error, 'UNIQUE', 'users.email'))
      refuse('conflict', {
        msg: 'This address now has another account. Please ask for another invitation.',
      })
    // The owner's invitations end once two administrators can act.
    if (findDatabaseRefusal(error)?.code === 'second_operator_required') refuse('invalid_token')
    throw error
  }
}
