import { desc, eq, lt, sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/operators.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { acceptInvitation as endpoint } from '../../../src/contract/identity/registration.ts'
import { rolesIn } from '../../../src/contract/roles.ts'
import { type ActorCall, type CheckedCall, created, ok, publicRoute, routeOf } from '../../http/call.ts'
import { iso, isoOrNull } from '../../http/paging.ts'
import { refuseGuessable } from '../../identity/credentials/refuseGuessable.ts'
import { newReferralCode } from '../../identity/signIn/register.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refusalOfDatabase, refuse, violates } from '../../lib/errors.ts'
import { foldedNames } from '../../lib/foldName.ts'
import { operatorInvitations, proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { queue } from '../cases/queue.ts'
import { joinedMail } from './mails.ts'

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

export const { route: listInvitations } = queue(contract.listInvitations, {
  read: (call, after, rows) =>
    readInvitations(call)
      .where(after === null ? undefined : lt(operatorInvitations.seq, after.seq))
      .orderBy(desc(operatorInvitations.seq))
      .limit(rows),
  row: (facts, { nowMs }) => invitationRow(facts, nowMs),
})

async function loadInvitation(call: ActorCall): Promise<InvitationFacts> {
  const [found] = await readInvitations(call).where(eq(operatorInvitations.id, call.params.id ?? ''))
  return found ?? refuse('not_found')
}

/** Invalidates the link of an open invitation. */
export const withdrawInvitation = routeOf(
  contract.withdrawInvitation,
  loadInvitation,
  async (call, facts) => {
    const { db, nowMs } = call
    const { invitation } = facts
    const status = statusOf(facts, nowMs)
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
      answer: ok(invitationRow({ ...facts, invitation: { ...invitation, expiresAt: nowMs } }, nowMs)),
    })
  },
)

function invitationRow(facts: InvitationFacts, nowMs: number): contract.InvitationRow {
  const { id, email, name, roles, createdAt, expiresAt } = facts.invitation
  return {
    _id: id,
    email,
    name,
    roles: rolesIn(roles),
    createdAt: iso(createdAt),
    status: statusOf(facts, nowMs),
    expiresAt: isoOrNull(expiresAt),
  }
}

function statusOf(
  { invitation, decision }: InvitationFacts,
  nowMs: number,
): contract.InvitationRow['status'] {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (decision === 'pending') return 'awaiting'
  return invitation.expiresAt !== null && nowMs < invitation.expiresAt ? 'open' : 'expired'
}

type AcceptCall = CheckedCall<BodyOf<typeof endpoint>, undefined>

interface Invitation {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: string
}

/**
 * Opens an operator's account with the mailed link, which proves the mailbox, and a chosen password. Starts no session, and
 * operator routes stay closed until a second factor is on. Answers `invalid_token` for a link that is wrong, used, expired or
 * withdrawn.
 */
export const acceptInvitation = publicRoute(endpoint, async (call) => {
  const { db, nowMs, body } = call
  const [invitation] = await db.all<Invitation>(sql`
      SELECT id, email, name, roles FROM operator_invitations
      WHERE token_hash = ${await sha256Hex(body.token)} AND accepted_at IS NULL AND expires_at > ${nowMs}`)
  if (invitation === undefined) return refuse('invalid_token')
  refuseGuessable('password', body.password, [invitation.name, invitation.email])
  await open(call, invitation, await hashPassword(body.password))
  return created({ msg: 'Your account is open. Sign in and turn on a second factor.' })
})

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
          ...foldedNames({ fullname: name, displayName: name }),
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
      mails: [joinedMail(env, invitation)],
    })
  } catch (error) {
    if (violates(error, 'UNIQUE', 'users.email'))
      refuse('conflict', {
        msg: 'This address now has another account. Please ask for another invitation.',
      })
    // The owner's invitations end once two administrators can act.
    if (refusalOfDatabase(error)?.code === 'second_operator_required') refuse('invalid_token')
    throw error
  }
}
