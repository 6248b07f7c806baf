import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { verifyEmail as verifyEmailEndpoint } from '../../../src/contract/identity/auth.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { ownerOfToken, spendToken } from '../credentials/emailTokens.ts'

/** Proves an address with the mailed token. A wrong, used or expired one is `invalid_token`, all alike. */
export async function verifyEmail(
  call: CheckedCall<BodyOf<typeof verifyEmailEndpoint>, undefined>,
): Promise<Answer<Message>> {
  const { db, nowMs, body } = call
  const owner = await ownerOfToken(db, body.verificationToken, body.email, 'verify-email', nowMs)
  if (owner === null) return refuse('invalid_token')
  await call.commit({
    statements: [
      spendToken(db, owner.tokenHash, nowMs),
      db
        .update(users)
        .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${nowMs})` })
        .where(eq(users.id, owner.id)),
    ],
    audit: [{ action: 'email.verified', subject: owner.id }],
  })
  return ok({ msg: 'Your e-mail address is verified. You can sign in now.' })
}
