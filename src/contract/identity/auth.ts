import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passkeyAnswerField } from '../passkeyAnswer.ts'
import { codeField, emailField, isCleanText, secretField } from '../text.ts'

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  scope: 'public',
  summary: 'Prove that an e-mail address is one’s own with the mailed token',
  status: 200,
  body: z.object({ email: emailField(), verificationToken: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'verify-email', per: 'address', max: 300, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})

const addressOnly = z.object({ email: emailField() })

export const resendVerification = endpoint({
  method: 'POST',
  path: '/auth/resend-verification',
  scope: 'public',
  summary: 'Mail the verification link again. Always the same answer',
  status: 200,
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

export const session = z.object({
  token: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['investor', 'operator']),
  expiresAt: z.string(),
})
export type SessionAnswer = z.output<typeof session>

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  scope: 'public',
  summary:
    'Sign in. `code` is a code of the authenticator app or a recovery code, `passkey` a passkey’s answer to what the refusal asked of it',
  status: 200,
  body: credentials,
  answer: session,
  refusals: [
    'invalid_credentials',
    'account_closed',
    'operator_disabled',
    'email_not_verified',
    'two_factor_required',
    'invalid_sign_in_code',
    'too_many_codes',
    'invalid_sign_in_passkey',
  ],
})

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  scope: 'public',
  summary: 'Mail a link to choose a new password. Always the same answer',
  status: 200,
  body: addressOnly,
  answer: message,
  limit: { name: 'forgot-password', per: 'address', max: 100, windowSeconds: 3600 },
})

export const twoFactorSetup = endpoint({
  method: 'POST',
  path: '/auth/two-factor/setup',
  scope: 'signed-in',
  summary: 'Start setting up a second factor (TOTP: SHA-1, 6 digits, 30 seconds)',
  status: 200,
  answer: z.object({ secret: z.string(), otpauthUri: z.string(), qr: z.string() }),
  refusals: ['two_factor_enabled'],
})

const requiredCode = z.pipe(
  codeField(),
  z.transform((code, context) => {
    if (code === undefined || !isCleanText(code)) {
      context.issues.push({ code: 'custom', message: 'Please enter the code', input: code })
      return z.NEVER
    }
    return code
  }),
)

/** Blank means "not given". */
const optionalSecret = z.optional(z.union([z.literal(''), secretField('Please give the password as text')]))

export const twoFactorEnable = endpoint({
  method: 'POST',
  path: '/auth/two-factor/enable',
  scope: 'signed-in',
  summary:
    'Turn the second factor on with a first code; answers the recovery codes, once. Without `proof` it mails a code to the account’s own address and refuses `step_up_required` with `reasons: ["new_factor"]`; the same call again with `proof`, the mailed code, goes through',
  status: 200,
  // The password is needed in a session older than 15 minutes. Where a passkey is on already, it and an answer of that are.
  body: z.object({
    code: requiredCode,
    password: optionalSecret,
    passkey: passkeyAnswerField(),
    proof: codeField(),
  }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  limit: { name: 'codes', per: 'account', max: 20, windowSeconds: 900 },
  refusals: [
    'two_factor_not_set_up',
    'two_factor_enabled',
    'invalid_code',
    'wrong_password',
    'second_factor_required',
    'invalid_passkey',
    'step_up_required',
  ],
})

/** What proves that it is the owner who sits there: the password, and a code or a passkey’s answer. */
export const passwordAndProof = z.object({
  password: secretField('Password is required'),
  code: codeField(),
  passkey: passkeyAnswerField(),
})

/** What our own form asks for to turn the authenticator app on. */
export const firstCode = z.object({
  password: secretField('Password is required'),
  code: requiredCode,
  passkey: passkeyAnswerField(),
  proof: codeField(),
})

export const twoFactorDisable = endpoint({
  method: 'POST',
  path: '/auth/two-factor/disable',
  scope: 'signed-in',
  summary: 'Turn the authenticator app off with the password and a code, or a passkey’s answer',
  status: 204,
  body: passwordAndProof,
  limit: { name: 'codes', per: 'account', max: 20, windowSeconds: 900 },
  refusals: [
    'two_factor_not_set_up',
    'two_factor_mandatory',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
