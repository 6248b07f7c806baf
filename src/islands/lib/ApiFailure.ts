import type { PasskeyQuestion } from '../../contract/fields.ts'
import { markUnreachable } from './connection.ts'

/**
 * What a call that failed throws, whatever the reason. `status` is 0 and `code` `network_failure` when no answer came:
 * whether anything happened on the server is then unknown.
 */
export class ApiFailure extends Error {
  readonly status: number
  /** A sentence for a person. */
  readonly msg: string
  /** The contract's stable word. */
  readonly code: string
  /** By name of the field, the sentence that belongs beside it. */
  readonly fields: Readonly<Record<string, string>> | undefined
  /** How what is missing can be proven: `passkey`, `totp`, `email`. */
  readonly methods: readonly string[] | undefined
  /** Why it is asked for, with `step_up_required`. */
  readonly reasons: readonly string[] | undefined
  /** What a passkey is asked to sign, where one can prove what is missing. */
  readonly passkey: PasskeyQuestion | undefined

  constructor(status: number, body: Partial<Omit<ApiFailure, keyof Error | 'status'>>) {
    const msg = body.msg ?? UNREADABLE
    super(msg)
    this.name = 'ApiFailure'
    this.status = status
    this.msg = msg
    this.code = body.code ?? 'unreadable_answer'
    this.fields = body.fields
    this.methods = body.methods
    this.reasons = body.reasons
    this.passkey = body.passkey
  }
}

const UNREADABLE = 'The answer could not be read. Please try again.'

/** No answer came. `isRepeatable` says that the server would know the same thing sent again. */
export function networkFailure(isRepeatable = false): ApiFailure {
  return new ApiFailure(0, {
    msg: (navigator.onLine === false ? OFFLINE : UNREACHED) + (isRepeatable ? NEVER_TWICE : ''),
    code: 'network_failure',
  })
}

const UNREACHED = 'We could not reach the server. Please check your connection and try again.'
const OFFLINE = 'We could not reach the server. You are offline: please try again once you are back.'
const NEVER_TWICE = ' Sent again as it is, it will not be done twice.'

/** The failure that an answer with an error status stands for; such an answer may come from a proxy and not be JSON. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => null)
  return new ApiFailure(response.status, isErrorBody(body) ? body : {})
}

function isErrorBody(body: unknown): body is { msg: string; code: string } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'msg' in body &&
    typeof body.msg === 'string' &&
    'code' in body &&
    typeof body.code === 'string'
  )
}

/** The sentence for what a load threw. What is neither the API's failure nor a part of the page that didn't come is a fault of ours: logged, and said in general words. */
export function failureWords(error: unknown): string {
  if (error instanceof ApiFailure) return error.msg
  if (isUnfetched(error)) {
    markUnreachable()
    return networkFailure().msg
  }
  console.error(error)
  return 'Something went wrong on this page. Please reload it.'
}

// Each browser, and the loader of styles, has its own words for a module that could not be fetched.
function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /import|preload/i.test(error.message)
}
