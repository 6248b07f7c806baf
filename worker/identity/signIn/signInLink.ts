import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type {
  requestSignInLink as requestEndpoint,
  SessionAnswer,
  signInWithLink as useEndpoint,
} from '../../../src/contract/identity/signIn.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { prepare } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { endTokens, newEmailToken, spendToken } from '../credentials/emailTokens.ts'
import { SIGN_IN_LINK_MAILS, takeMailAllowance } from '../credentials/mailAllowance.ts'
import { buildEnding } from '../credentials/tries.ts'
import { readProof } from '../factors/factors.ts'
import { type Candidate, selectCandidateColumns, withFailureNotice } from './beginSignIn.ts'
import { completeSignIn } from './completeSignIn.ts'
import { buildAlreadyClosedMail, buildSignInLinkMail } from './mails.ts'
import { mailVerificationLink } from './verifyEmail.ts'

type RequestCall = PublicCallOf<typeof requestEndpoint>

/**
 * Mails a link to sign in with, so that wrong passwords by strangers cannot keep an owner out. Work that depends on the account
 * runs after the answer, which is always the same. Operators get no link: their mailbox must not replace their password.
 */
export async function requestSignInLink(call: RequestCall): Promise<Answer<Message>> {
  call.defer(() => mailLink(call))
  return ok({ msg: 'If an investor has an account with this address, we have sent a sign-in link to it.' })
}

async function mailLink(call: RequestCall): Promise<void> {
  const { db, env, nowMs } = call
  const [user] = await db
    .select({
      id: users.id,
      role: users.role,
      email: users.email,
      displayName: users.displayName,
      emailVerifiedAt: users.emailVerifiedAt,
      closedAt: users.closedAt,
    })
    .from(users)
    .where(eq(users.email, call.body.email))
  // A registration has no account to sign in to yet. Its link is mailed again.
  if (!user) return mailVerificationLink(call, call.body.email)
  if (user.role !== 'investor' || !(await takeMailAllowance(call, user.id, SIGN_IN_LINK_MAILS))) return
  if (user.closedAt !== null) {
    await call.commit({ mails: [buildAlreadyClosedMail(user, user.closedAt)] })
    return
  }
  const { token, statement } = await newEmailToken(db, user.id, 'sign-in', nowMs)
  await call.commit({
    statements: [endTokens(user.id, 'sign-in', nowMs), statement],
    mails: [buildSignInLinkMail(env, user, token)],
  })
}

/**
 * Signs an investor in with the mailed token instead of the password. The second factor is still asked for. The limits of failed
 * sign-ins do not apply: a token of 256 bits cannot be guessed, and wrong codes have their own limit. Withdrawals need extra proof
 * afterwards, because only the mailbox was proved, as with a reset password. Refuses `invalid_token` if the token is wrong, used,
 * expired or of another address.
 */
export async function signInWithLink(call: PublicCallOf<typeof useEndpoint>): Promise<Answer<SessionAnswer>> {
  const { db, nowMs, body } = call
  const [sent, tokenHash] = [await readProof(body), await sha256Hex(body.token)]
  const candidate = await prepare(
    db,
    sql`SELECT ${selectCandidateColumns(call, sent)} FROM email_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.token_hash = ${tokenHash} AND t.purpose = 'sign-in' AND t.used_at IS NULL AND t.expires_at > ${nowMs}
        AND u.email = ${body.email} AND u.role = 'investor'`,
  ).first<Candidate>()
  if (candidate === null) return refuse('invalid_token')
  const ending = buildEnding(db, [])
  return completeSignIn(call, {
    attempt: { ...ending, ...withFailureNotice(call, candidate, ending), candidate, waitingHash: null },
    candidate,
    sent,
    by: 'link',
    statements: async () => [
      spendToken(tokenHash, nowMs),
      sql`UPDATE users SET security_changed_at = max(coalesce(security_changed_at, 0), ${nowMs}) WHERE id = ${candidate.id}`,
    ],
  })
}
