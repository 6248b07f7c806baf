import * as z from 'zod/mini'
import { isoTime, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { codeField, passkeyAnswerField, requiredText, secretField } from '../fields.ts'

export const passkey = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: isoTime,
  lastUsedAt: z.nullable(isoTime),
  /** Whether the vendor's account syncs it to other devices. */
  backedUp: z.boolean(),
})
export type Passkey = z.output<typeof passkey>

export const listPasskeys = endpoint('GET', '/users/passkeys', 'signed-in', {
  summary: 'Your own passkeys, newest first. At most ten, on one page',
  answer: z.array(passkey),
})

const named = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) })

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn level 3. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(named),
  authenticatorSelection: z.object({ residentKey: z.string(), userVerification: z.string() }),
  attestation: z.literal('none'),
})

const LIMIT = { name: 'passkeys', per: 'account', max: 120, windowSeconds: 3600 } as const
const CHANGES = { name: 'codes', per: 'account', max: 20, windowSeconds: 900 } as const

const password = secretField('Password is required')
const name = requiredText('Please give the passkey a name', 60)

/** Proves an existing second factor: a code of the app, a recovery code, or a passkey’s answer. */
const proof = { code: codeField(), passkey: passkeyAnswerField() }

/** The first step of our own form. The name goes to the server later, with the passkey. */
export const newPasskey = z.object({ name, password, ...proof })

/** The second step of our own form: the mailed code. */
export const mailedProof = z.object({ proof: codeField() })

export const passkeyOptions = endpoint('POST', '/users/passkeys/options', 'signed-in', {
  summary:
    'Start adding a passkey, with the password and, if one is on, a second factor. Returns the creation options for the browser, valid for five minutes',
  body: z.object({ password, ...proof }),
  answer: creationOptions,
  limit: CHANGES,
  refusals: [
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
    'too_many_passkeys',
  ],
})

export const addPasskey = endpoint('POST', '/users/passkeys', 'signed-in', {
  summary:
    'Add the passkey that the browser created, under a name. Without `proof`, it mails a code to the account’s address and refuses with `step_up_required` and `reasons: ["new_factor"]`. Repeat the call with the mailed code as `proof`. If it is the account’s first second factor, the answer contains ten recovery codes, once',
  status: 201,
  body: z.object({
    name,
    response: z.looseObject({}, { error: 'Please send what the browser made' }),
    proof: codeField(),
  }),
  answer: z.object({ ...message.shape, passkey, recoveryCodes: z.optional(z.array(z.string())) }),
  limit: LIMIT,
  refusals: ['invalid_passkey', 'passkey_exists', 'too_many_passkeys', 'step_up_required', 'invalid_code'],
})

export const renamePasskey = endpoint('PATCH', '/users/passkeys/:id', 'signed-in', {
  summary: 'Rename a passkey',
  body: z.object({ name }),
  answer: passkey,
  limit: LIMIT,
})

export const removePasskey = endpoint('POST', '/users/passkeys/:id/remove', 'signed-in', {
  summary:
    'Remove a passkey, with the password and a second factor. Without the second factor, the refusal lists the available `methods`',
  status: 204,
  body: z.object({ password, ...proof }),
  limit: CHANGES,
  refusals: [
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
    'two_factor_mandatory',
  ],
})
