import * as z from 'zod/mini'
import { message } from './common.ts'
import { isCommonPassword } from './commonPasswords.ts'
import { countryOf } from './countries.ts'
import { endpoint } from './endpoint.ts'
import { codeField, emailField, isCleanText, optionalText, requiredText, secretField } from './text.ts'

export const PASSWORD_MIN = 8
const PHONE = /^\+(?:\d ?){6,14}\d$/

/** A plus sign and 7 to 15 digits with optional single spaces. */
export function phoneField(empty = 'Phone number is required') {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || PHONE.test(value), 'Invalid phone number'),
  )
}

/** A new password: at least 8 characters, not one of the common ones. Never trimmed. */
export function newPasswordField(empty = 'Password is required') {
  return secretField(empty).check(
    z.refine(
      (value: string) => value === '' || value.length >= PASSWORD_MIN,
      `Please use at least ${PASSWORD_MIN} characters`,
    ),
    z.refine(
      (value: string) => value.length < PASSWORD_MIN || !isCommonPassword(value),
      'That password is one of the most common ones. Please choose another',
    ),
  )
}

/** A country as the two-letter code, the English or native name, or our label of both. Kept as the label sent. */
export function countryField() {
  const empty = 'Please select your country'
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || (value.length <= 120 && countryOf(value) !== null), empty),
  )
}

/** The version of the terms that registering accepts: the date the Terms of Service carry. */
export const TERMS_VERSION = '2022-08-10'

// Stands in the order of the form: the first failing field's message is the `msg` of the answer.
const registration = z
  .object({
    fullname: requiredText('Please enter your fullname', 120),
    displayName: optionalText(120),
    email: emailField(),
    phone: phoneField(),
    password: newPasswordField(),
    confirmPassword: z.optional(z.nullable(z.string())),
    country: countryField(),
    referralID: optionalText(64),
    acceptedTerms: optionalText(40),
  })
  .check(
    z.refine(
      (value) =>
        value.confirmPassword === undefined ||
        value.confirmPassword === null ||
        value.confirmPassword === value.password,
      { path: ['confirmPassword'], error: 'Passwords must match' },
    ),
  )

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  scope: 'public',
  summary: 'Open an account. The answer is the same when the address has one already',
  status: 201,
  body: registration,
  answer: message,
  limit: { name: 'register', per: 'address', max: 200, windowSeconds: 3600 },
})

/** The fields of the sign-up form: what is sent, plus what only the form asks. */
export const signUpForm = z
  .object({
    fullname: requiredText('Please enter your fullname', 120),
    email: emailField(),
    phone: phoneField(),
    password: newPasswordField(),
    confirmPassword: z.string().check(z.minLength(1, 'Confirm Password is required')),
    country: countryField(),
    referralID: optionalText(64),
    acceptedTerms: z.literal(true, {
      error: 'Please confirm that you are 18 or older and accept the terms',
    }),
  })
  .check(
    z.refine((value) => value.confirmPassword === value.password, {
      path: ['confirmPassword'],
      error: 'Passwords must match',
    }),
  )

const LINK_PROBLEM = 'This link is incomplete. Please open it from the mail again'

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
  summary: 'Sign in. `code` is a code of the authenticator app or a recovery code',
  status: 200,
  body: credentials,
  answer: session,
  refusals: ['invalid_credentials', 'email_not_verified', 'two_factor_required', 'invalid_sign_in_code'],
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

const passwordPair = {
  password: newPasswordField(),
  confirmPassword: z
    .string({ error: 'Confirm Password is required' })
    .check(z.minLength(1, 'Confirm Password is required')),
}
type Pair = z.output<z.ZodMiniObject<typeof passwordPair>>
const pairMatches = z.refine<Pair>((value) => value.confirmPassword === value.password, {
  path: ['confirmPassword'],
  error: 'Passwords must match',
})

/** The fields of the reset form. */
export const newPasswordForm = z.object(passwordPair).check(pairMatches)

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  scope: 'public',
  summary: 'Choose a new password with the mailed token. Ends every session of the account',
  status: 200,
  body: z
    .object({ ...passwordPair, email: emailField(), token: secretField(LINK_PROBLEM) })
    .check(pairMatches),
  answer: message,
  limit: { name: 'reset-password', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  scope: 'signed-in',
  summary: 'End this session: its token is dead',
  status: 204,
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

export const twoFactorEnable = endpoint({
  method: 'POST',
  path: '/auth/two-factor/enable',
  scope: 'signed-in',
  summary: 'Turn the second factor on with a first code; answers the recovery codes, once',
  status: 200,
  body: z.object({ code: requiredCode }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  limit: { name: 'codes', per: 'account', max: 20, windowSeconds: 900 },
  refusals: ['two_factor_not_set_up', 'two_factor_enabled', 'invalid_code'],
})

export const twoFactorDisable = endpoint({
  method: 'POST',
  path: '/auth/two-factor/disable',
  scope: 'signed-in',
  summary: 'Turn the second factor off with password and code',
  status: 204,
  body: z.object({ password: secretField('Password is required'), code: requiredCode }),
  limit: { name: 'codes', per: 'account', max: 20, windowSeconds: 900 },
  refusals: ['two_factor_mandatory', 'wrong_password', 'invalid_code'],
})
