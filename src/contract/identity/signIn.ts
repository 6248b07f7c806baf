import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { codeField, emailField, passkeyAnswerField, secretField } from '../fields.ts'

export const session = z.object({
  token: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['investor', 'operator']),
  expiresAt: z.string(),
})
export type SessionAnswer = z.output<typeof session>

/** The reason in a refusal of `verifyEmail`: the link was used, and its account is open. */
export const VERIFIED_ALREADY = 'verified_already'

export const verifyEmail = endpoint('POST', '/auth/verify-email', 'public', {
  summary:
    'Verify your own e-mail address with the mailed token, which opens the account with what was sent to register. A used token is refused with the reason `verified_already`. If the browser sends the device cookie from registration, the answer contains the first session',
  body: z.object({ email: emailField(), verificationToken: secretField(LINK_PROBLEM) }),
  answer: z.extend(message, { session: z.optional(session) }),
  limit: { name: 'verify-email', per: 'address', max: 300, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})

const addressOnly = z.object({ email: emailField() })

export const resendVerification = endpoint('POST', '/auth/resend-verification', 'public', {
  summary: 'Mail the verification link again. The answer is always the same',
  body: addressOnly,
  answer: message,
  limit: { name: 'resend-verification', per: 'address', max: 100, windowSeconds: 3600 },
})

const credentials = z.object({
  email: emailField(),
  password: secretField('Password is required'),
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const login = endpoint('POST', '/auth/login', 'public', {
  summary:
    'Sign in. `code` is a code of the authenticator app or a recovery code. `passkey` is a passkey’s answer to the challenge in the refusal',
  body: credentials,
  answer: session,
  refusals: [
    'invalid_credentials',
    'account_closed',
    'operator_disabled',
    'account_locked',
    'email_not_verified',
    'two_factor_required',
    'invalid_sign_in_code',
    'too_many_codes',
    'invalid_sign_in_passkey',
  ],
})

export const requestSignInLink = endpoint('POST', '/auth/sign-in-link', 'public', {
  summary:
    'Mail an investor a link that signs in once, within 15 minutes, instead of the password. The answer is always the same',
  body: addressOnly,
  answer: message,
  limit: { name: 'sign-in-link', per: 'address', max: 100, windowSeconds: 3600 },
})

const linkCredentials = {
  email: emailField(),
  token: secretField(LINK_PROBLEM),
  code: codeField(),
  passkey: passkeyAnswerField(),
}

/** The fields on the link's page. Address and token are in the link. */
export const linkProofForm = z.pick(z.object(linkCredentials), { code: true, passkey: true })

export const signInWithLink = endpoint('POST', '/auth/sign-in-link/use', 'public', {
  summary:
    'Sign in with the mailed token instead of the password. `code` and `passkey` are as in `/auth/login`. Withdrawals need extra proof for three days, as after a reset password',
  body: z.object(linkCredentials),
  answer: session,
  limit: { name: 'use-sign-in-link', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: [
    'invalid_token',
    'account_closed',
    'account_locked',
    'two_factor_required',
    'invalid_sign_in_code',
    'too_many_codes',
    'invalid_sign_in_passkey',
  ],
})

export const beginPasskeySignIn = endpoint('POST', '/auth/passkey/options', 'public', {
  summary:
    'Start a sign-in with a passkey alone. Returns a challenge for the browser, valid for five minutes and for one answer',
  answer: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    userVerification: z.enum(['preferred', 'required']),
    allowCredentials: z.array(
      z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
    ),
  }),
  limit: { name: 'passkey-options', per: 'address', max: 300, windowSeconds: 3600 },
})

export const signInWithPasskey = endpoint('POST', '/auth/passkey', 'public', {
  summary:
    'Sign in with a passkey alone, without address, password or code. The device must have verified its user, by PIN, finger or face',
  body: z.object({ passkey: passkeyAnswerField() }),
  answer: session,
  limit: { name: 'passkey-sign-in', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['account_closed', 'operator_disabled', 'account_locked', 'invalid_sign_in_passkey'],
})

export const logout = endpoint('POST', '/auth/logout', 'signed-in', {
  summary: 'End the current session',
  status: 204,
})

export const lockAccount = endpoint('POST', '/auth/lock-account', 'public', {
  summary:
    'Freeze your own account and end all its sessions with the token of a security mail. Idempotent: a repeated call returns the same answer',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'lock-account', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})
