import type { Effect } from '../../http/call.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { refuseField } from '../../lib/errors.ts'
import { checkPassword } from '../credentials/checkPassword.ts'
import { refuseGuessable } from '../credentials/refuseGuessable.ts'
import { passwordChangedMail } from '../signIn/mails.ts'
import { replacePassword } from '../signIn/replacePassword.ts'
import type { ChangeCall } from './changeUserInfo.ts'

/**
 * The effect of a new password: every other session ends, its owner gets a mail. Refuses a wrong current password,
 * and after ten of them in 15 minutes any.
 */
export async function changePassword(call: ChangeCall): Promise<Effect> {
  const { actor, db, env, nowMs, body } = call
  if (!body.currentPassword) return refuseField('currentPassword', 'Please give your current password')
  if (!body.newPassword) return refuseField('newPassword', 'Please choose a new password')
  refuseGuessable('newPassword', body.newPassword, [actor.name, actor.email])
  const shown = await checkPassword(call, body.currentPassword)
  const passwordHash = await hashPassword(body.newPassword)
  return {
    statements: [
      ...shown.passed(),
      ...replacePassword(db, {
        userId: actor.id,
        passwordHash,
        nowMs,
        insteadOf: shown.row.hash,
        keepSession: actor.session.id,
      }),
    ],
    audit: [{ action: 'password.changed', subject: actor.id }],
    mails: [await passwordChangedMail(env, { ...actor, displayName: actor.name }, nowMs)],
  }
}
