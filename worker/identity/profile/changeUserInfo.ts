import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { patchUserInfo } from '../../../src/contract/identity/profile.ts'
import { type Answer, type CallOf, type Effect, ok } from '../../http/call.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import type { Statement } from '../../lib/database.ts'
import { Refusal, refuse, refuseField } from '../../lib/errors.ts'
import { buildFoldedNames, foldName } from '../../lib/foldName.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { notifications, receivedNotifications } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { refuseGuessable } from '../credentials/refuseGuessable.ts'
import { checkPassword } from '../credentials/tries.ts'
import { buildPasswordChangedMail } from '../signIn/mails.ts'
import { isPasswordReplaced, replacePassword } from '../signIn/replacePassword.ts'

export type ChangeCall = CallOf<typeof patchUserInfo>

const PERSONAL = [
  'gender',
  'fullname',
  'displayName',
  'phone',
  'country',
  'maritalStatus',
  'address',
] as const satisfies readonly (keyof ChangeCall['body'])[]

/** Changes personal information and the password, and dismisses the notification, as far as sent, in one batch. */
export async function changeUserInfo(call: ChangeCall): Promise<Answer<Message>> {
  const { body } = call
  const personal = pickSentFields(body)
  const wantsPassword = isText(body.newPassword) || isText(body.currentPassword)
  if (!wantsPassword && personal === null && body.seen === undefined)
    refuse('validation_failed', { msg: 'There is nothing to change' })
  const password: Effect = wantsPassword ? await changePassword(call) : {}
  const reopened = isText(body.fullname) ? await findApprovalOfOtherName(call, body.fullname) : null
  const changedFields = { fields: Object.keys(personal ?? {}).join(' ') }
  const effect: Effect = {
    statements: [
      ...(password.statements ?? []),
      ...(personal
        ? [
            call.db
              .update(users)
              .set({ ...personal, ...buildFoldedNames(personal) })
              .where(eq(users.id, call.actor.id)),
          ]
        : []),
      ...(body.seen ? markNotificationSeen(call) : []),
    ],
    audit: [
      ...(password.audit ?? []),
      ...(personal
        ? [{ action: 'profile.changed' as const, subject: call.actor.id, detail: changedFields }]
        : []),
      ...(reopened === null ? [] : [{ action: 'kyc.reopened' as const, subject: reopened }]),
    ],
    ...(password.mails && { mails: password.mails }),
  }
  await call.commit(effect).catch((error: unknown) => {
    throw isPasswordReplaced(error) ? new Refusal('conflict') : error
  })
  if (wantsPassword) return ok({ msg: 'Your password was changed. Other sessions were ended.' })
  if (reopened !== null) return ok({ msg: `Your information was updated. ${REVIEWED_AGAIN}` })
  return ok({ msg: personal ? 'Your information was updated.' : 'The notification was dismissed.' })
}

const REVIEWED_AGAIN =
  'We compare your new name with your identity document. Until then you cannot deposit or withdraw.'

/** The id of the actor's approved identity if it was approved under another full name: a trigger sends it back to review. */
async function findApprovalOfOtherName({ db, actor }: ChangeCall, fullname: string): Promise<string | null> {
  const [approval] = await db
    .select({ id: kycSubmissions.id })
    .from(kycSubmissions)
    .innerJoin(users, eq(users.id, kycSubmissions.userId))
    .where(
      and(
        ...[
          eq(users.id, actor.id),
          eq(kycSubmissions.kind, 'identity'),
          eq(kycSubmissions.status, 'approved'),
        ],
        ne(users.fullnameFolded, foldName(fullname)),
      ),
    )
  return approval?.id ?? null
}

// Blank fields are ignored, and only the named fields can change.
function pickSentFields(body: ChangeCall['body']): Partial<Record<(typeof PERSONAL)[number], string>> | null {
  const sent = PERSONAL.flatMap((field) => {
    const value = body[field]
    return isText(value) ? [[field, value] as const] : []
  })
  if (sent.length === 0) return null
  // A full name without a display name sets both.
  return { ...(isText(body.fullname) && { displayName: body.fullname }), ...Object.fromEntries(sent) }
}

function isText(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== ''
}

// Only an operator removes a persistent notification. A notification that replaced the one read stays unseen.
function markNotificationSeen({ db, actor, nowMs, body: { notification: read } }: ChangeCall): Statement[] {
  const matchNotification = (table: typeof notifications | typeof receivedNotifications) =>
    and(eq(table.userId, actor.id), read && and(eq(table.title, read.title), eq(table.content, read.content)))
  return [
    db
      .update(notifications)
      .set({ seen: true })
      .where(and(matchNotification(notifications), eq(notifications.persistent, false))),
    db
      .update(receivedNotifications)
      .set({ seenAt: nowMs })
      .where(and(matchNotification(receivedNotifications), isNull(receivedNotifications.seenAt))),
  ]
}

/**
 * The effect of a new password: other sessions end, and the owner gets a mail. Refuses a wrong current password, and every
 * password after ten wrong ones within 15 minutes.
 */
async function changePassword(call: ChangeCall): Promise<Effect> {
  const { actor, db, env, nowMs, body } = call
  if (!body.currentPassword) return refuseField('currentPassword', 'Please give your current password')
  if (!body.newPassword) return refuseField('newPassword', 'Please choose a new password')
  refuseGuessable('newPassword', body.newPassword, [actor.displayName, actor.email])
  const attempt = await checkPassword(call, body.currentPassword)
  const passwordHash = await hashPassword(body.newPassword)
  return {
    statements: [
      ...attempt.passed(),
      ...replacePassword(db, {
        userId: actor.id,
        passwordHash,
        nowMs,
        cause: 'password_changed',
        insteadOf: attempt.row.hash,
        keepSession: actor.session.id,
      }),
    ],
    audit: [{ action: 'password.changed', subject: actor.id }],
    mails: [await buildPasswordChangedMail(env, actor, nowMs)],
  }
}
