import { desc, eq, lt } from 'drizzle-orm'
import type { InvitationRow } from '../../../src/contract/console/operators.ts'
import { rolesIn } from '../../../src/contract/console/roles.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { refuse } from '../../lib/errors.ts'
import { operatorInvitations, proposals } from '../../lib/tables/operators.ts'

/** How long an invitation's link works. The database knows the same three days. */
export const INVITATION_MS = 72 * 3_600_000

interface InvitationFacts {
  readonly invitation: typeof operatorInvitations.$inferSelect
  /** Of the proposal; null for the owner's, which has none. */
  readonly decision: 'pending' | 'approved' | 'rejected' | null
}

function readInvitations({ db }: ActorCall) {
  return db
    .select({ invitation: operatorInvitations, decision: proposals.status })
    .from(operatorInvitations)
    .leftJoin(proposals, eq(proposals.id, operatorInvitations.proposal))
}

/** Invitations, newest first. */
export async function listInvitations(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<InvitationRow[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const found: InvitationFacts[] = await readInvitations(call)
    .where(after === null ? undefined : lt(operatorInvitations.seq, after.seq))
    .orderBy(desc(operatorInvitations.seq))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ invitation }) => ({ at: 0, seq: invitation.seq }))
  return ok(
    rows.map((facts) => invitationRow(facts, call.nowMs)),
    headers,
  )
}

/** The invitation that `:id` names. */
export async function loadInvitation(call: ActorCall): Promise<InvitationFacts> {
  const [found] = await readInvitations(call).where(eq(operatorInvitations.id, call.params.id ?? ''))
  return found ?? refuse('not_found')
}

/** Makes an open invitation's link worthless. */
export async function withdrawInvitation(
  call: ActorCall,
  { invitation, decision }: InvitationFacts,
): Promise<Answer<InvitationRow>> {
  const { db, nowMs } = call
  const status = statusOf({ invitation, decision }, nowMs)
  if (status === 'awaiting')
    refuse('already_decided', { msg: 'Nothing was mailed yet: reject the proposal instead.' })
  if (status !== 'open') refuse('already_decided', { msg: 'This invitation is not open any more.' })
  const answer = ok(invitationRow({ invitation: { ...invitation, expiresAt: nowMs }, decision }, nowMs))
  await call.commit({
    statements: [
      db
        .update(operatorInvitations)
        .set({ expiresAt: nowMs })
        .where(eq(operatorInvitations.id, invitation.id)),
    ],
    audit: [{ action: 'operator.invitation_withdrawn', subject: invitation.id }],
    answer,
  })
  return answer
}

function invitationRow(facts: InvitationFacts, nowMs: number): InvitationRow {
  const { id, email, name, roles, createdAt, expiresAt } = facts.invitation
  return {
    _id: id,
    email,
    name,
    roles: rolesIn(roles),
    createdAt: iso(createdAt),
    status: statusOf(facts, nowMs),
    expiresAt: expiresAt === null ? null : iso(expiresAt),
  }
}

function statusOf({ invitation, decision }: InvitationFacts, nowMs: number): InvitationRow['status'] {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (decision === 'pending') return 'awaiting'
  return invitation.expiresAt !== null && nowMs < invitation.expiresAt ? 'open' : 'expired'
}
