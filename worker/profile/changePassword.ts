import { passwordChangedMail } from '../auth/mails.ts'
import { replacePassword } from '../auth/replacePassword.ts'
import { beginTry, countFailure, giveBack, passwordCounter, refuseTry } from '../auth/tries.ts'
import type { Effect } from '../lib/call.ts'
import { hashPassword, verifyPassword } from '../lib/crypto/password.ts'
import { runBatch } from '../lib/database.ts'
import { refuse, refuseField } from '../lib/errors.ts'
import type { ChangeCall } from './changeUserInfo.ts'

/**
 * The effect of a new password: every other session ends, its owner gets a mail. Refuses a wrong current password,
 * and after ten of them in 15 minutes any.
 */
export async function changePassword(call: ChangeCall): Promise<Effect> {
  const { actor, db, env, nowMs, body } = call
  if (!body.currentPassword) return refuseField('currentPassword', 'Please give your current password')
  if (!body.newPassword) return refuseField('newPassword', 'Please choose a new password')
  const { row, admission } = await beginTry<{ hash: string }>(
    env,
    [passwordCounter(actor.id)],
    env.DB.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(actor.id),
  )
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  if (row === null || !(await verifyPassword(body.currentPassword, row.hash))) {
    await runBatch(db, countFailure(db, admission.reserved))
    return refuse('wrong_password')
  }
  const passwordHash = await hashPassword(body.newPassword)
  return {
    statements: [
      ...giveBack(db, admission.reserved),
      ...replacePassword(db, {
        userId: actor.id,
        passwordHash,
        nowMs,
        insteadOf: row.hash,
        keepSession: actor.session.id,
      }),
    ],
    audit: [{ action: 'password.changed', subject: actor.id }],
    mails: [await passwordChangedMail(env, { ...actor, displayName: actor.name }, nowMs)],
  }
}
