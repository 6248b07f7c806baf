import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { acceptInvitation as acceptEndpoint } from '../../../src/contract/identity/registration.ts'
import { type Answer, type CheckedCall, created } from '../../http/call.ts'
import { refuseGuessable } from '../../identity/credentials/refuseGuessable.ts'
import { newReferralCode } from '../../identity/signIn/register.ts'
import { openBooks } from '../../ledger/accounts.ts'
import { hashPassword } from '../../lib/crypto/password.ts'
import { newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refusalOfDatabase, refuse, violates } from '../../lib/errors.ts'
import { operatorInvitations } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { joinedMail } from './mails.ts'

type AcceptCall = CheckedCall<BodyOf<typeof acceptEndpoint>, undefined>

interface Invitation {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: string
}

/**
 * Opens an operator's account with the mailed link, which proves the mailbox, and a password of their own. It opens no
 * session, and no operator's route answers before a second factor is on. A link that is wrong, used, expired or
 * withdrawn: `invalid_token`.
 */
export async function acceptInvitation(call: AcceptCall): Promise<Answer<Message>> {
  const { db, nowMs, body } = call
  const [[invitation]] = await readTogether(
    db,
    reading<Invitation>(sql`
      SELECT id, email, name, roles FROM operator_invitations
      WHERE token_hash = ${await sha256Hex(body.token)} AND accepted_at IS NULL AND expires_at > ${nowMs}`),
  )
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
        msg: 'This address has another account by now. Please ask for another invitation.',
      })
    // The owner's invitations end once two administrators can act.
    if (refusalOfDatabase(error)?.code === 'second_operator_required') refuse('invalid_token')
    throw error
  }
}
