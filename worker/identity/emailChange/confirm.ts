import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { confirmEmailChange } from '../../../src/contract/identity/emailChange.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { findDatabaseRefusal, isConstraintError, refuse } from '../../lib/errors.ts'
import { emailChanges, users } from '../../lib/tables/people.ts'
import { distrust } from '../credentials/distrust.ts'
import { buildEmailChangedMails } from './mails.ts'

type ConfirmCall = PublicCallOf<typeof confirmEmailChange>

const DONE: Message = { msg: 'Thank you. Your e-mail address was changed. Please sign in with the new one.' }
const HALF_CONFIRMED: Message = {
  msg: 'Thank you. The e-mail address changes as soon as the other mailbox confirms it.',
}

/**
 * Confirms a change of address for the mailbox that got the token, in either order. The second confirmation changes the
 * address. A repeated call returns the current state. Refuses `invalid_token` for a wrong, expired or cancelled token, and for
 * an address that another account took meanwhile.
 */
export async function confirmChange(call: ConfirmCall): Promise<Answer<Message>> {
  const hash = await sha256Hex(call.body.token)
  const found = await findChange(call, hash)
  if (found === null) return refuse('invalid_token')
  if (found.completedAt !== null) return ok(DONE)
  if (found.frozenAt !== null) refuse('account_frozen')
  // The statement returns both confirmations, so the later of two parallel calls sees both.
  if (!(await recordConfirmation(call, found.id, hash))) return ok(HALF_CONFIRMED)
  await applyEmailChange(call, found)
  return ok(DONE)
}

async function findChange({ db, nowMs }: ConfirmCall, hash: string) {
  const [found] = await db
    .select({
      id: emailChanges.id,
      userId: emailChanges.userId,
      sessionId: emailChanges.sessionId,
      oldEmail: emailChanges.oldEmail,
      newEmail: emailChanges.newEmail,
      completedAt: emailChanges.completedAt,
      role: users.role,
      displayName: users.displayName,
      frozenAt: users.frozenAt,
    })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(
      and(
        or(eq(emailChanges.oldTokenHash, hash), eq(emailChanges.newTokenHash, hash)),
        gt(emailChanges.expiresAt, nowMs),
        or(isNull(emailChanges.endedAt), sql`${emailChanges.completedAt} IS NOT NULL`),
      ),
    )
  return found ?? null
}

type FoundChange = NonNullable<Awaited<ReturnType<typeof findChange>>>

/** Records the confirmation of one mailbox, and returns whether both have confirmed. */
async function recordConfirmation({ db, nowMs }: ConfirmCall, id: string, hash: string): Promise<boolean> {
  const setConfirmedAtSql = (side: 'old' | 'new') => {
    const [token, at] =
      side === 'old'
        ? [emailChanges.oldTokenHash, emailChanges.oldConfirmedAt]
        : [emailChanges.newTokenHash, emailChanges.newConfirmedAt]
    return sql`CASE WHEN ${token} = ${hash} THEN coalesce(${at}, ${nowMs}) ELSE ${at} END`
  }
  const [kept] = await db
    .update(emailChanges)
    .set({ oldConfirmedAt: setConfirmedAtSql('old'), newConfirmedAt: setConfirmedAtSql('new') })
    .where(eq(emailChanges.id, id))
    .returning({ oldAt: emailChanges.oldConfirmedAt, newAt: emailChanges.newConfirmedAt })
  return kept !== undefined && kept.oldAt !== null && kept.newAt !== null
}

async function applyEmailChange(call: ConfirmCall, change: FoundChange): Promise<void> {
  const { env, nowMs } = call
  const { id, userId, oldEmail, newEmail, role, displayName } = change
  try {
    await call.commit({
      statements: [
        // A trigger allows this once, before expiry, and never on a frozen account.
        sql`UPDATE email_changes SET completed_at = ${nowMs}, ended_at = ${nowMs} WHERE id = ${id}`,
        sql`UPDATE users SET email = ${newEmail}, email_verified_at = ${nowMs} WHERE id = ${userId}`,
        sql`UPDATE contact_messages SET email = ${newEmail} WHERE investor = ${userId}`,
        ...distrust({ userId, cause: 'email_changed', keepSession: change.sessionId, nowMs }),
      ],
      audit: [{ action: 'email.changed', subject: userId }],
      mails: await buildEmailChangedMails(
        env,
        { owner: { id: userId, role, displayName }, oldEmail, newEmail },
        nowMs,
      ),
    })
  } catch (error) {
    // Another call completed it a moment earlier.
    if (findDatabaseRefusal(error)?.code === 'already_decided') return
    if (isConstraintError(error, 'UNIQUE', 'users.email')) refuse('invalid_token')
    throw error
  }
}
