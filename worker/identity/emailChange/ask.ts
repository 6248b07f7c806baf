import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { requestEmailChange } from '../../../src/contract/identity/emailChange.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { generateToken, newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { isConstraintError, refuse, refuseField } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { emailChanges } from '../../lib/tables/people.ts'
import { cancelPendingEmailChange } from '../credentials/distrust.ts'
import { type MailAllowance, takeMailAllowance } from '../credentials/mailAllowance.ts'
import { checkPassword, type TryOutcome } from '../credentials/tries.ts'
import { buildAddressTakenMail, buildConfirmNewMail, buildConfirmOldMail, type Change } from './mails.ts'

type RequestCall = CallOf<typeof requestEmailChange>

const LIFE_MS = DAY_MS
/** Keeps users from flooding a stranger's mailbox. */
const MAILS_TO_NEW: MailAllowance = { name: 'mail-email-change', max: 5, windowMs: LIFE_MS }

const ANSWER: Message = {
  msg: 'We sent a link to your current and to your new address. The address changes once you confirm both within 24 hours.',
}

interface PasswordRow {
  readonly hash: string
  /** Whether an account has the new address. */
  readonly isTaken: 0 | 1
}

/**
 * Requests a change of e-mail address. Both mailboxes get a link, and a pending earlier change is cancelled. If the new
 * address has an account, its owner gets a notice instead, and the answer stays the same. Refuses a wrong password, and
 * operators, whose address another operator changes.
 */
export async function requestChange(call: RequestCall): Promise<Answer<Message>> {
  const { actor, env, body } = call
  if (actor.role === 'operator') refuse('forbidden')
  if (body.email === actor.email) refuseField('email', 'This is already your address')
  const attempt = await checkPassword<PasswordRow>(
    call,
    body.password,
    env.DB.prepare(
      `SELECT password_hash AS hash, EXISTS (SELECT 1 FROM users WHERE email = ?2) AS isTaken
       FROM users WHERE id = ?1`,
    ).bind(actor.id, body.email),
  )
  await open(call, attempt)
  return ok(ANSWER)
}

async function open(call: RequestCall, attempt: TryOutcome & { readonly row: PasswordRow }): Promise<void> {
  const { hash, isTaken } = attempt.row
  const { actor, db, env, nowMs, body } = call
  const change: Change = { owner: actor, oldEmail: actor.email, newEmail: body.email }
  const [oldToken, newToken] = [generateToken(32), generateToken(32)]
  const mails: Mail[] = [await buildConfirmOldMail(env, change, oldToken, nowMs)]
  if (await takeMailAllowance(call, await sha256Hex(body.email), MAILS_TO_NEW)) {
    mails.push(
      isTaken === 0
        ? buildConfirmNewMail(env, change, newToken)
        : buildAddressTakenMail(env, change.newEmail),
    )
  }
  try {
    await call.commit({
      statements: [
        ...attempt.passed(),
        cancelPendingEmailChange(actor.id, nowMs),
        db.insert(emailChanges).values({
          id: newId(),
          // NOT NULL aborts the batch if the password or the address changed after it was checked.
          userId: sql`(SELECT id FROM users WHERE id = ${actor.id} AND password_hash = ${hash} AND email = ${actor.email})`,
          sessionId: actor.session.id,
          oldEmail: change.oldEmail,
          newEmail: change.newEmail,
          oldTokenHash: await sha256Hex(oldToken),
          newTokenHash: await sha256Hex(newToken),
          createdAt: nowMs,
          expiresAt: nowMs + LIFE_MS,
        }),
      ],
      audit: [{ action: 'email.change_asked', subject: actor.id }],
      mails,
    })
  } catch (error) {
    if (isConstraintError(error, 'NOT NULL', 'email_changes.user_id')) return attempt.fail('wrong_password')
    throw error
  }
}
