import * as z from 'zod/mini'
import { refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { codeField, isCleanText, passkeyAnswerField, secretField } from '../fields.ts'

export const twoFactorStatus = endpoint('GET', '/auth/two-factor', 'signed-in', {
  summary: 'Whether a second factor is on, since when, which kinds, and how many recovery codes are left',
  answer: z.object({
    on: z.boolean(),
    since: z.nullable(z.string()),
    methods: z.array(z.enum(['passkey', 'totp'])),
    recoveryCodesLeft: z.number(),
  }),
})

/**
 * Fields that confirm an action: a current code of the authenticator app, or a passkey's answer to the challenge of the
 * refusal, which is bound to the item and the amount.
 */
export const factorFields = { code: codeField(), passkey: passkeyAnswerField() }

/** The body of actions that need no field except the second factor. */
const factorBody = z.optional(z.object(factorFields))

/** Proves that the caller owns the account: the password, and a code or a passkey’s answer. */
export const passwordAndProof = z.object({ password: secretField('Password is required'), ...factorFields })

/** Why an action requires a second factor: the last one is too old, or this action needs its own. */
export const FACTOR_REASONS = ['fresh_factor', 'bound_factor'] as const
export type FactorReason = (typeof FACTOR_REASONS)[number]

/** Shared by all calls that check a code. Only calls that carry a code count. */
export const FACTOR_LIMIT = { name: 'codes', per: 'account', max: 20, windowSeconds: 900 } as const

/** Refusals of every call that takes a second factor. */
export const FACTOR_REFUSALS = ['step_up_required', 'invalid_code', 'invalid_passkey'] as const

export const confirmFactor = endpoint('POST', '/auth/confirm', 'signed-in', {
  summary:
    'Confirm the second factor again in this session, with a code of the app or a passkey’s answer to the challenge in the refusal',
  status: 204,
  body: factorBody,
  asksFactor: true,
  refusals: ['two_factor_not_set_up', ...FACTOR_REFUSALS],
})

export const twoFactorSetup = endpoint('POST', '/auth/two-factor/setup', 'signed-in', {
  summary: 'Start setting up a second factor (TOTP: SHA-1, 6 digits, 30 seconds)',
  answer: z.object({ secret: z.string(), otpauthUri: z.string(), qr: z.string() }),
  refusals: ['two_factor_enabled'],
})

const requiredCode = z.pipe(
  codeField(),
  z.transform((code, context) =>
    code !== undefined && isCleanText(code) ? code : refuseValue(context, 'Please enter the code'),
  ),
)

/** The form that turns the authenticator app on. */
export const firstCode = z.extend(passwordAndProof, { code: requiredCode, proof: codeField() })

/** Blank means "not given". */
const optionalSecret = z.optional(z.union([z.literal(''), secretField('Please give the password as text')]))

export const twoFactorEnable = endpoint('POST', '/auth/two-factor/enable', 'signed-in', {
  summary:
    'Turn on the authenticator app with its first code. Returns the recovery codes, once. Without `proof`, it mails a code to the account’s address and refuses with `step_up_required` and `reasons: ["new_factor"]`. Repeat the call with the mailed code as `proof`',
  // A session older than 15 minutes needs the password. If a passkey is on, its answer is needed too.
  body: z.object({
    code: requiredCode,
    password: optionalSecret,
    passkey: passkeyAnswerField(),
    proof: codeField(),
  }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  limit: FACTOR_LIMIT,
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

export const twoFactorDisable = endpoint('POST', '/auth/two-factor/disable', 'signed-in', {
  summary: 'Turn off the authenticator app, with the password and either a code or a passkey’s answer',
  status: 204,
  body: passwordAndProof,
  limit: FACTOR_LIMIT,
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

export const renewRecoveryCodes = endpoint('POST', '/auth/two-factor/recovery-codes', 'signed-in', {
  summary: 'Get ten new recovery codes. They are shown once, and the old ones stop working',
  body: passwordAndProof,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  limit: FACTOR_LIMIT,
  refusals: [
    'two_factor_not_set_up',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
