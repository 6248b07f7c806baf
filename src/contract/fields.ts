import * as z from 'zod/mini'
import { parseUsd } from './money.ts'

// Control characters but tab and line ends. Written as a test of code points: such characters do not belong into a pattern.
function isPrintable(code: number): boolean {
  return code >= 32 ? code !== 127 : code === 9 || code === 10 || code === 13
}

/** False for control characters and lone surrogates: no person types them, databases and mails choke on them. */
export function isCleanText(value: string): boolean {
  if (!value.isWellFormed()) return false
  for (let i = 0; i < value.length; i++) if (!isPrintable(value.charCodeAt(i))) return false
  return true
}

const BAD_CHARACTERS = 'Please remove characters that cannot be printed'

/** A required text. `empty` is said when it is missing, blank or not text. Trimmed; at most `max` characters. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredText(empty: string, max = 200) {
  return z.pipe(
    z.string({ error: empty }),
    z.transform((value, context) => {
      const text = value.trim()
      const problem =
        text === ''
          ? empty
          : text.length > max
            ? `Please use at most ${max} characters`
            : isCleanText(text)
              ? null
              : BAD_CHARACTERS
      if (problem !== null) {
        context.issues.push({ code: 'custom', message: problem, input: value })
        return z.NEVER
      }
      return text
    }),
  )
}

/** An optional text: missing, null and blank all mean "not given". */
/* @__NO_SIDE_EFFECTS__ */
export function optionalText(max = 200) {
  return z.pipe(
    z.optional(z.nullable(z.string({ error: 'Please give text' }))),
    z.transform((value, context) => {
      const text = value?.trim()
      if (text === undefined || text === '') return undefined
      if (text.length > max || !isCleanText(text)) {
        const message = text.length > max ? `Please use at most ${max} characters` : BAD_CHARACTERS
        context.issues.push({ code: 'custom', message, input: value })
        return z.NEVER
      }
      return text
    }),
  )
}

const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** An e-mail address, lower-cased: addresses are compared without case everywhere. */
export function emailField() {
  return z.pipe(
    z.string({ error: 'Email is required' }),
    z.transform((value, context) => {
      const email = value.trim().toLowerCase()
      const message =
        email === ''
          ? 'Email is required'
          : email.length <= 254 && EMAIL.test(email) && !email.includes('..') && !/^\.|\.@/.test(email)
            ? null
            : 'Provide a valid email'
      if (message !== null) {
        context.issues.push({ code: 'custom', message, input: value })
        return z.NEVER
      }
      return email
    }),
  )
}

/** A secret typed by a person: never trimmed, only refused when missing, absurdly long or not well-formed text. */
export function secretField(empty: string) {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.maxLength(256, 'Please use at most 256 characters'),
    z.refine((value: string) => isCleanText(value), BAD_CHARACTERS),
  )
}

/** One of a list of words. */
/* @__NO_SIDE_EFFECTS__ */
export function choice<const T extends readonly string[]>(options: T, problem: string) {
  return z.enum(options, { error: problem })
}

/** A code that was sent or generated: spaces and hyphens people copy along are dropped. Blank means "not given". */
export function codeField() {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error: 'Please give the code as text' }))),
    z.transform((value) => {
      // A code sent as a number has lost its leading zeros.
      const text = typeof value === 'number' ? String(value).padStart(6, '0') : (value ?? '').trim()
      return text === '' ? undefined : text.slice(0, 64)
    }),
  )
}

/** An amount field: parsed to integer cents. `empty` is the specification's sentence for a missing one. */
/* @__NO_SIDE_EFFECTS__ */
export function amountField(empty: string) {
  return z.pipe(
    z.union([z.string(), z.number()], { error: empty }),
    z.transform((value, context) =>
      value === ''
        ? refused(value, context, empty)
        : centsOf(
            value,
            context,
            'Please give an amount in USD above zero, with at most two decimals, like 1500.50',
          ),
    ),
  )
}

/** An amount field that may be left out, parsed to integer cents. `wrong` is the sentence for what is no amount. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalAmountField(empty: string, wrong: string) {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error: empty }))),
    z.transform((value, context) =>
      value === undefined || value === null || value === '' ? undefined : centsOf(value, context, wrong),
    ),
  )
}

/** What was typed, in cents. What is no amount above zero with at most two decimals is refused with the sentence `wrong`. */
export function centsOf(value: string | number, context: z.core.ParsePayload, wrong: string): number {
  return parseUsd(value) ?? refused(value, context, wrong)
}

function refused(input: unknown, context: z.core.ParsePayload, message: string): never {
  context.issues.push({ code: 'custom', message, input })
  return z.NEVER
}

const PHONE = /^\+(?:\d ?){6,14}\d$/

/** A plus sign and 7 to 15 digits with optional single spaces. */
export function phoneField(empty = 'Phone number is required') {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || PHONE.test(value), 'Invalid phone number'),
  )
}

/**
 * What a passkey is asked to sign: PublicKeyCredentialRequestOptionsJSON of WebAuthn level 3. It comes with the refusals
 * that a passkey can answer, and works once, for five minutes.
 */
export interface PasskeyQuestion {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'preferred' | 'required'
  allowCredentials: { type: 'public-key'; id: string; transports: string[] }[]
}

/**
 * What a passkey answered: AuthenticationResponseJSON of WebAuthn level 3, or its JSON as text, for forms. Whether it is
 * one the server finds out; blank means "not given".
 */
export function passkeyAnswerField() {
  return z.optional(
    z.nullable(z.union([z.string(), z.looseObject({})], { error: 'Please send what the passkey answered' })),
  )
}
