import { and, eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { patchUserInfo } from '../../../src/contract/identity/profile.ts'
import { type ActorCall, type Answer, type CheckedCall, type Effect, ok } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { Refusal, refuse } from '../../lib/errors.ts'
import { notifications } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { wasReplacedMeanwhile } from '../signIn/replacePassword.ts'
import { changePassword } from './changePassword.ts'

export type ChangeCall = CheckedCall<BodyOf<typeof patchUserInfo>, undefined> & ActorCall

const PERSONAL = [
  'gender',
  'fullname',
  'displayName',
  'phone',
  'country',
  'maritalStatus',
  'address',
] as const satisfies readonly (keyof ChangeCall['body'])[]

/** Dismisses the notification, changes personal information, changes the password: whatever of it was sent, together. */
export async function changeUserInfo(call: ChangeCall): Promise<Answer<Message>> {
  const { body } = call
  const personal = sentOf(body)
  const wantsPassword = isText(body.newPassword) || isText(body.currentPassword)
  if (!wantsPassword && personal === null && body.seen === undefined)
    refuse('validation_failed', { msg: 'There is nothing to change' })
  const password: Effect = wantsPassword ? await changePassword(call) : {}
  const effect: Effect = {
    statements: [
      ...(password.statements ?? []),
      ...(personal ? [call.db.update(users).set(personal).where(eq(users.id, call.actor.id))] : []),
      ...(body.seen ? [dismiss(call)] : []),
    ],
    audit: [
      ...(password.audit ?? []),
      ...(personal
        ? [
            {
              action: 'profile.changed',
              subject: call.actor.id,
              detail: { fields: Object.keys(personal).join(' ') },
            },
          ]
        : []),
    ],
    ...(password.mails && { mails: password.mails }),
  }
  await call.commit(effect).catch((error: unknown) => {
    throw wasReplacedMeanwhile(error) ? new Refusal('conflict') : error
  })
  if (wantsPassword) return ok({ msg: 'Your password was changed. Other sessions were ended.' })
  return ok({ msg: personal ? 'Your information was updated.' : 'The notification was dismissed.' })
}

// Only what was sent and is not blank changes; anything that is not named here never does.
function sentOf(body: ChangeCall['body']): Partial<Record<(typeof PERSONAL)[number], string>> | null {
  const sent = PERSONAL.flatMap((field) => {
    const value = body[field]
    return isText(value) ? [[field, value] as const] : []
  })
  if (sent.length === 0) return null
  // Who sends one name only is greeted by it, too.
  return { ...(isText(body.fullname) && { displayName: body.fullname }), ...Object.fromEntries(sent) }
}

function isText(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== ''
}

// A persistent one stays unseen: it is shown until the operator takes it back. So does one that took the place of what was read.
function dismiss({ db, actor, body: { notification: read } }: ChangeCall): Statement {
  const isRead = read && and(eq(notifications.title, read.title), eq(notifications.content, read.content))
  return db
    .update(notifications)
    .set({ seen: true })
    .where(and(eq(notifications.userId, actor.id), eq(notifications.persistent, false), isRead))
}
