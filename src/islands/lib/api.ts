import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { toast } from '../../design/toasts.ts'
import { ApiFailure, createNetworkFailure, readFailure } from './ApiFailure.ts'
import { markUnreachable } from './connection.ts'
import { buildRequest, type Content, send, sendWithProgress } from './request.ts'
import { clearSession, getSession, leaveForSignIn } from './session.ts'

export interface CallOptions<B extends z.ZodMiniType, Q extends z.ZodMiniType> extends Content {
  query?: z.input<Q>
  body?: z.input<B>
  /** The key of a guest link, in place of the session's token. */
  bearer?: string
  /** Receives the share of the body that was sent, from 0 to 1. */
  onProgress?: (share: number) => void
  /**
   * Shows no toast for a failure; a function decides by the failure. The default is quiet for GET only, because the
   * screens that load data show the failure in place of the data.
   */
  quiet?: boolean | ((failure: ApiFailure) => boolean)
}

/**
 * Calls the API and returns the body of the answer, or undefined if it is empty. Throws an `ApiFailure`; this is the only
 * place that shows failures as toasts, unless `quiet`. If the session has ended, forgets it and opens /sign-in.
 */
export async function call<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q> = {},
): Promise<A> {
  return sendCall(endpoint, options, (response) => answerAs<A>(response))
}

export interface Page<Row> {
  rows: Row[]
  /** Pass it as `query.cursor` to get the next page; null on the last page. */
  nextCursor: string | null
}

/** Like `call`, for paginated lists. */
export async function callPage<B extends z.ZodMiniType, Q extends z.ZodMiniType, Row>(
  endpoint: Endpoint<B, Q, Row[]>,
  options: CallOptions<B, Q> = {},
): Promise<Page<Row>> {
  return sendCall(endpoint, options, async (response) => ({
    nextCursor: parseNextCursor(response.headers.get('Link')),
    rows: await answerAs<Row[]>(response),
  }))
}

/** Like `call`, for answers that are not JSON: pictures, documents, statements. */
export async function callBlob<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q> = {},
): Promise<Blob> {
  return sendCall(endpoint, options, (response) => response.blob())
}

async function sendCall<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, T>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const token = options.bearer ?? getSession()?.token
  const request = buildRequest(...toSearch(endpoint as Endpoint, options), token)
  const sendOnce = async () => {
    const response = await (options.onProgress
      ? sendWithProgress(request, options.onProgress)
      : send(request))
    if (!response.ok) throw await readFailure(response)
    return read(response)
  }
  try {
    const answer = await sendOnce().catch(async (error: unknown) => {
      if (renewal === null || endpoint.asksFactor || !isStaleFactor(error)) throw error
      await renewal()
      return sendOnce()
    })
    if (endpoint.method !== 'GET') onChange?.()
    return answer
  } catch (error) {
    const failure = toApiFailure(error, options.idempotencyKey !== undefined)
    handleFailure(endpoint as Endpoint, options, token, failure)
    throw failure
  }
}

/** A search for people goes by POST, so that names stand in no request log. */
function toSearch(endpoint: Endpoint, options: Content): [Endpoint, Content] {
  const { findsPeopleBy: field } = endpoint
  if (field === undefined) return [endpoint, options]
  const { [field]: person, ...filters } = { ...Object(options.query) }
  if (typeof person !== 'string' || person === '') return [endpoint, options]
  const search = { ...endpoint, method: 'POST', path: `${endpoint.path}/search` } as const
  return [search, { ...options, query: filters, body: { [field]: person } }]
}

let onChange: (() => void) | null = null

/** Sets what runs after each successful call that may have changed something. */
export function setChangeListener(listener: () => void): void {
  onChange = listener
}

let renewal: (() => Promise<unknown>) | null = null

/**
 * Sets how to renew the second factor of the session, or null. Calls that are refused because it is too old are then repeated,
 * unless they take a factor themselves.
 */
export function setFactorRenewal(renew: (() => Promise<unknown>) | null): void {
  renewal = renew
}

function isStaleFactor(error: unknown): boolean {
  return error instanceof ApiFailure && error.reasons?.includes('fresh_factor') === true
}

/** Handles a failure before it is thrown: an ended session leads to /sign-in, other failures are shown. */
function handleFailure(
  endpoint: Endpoint,
  {
    quiet = endpoint.method === 'GET',
    bearer,
  }: Pick<CallOptions<z.ZodMiniType, z.ZodMiniType>, 'quiet' | 'bearer'>,
  token: string | undefined,
  failure: ApiFailure,
): void {
  if (failure.status === 401 && endpoint.scope !== 'public' && bearer === undefined) {
    // Another tab may have signed in again: only the session that was refused is forgotten.
    if (getSession()?.token === token) {
      clearSession()
      leaveForSignIn('ended')
    }
  } else if (!(typeof quiet === 'function' ? quiet(failure) : quiet)) {
    toast.error(failure.msg)
  }
}

function toApiFailure(error: unknown, isRepeatable: boolean): ApiFailure {
  if (error instanceof ApiFailure) return error
  // Broken JSON comes from the server or a proxy. Any other error of `fetch` is a broken connection.
  if (error instanceof SyntaxError) return new ApiFailure(502, {})
  // The connection may have broken within the answer, after `send` had marked it as reachable.
  markUnreachable()
  return createNetworkFailure(isRepeatable)
}

/** Not validated again: the server builds the body from the endpoint's schema. */
async function answerAs<A>(response: Response): Promise<A> {
  return (response.status === 204 ? undefined : await response.json()) as A
}

function parseNextCursor(link: string | null): string | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return target === undefined ? null : new URL(target, location.origin).searchParams.get('cursor')
}
