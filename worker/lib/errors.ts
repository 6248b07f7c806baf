import { type ErrorBody, REFUSALS, type RefusalCode, toPublicCode } from '../../src/contract/errors.ts'
import type { PasskeyQuestion } from '../../src/contract/fields.ts'

/** The details of a refusal besides its code. */
export interface Details {
  /** Instead of the code's own sentence. */
  msg?: string
  fields?: Record<string, string>
  methods?: string[]
  reasons?: string[]
  passkey?: PasskeyQuestion
  retryAfterSeconds?: number
  allow?: string
}

/** An expected refusal. The only kind of error whose words reach a client. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: Details

  constructor(code: RefusalCode, details: Details = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

/** Refuses the call with a code of the contract's list. */
export function refuse(code: RefusalCode, details: Details = {}): never {
  throw new Refusal(code, details)
}

/** Refuses one field, as validation does. */
export function refuseField(field: string, msg: string): never {
  throw new Refusal('validation_failed', { msg, fields: { [field]: msg } })
}

/** The only place where an error becomes an answer: the words of a refusal, or one fixed sentence. */
export function answerError(error: unknown, requestId: string): Response {
  const refusal = findRefusal(error) ?? reportUnexpected(error, requestId)
  const [status] = REFUSALS[refusal.code]
  const { fields, methods, reasons, passkey, retryAfterSeconds, allow } = refusal.details
  const body: ErrorBody = { msg: describeRefusal(refusal), code: toPublicCode(refusal.code) }
  if (fields) body.fields = fields
  if (methods) body.methods = methods
  if (reasons) body.reasons = reasons
  if (passkey) body.passkey = passkey
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (status === 429 || status === 503)
    headers.set('Retry-After', String(Math.max(1, retryAfterSeconds ?? 30)))
  if (status === 401) headers.set('WWW-Authenticate', 'Bearer')
  if (allow) headers.set('Allow', allow)
  return new Response(JSON.stringify(body), { status, headers })
}

function describeRefusal({ code, details: { msg, retryAfterSeconds } }: Refusal): string {
  if (msg !== undefined) return msg
  if (code !== 'too_many_requests' || retryAfterSeconds === undefined) return REFUSALS[code][1]
  return `Too many tries. Please try again in ${waitWords(retryAfterSeconds)}.`
}

/** The refusal in an error, raised by code or database; null for an unexpected error. */
export function findRefusal(error: unknown): Refusal | null {
  return error instanceof Refusal ? error : (findDatabaseRefusal(error) ?? findStorageRefusal(error))
}

/**
 * `unavailable` if R2 failed and may succeed later: an internal error, an outage, or too many calls for one file
 * (https://developers.cloudflare.com/r2/api/error-codes/).
 */
function findStorageRefusal(error: unknown): Refusal | null {
  return /\((?:10001|10043|10058)\)/.test(joinMessages(error))
    ? new Refusal('unavailable', { retryAfterSeconds: 2 })
    : null
}

/** UNIQUE and NOT NULL constraints that stand for a rule of the contract. */
const RULES_OF_COLUMNS: readonly (readonly [string, RefusalCode])[] = [
  ['request_events.request', 'already_decided'],
  ['credit_approvals.request', 'conflict'],
  ['lock_liftings.investor', 'conflict'],
  ['kyc_submissions.user_id', 'kyc_open'],
  ['factor_recoveries.investor', 'conflict'],
  ['wallets.network', 'conflict'],
  ['saved_addresses.destination_hash', 'address_saved'],
  ['recovery_codes.code_hash', 'invalid_code'],
  ['thread_entries.thread', 'conflict'],
  ['passkeys.credential_id', 'passkey_exists'],
  ['passkey_challenges.challenge_hash', 'invalid_passkey'],
]

/**
 * The refusal behind a database error; null if no rule of ours was broken. Triggers raise a code of the contract as their
 * message.
 */
export function findDatabaseRefusal(error: unknown): Refusal | null {
  const text = joinMessages(error)
  const raised = /(?:^|[\s:])([a-z][a-z_]+): SQLITE_CONSTRAINT/.exec(text)?.[1]
  if (raised !== undefined && raised in REFUSALS) return new Refusal(raised as RefusalCode)
  const broken = /(?:UNIQUE|NOT NULL) constraint failed: ([a-z_.]+)/.exec(text)?.[1]
  const rule = RULES_OF_COLUMNS.find(([column]) => column === broken)
  if (rule) return new Refusal(rule[1])
  return PASSING_FAILURES.test(text) ? new Refusal('unavailable', { retryAfterSeconds: 2 }) : null
}

/**
 * D1's failures after which a repeated call may succeed: its database restarts, cannot be reached, or has too many calls
 * (https://developers.cloudflare.com/d1/observability/debug-d1/).
 */
const PASSING_FAILURES =
  /overloaded|SQLITE_BUSY|Network connection lost|reset because|storage operation exceeded timeout|(?:caused object to be|and was) reset|due to transient issue|because client disconnected|processing a long-running (?:export|import)/i

/** Whether the database refused a statement by this constraint: `violates(error, 'UNIQUE', 'users.email')`. */
export function isConstraintError(
  error: unknown,
  constraint: 'UNIQUE' | 'NOT NULL',
  column: string,
): boolean {
  return joinMessages(error).includes(`${constraint} constraint failed: ${column}`)
}

// Drizzle and D1 wrap SQLite's message in causes.
function joinMessages(error: unknown): string {
  let text = ''
  for (let at = error; at instanceof Error; at = at.cause) text += ` ${at.message}`
  return text
}

/**
 * The part of an error that may be logged: the message of its last cause, which comes from SQLite, the runtime or our own code.
 * Messages in front of it contain a statement's parameters, which may be confidential.
 */
export function getLogMessage(error: unknown): string {
  const last = getLastCause(error)
  const said = last instanceof Error ? last.message.split('\nparams:')[0] : 'unknown'
  return String(said).slice(0, 500)
}

function getLastCause(error: unknown): unknown {
  let last = error
  while (last instanceof Error && last.cause instanceof Error) last = last.cause
  return last
}

// Logged with the request's id, never echoed.
function reportUnexpected(error: unknown, requestId: string): Refusal {
  const last = getLastCause(error)
  const said = last instanceof Error ? `${last.name}: ${getLogMessage(last)}` : String(last)
  const stack = last instanceof Error ? last.stack?.split('\n').slice(1, 6).join('\n') : ''
  console.error(JSON.stringify({ level: 'error', requestId, error: said.slice(0, 500), stack }))
  return new Refusal('internal')
}

/** The waiting time in words, rounded up, so that the reader does not come back too early. */
export function waitWords(seconds: number): string {
  if (seconds < 60) return formatCount(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? formatCount(minutes, 'minute') : formatCount(Math.ceil(minutes / 60), 'hour')
}

function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
