import type { PasskeyQuestion } from '../../contract/fields.ts'
import { markUnreachable } from './connection.ts'

/**
 * Thrown by every failed call. Without an answer, `status` is 0 and `code` is `network_failure`: the server may or may not
 * have carried out the request.
 */
export class ApiFailure extends Error {
  readonly status: number
  /** A sentence to show to the user. */
  readonly msg: string
  /** The stable error code of the contract. */
  readonly code: string
  /** The sentence to show beside each field, by the field's name. */
  readonly fields: Readonly<Record<string, string>> | undefined
  /** The proofs that the server accepts: `passkey`, `totp`, `email`. */
  readonly methods: readonly string[] | undefined
  /** With `step_up_required`: why a proof is required. */
  readonly reasons: readonly string[] | undefined
  /** The challenge for a passkey, if the server accepts one. */
  readonly passkey: PasskeyQuestion | undefined

  constructor(status: number, body: Partial<Omit<ApiFailure, keyof Error | 'status'>>) {
    const msg = body.msg ?? UNREADABLE
    super(msg)
    this.name = 'ApiFailure'
    this.status = status
    this.msg = msg
    this.code = typeof body.code === 'string' ? body.code : 'unreadable_answer'
    this.fields = body.fields
    this.methods = body.methods
    this.reasons = body.reasons
    this.passkey = body.passkey
  }
}

const UNREADABLE = 'The answer could not be read. Please try again.'

/** The failure of a call without an answer. `isRepeatable`: the call carried an idempotency key. */
export function createNetworkFailure(isRepeatable = false): ApiFailure {
  return new ApiFailure(0, {
    msg: (navigator.onLine === false ? OFFLINE : UNREACHED) + (isRepeatable ? NEVER_TWICE : ''),
    code: 'network_failure',
  })
}

const UNREACHED = 'We could not reach the server. Please check your connection and try again.'
const OFFLINE = 'We could not reach the server. You are offline.'
export const NEVER_TWICE = ' You can send it again unchanged: it will not be done twice.'

/** Reads the failure from an answer with an error status. A proxy may have sent it, so it need not be JSON. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => null)
  return new ApiFailure(response.status, isErrorBody(body) ? body : {})
}

/** A `msg` is shown even without a `code`, which the specification does not name. */
function isErrorBody(body: unknown): body is { msg: string } {
  return typeof body === 'object' && body !== null && 'msg' in body && typeof body.msg === 'string'
}

/** Whether a call got no answer. A module that failed to load is not an `ApiFailure`. */
export function isNetworkFailure(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status === 0
}

/** Shown when a call fails again and again although the server answers others. */
export const BLOCKED =
  'This could not be loaded, although our server answers. Your network or an extension may block it.'

/**
 * The sentence to show for a thrown error. A module that failed to load counts as a network failure. Any other unknown
 * error is a bug: it is logged and shown in general words.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiFailure) return error.msg
  if (isModuleLoadError(error)) {
    markUnreachable()
    return createNetworkFailure().msg
  }
  console.error(error)
  return 'Something went wrong on this page. Please reload it.'
}

// Each browser, and the style loader, words this error differently.
function isModuleLoadError(error: unknown): boolean {
  return error instanceof Error && /import|preload/i.test(error.message)
}
