import * as z from 'zod/mini'
import { refuseValue } from './common.ts'
import { parseUsd } from './money.ts'

/** False for lone surrogates and for control characters except tab and line ends: databases and mails reject them. */
export function isCleanText(value: string): boolean {
  // Compared by code point, because lint rules forbid control characters in patterns.
  const isPrintable = (code: number) => (code >= 32 ? code !== 127 : code === 9 || code === 10 || code === 13)
  return value.isWellFormed() && Array.from(value).every((character) => isPrintable(character.charCodeAt(0)))
}

const BAD_CHARACTERS = 'Please remove characters that cannot be printed'

export const HIDDEN_CHARACTERS =
  'Please remove invisible characters: they can change how the text reads. If you pasted it, type it instead'

/**
 * What needs a character that is invisible alone: letters without case (Persian and Hindi words join and part them, Japanese
 * names choose a form), emoji built from several, key caps, and flags of regions.
 */
const JOINED =
  /\u{1F3F4}[\u{E0030}-\u{E007F}]{2,7}|(?:\p{Lo}\p{M}*|\p{ExtPict}[\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}]*)[\u200C\u200D]?|[#*\d]\uFE0F\u20E3/gu

/** Direction marks, other invisible characters and line separators. */
const HIDDEN = /[\p{Cf}\p{DI}\u0080-\u009F\u2028\u2029]/u

/** Invisible letters. */
const FILLER = /[\u115F\u1160\u3164\uFFA0]/

/** Text without anything to see: blanks, and marks that have no letter. */
const BLANK = /^[\s\p{M}\u2800]*$/u

/**
 * Whether a text looks different from its content: direction marks, other invisible characters, or no visible character.
 * People decide by such texts and copy them. Joiners within Persian, Hindi and emoji are part of their spelling.
 */
export function hasHiddenCharacters(text: string): boolean {
  return BLANK.test(text) || FILLER.test(text) || HIDDEN.test(text.replace(JOINED, ''))
}

/** Returns the error for a trimmed text, or null. */
function findTextProblem(text: string, max: number): string | null {
  if (text.length > max) return `Please use at most ${max} characters`
  if (!isCleanText(text)) return BAD_CHARACTERS
  return hasHiddenCharacters(text) ? HIDDEN_CHARACTERS : null
}

/** Without blanks around it. What has no lines becomes one line. */
function trimValue(value: string, hasLines: boolean): string {
  const text = value.trim()
  return hasLines ? text : text.replace(/[\t\r\n]+/g, ' ')
}

/** A required text of one line, trimmed, of at most `max` characters. `empty` is the error if it is missing, blank or not text. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredText(empty: string, max = 200, hasLines = false) {
  return z.pipe(
    z.string({ error: empty }),
    z.transform((value, context) => {
      const text = trimValue(value, hasLines)
      const problem = text === '' ? empty : findTextProblem(text, max)
      return problem === null ? text : refuseValue(context, problem)
    }),
  )
}

/** The same with line breaks. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredLines(empty: string, max: number) {
  return requiredText(empty, max, true)
}

/** Whether a form is sent with our own sample picture. Blank means no. Refused with real money. */
export const sampleField = z.optional(z.enum(['true', ''], { error: 'sample is true, or left out' }))

/** An optional text of one line: missing, null and blank all mean "not given". */
/* @__NO_SIDE_EFFECTS__ */
export function optionalText(max = 200, hasLines = false) {
  return z.pipe(
    z.optional(z.nullable(z.string({ error: 'Please give text' }))),
    z.transform((value, context) => {
      const text = trimValue(value ?? '', hasLines) || undefined
      const problem = text === undefined ? null : findTextProblem(text, max)
      return problem === null ? text : refuseValue(context, problem)
    }),
  )
}

/** The same with line breaks. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalLines(max: number) {
  return optionalText(max, true)
}

/**
 * A number of a bank, as one line of Latin letters, digits and punctuation. Letters of other directions would reorder the digits
 * on the screen of the person who pays.
 */
/* @__NO_SIDE_EFFECTS__ */
export function bankNumber(empty: string, max: number) {
  return asBankNumber(requiredText(empty, max))
}

/** The same of a text field that may be blank. */
/* @__NO_SIDE_EFFECTS__ */
export function asBankNumber<Field extends z.ZodMiniType<string>>(field: Field): Field {
  return field.check(
    z.refine(
      (text: string) => /^[\x20-\x7E]*$/.test(text),
      'Please write it with the letters A to Z and the digits 0 to 9',
    ),
  )
}

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$/

/**
 * The one form of an address by which it is stored and compared: in lower case, with an internationalised domain in its ASCII form
 * (UTS #46, as browsers do): `a@пример.рф` and `a@XN--E1AFMKFD.xn--p1ai` are one mailbox. Null if the domain has no such form.
 */
export function normalizeEmail(value: string): string | null {
  const email = value.trim().toLowerCase()
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (!/[^!-~]|xn--/.test(domain)) return email
  // A URL would take these as its other parts.
  if (at < 0 || /[\s%/?#:@\\[\]]/.test(domain) || !URL.canParse(`http://${domain}`)) return null
  return email.slice(0, at + 1) + new URL(`http://${domain}`).hostname
}

/** An e-mail address in its one form: addresses are compared without case everywhere. */
export function emailField() {
  return z.pipe(
    z.string({ error: 'Email is required' }),
    z.transform((value, context) => {
      if (value.trim() === '') return refuseValue(context, 'Email is required')
      const email = normalizeEmail(value)
      const isEmail =
        email !== null && email.length <= 254 && EMAIL.test(email) && !/\.\.|^\.|\.@/.test(email)
      return isEmail ? email : refuseValue(context, 'Provide a valid email')
    }),
  )
}

/** A secret that a person types. Never trimmed; only missing, very long or ill-formed text is refused. */
export function secretField(empty: string) {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.maxLength(256, 'Please use at most 256 characters'),
    z.refine((value: string) => isCleanText(value), BAD_CHARACTERS),
  )
}

/** A mailed or generated code. Blank means "not given". */
export function codeField() {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error: 'Please give the code as text' }))),
    z.transform((value) => {
      // A code sent as a JSON number has no leading zeros.
      const text = typeof value === 'number' ? String(value).padStart(6, '0') : (value ?? '').trim()
      return text === '' ? undefined : text.slice(0, 64)
    }),
  )
}

/** An amount in USD, parsed to integer cents. `empty` is the error if it is missing. */
/* @__NO_SIDE_EFFECTS__ */
export function amountField(empty: string) {
  return z.pipe(
    z.union([z.string(), z.number()], { error: empty }),
    z.transform((value, context) =>
      value === ''
        ? refuseValue(context, empty)
        : parseCents(
            value,
            context,
            'Please give an amount in USD above zero, with at most two decimals, like 1500.50',
          ),
    ),
  )
}

/** An optional amount in USD, parsed to integer cents. `wrong` is the error for anything that is not an amount. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalAmountField(empty: string, wrong: string) {
  return z.pipe(
    z.optional(z.nullable(z.union([z.string(), z.number()], { error: empty }))),
    z.transform((value, context) =>
      value === undefined || value === null || value === '' ? undefined : parseCents(value, context, wrong),
    ),
  )
}

/**
 * Parses an amount to cents. Refuses anything but an amount above zero with at most two decimals, with the error
 * `wrong`.
 */
export function parseCents(value: string | number, context: z.core.ParsePayload, wrong: string): number {
  return parseUsd(value) ?? refuseValue(context, wrong)
}

const PHONE = /^\+(?:\d ?){6,14}\d$/

/** A plus sign and 7 to 15 digits with optional single spaces, trimmed. */
export function phoneField(empty = 'Phone number is required') {
  // Checks, not a transform: the issues of a transform are lost in a union with an empty value.
  return z
    .string({ error: empty })
    .check(z.trim(), z.minLength(1, empty), z.regex(PHONE, 'Invalid phone number'))
}

/**
 * PublicKeyCredentialRequestOptionsJSON of WebAuthn level 3. Comes with refusals that a passkey can answer. Works once,
 * for five minutes.
 */
export interface PasskeyQuestion {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'preferred' | 'required'
  allowCredentials: { type: 'public-key'; id: string; transports: string[] }[]
}

/**
 * AuthenticationResponseJSON of WebAuthn level 3, or its JSON as text, for forms. The Worker verifies it. Blank means "not
 * given".
 */
export function passkeyAnswerField() {
  return z.optional(
    z.nullable(z.union([z.string(), z.looseObject({})], { error: 'Please send what the passkey answered' })),
  )
}

/** A day as YYYY-MM-DD. Blank and null mean that it is not given. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalDay(wrong: string) {
  return z.pipe(
    optionalText(10),
    z.transform((day, context) => (day === undefined || isDay(day) ? day : refuseValue(context, wrong))),
  )
}

/** A required day as YYYY-MM-DD. `empty` is the error if it is missing or no day. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredDay(empty: string) {
  return z.string({ error: empty }).check(z.refine(isDay, { error: empty }))
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
