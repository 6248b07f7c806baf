import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { toast } from '../../design/toasts.ts'
import { ApiFailure, failureOf, networkFailure } from './ApiFailure.ts'
import { markUnreachable } from './connection.ts'
import { type Content, requestOf, send, sendWithProgress } from './request.ts'
import { currentSession, forgetSession, leaveForSignIn } from './session.ts'

export interface CallOptions<B extends z.ZodMiniType, Q extends z.ZodMiniType> extends Content {
  query?: z.input<Q>
  body?: z.input<B>
  /** How much of the body has left, from 0 to 1. */
  onProgress?: (share: number) => void
  /**
   * No toast for a failure: because the screen says it in its own place, or nobody needs to know. A function decides by
   * the failure. Left out, a GET is quiet, since what shows its answer also shows that there is none.
   */
  quiet?: boolean | ((failure: ApiFailure) => boolean)
}

/**
 * Makes a call of the API and answers its body, undefined where there is none. Throws an `ApiFailure`, after saying it
 * in a toast unless `quiet`: the one place where that is done. A session that the server no longer knows is forgotten
 * and the page left for /sign-in.
 */
export async function call<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q> = {},
): Promise<A> {
  return deliver(endpoint, options, (response) => answerAs<A>(response))
}

export interface Page<Row> {
  rows: Row[]
  /** Give it as `query.cursor` for the next page; null on the last one. */
  nextCursor: string | null
}

/** As `call`, for a list that comes in pages. */
export async function callPage<B extends z.ZodMiniType, Q extends z.ZodMiniType, Row>(
  endpoint: Endpoint<B, Q, Row[]>,
  options: CallOptions<B, Q> = {},
): Promise<Page<Row>> {
  return deliver(endpoint, options, async (response) => ({
    nextCursor: nextCursorOf(response.headers.get('Link')),
    rows: await answerAs<Row[]>(response),
  }))
}

/** As `call`, for what is not JSON: pictures, documents, statements. */
export async function callBlob<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q> = {},
): Promise<Blob> {
  return deliver(endpoint, options, (response) => response.blob())
}

async function deliver<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, T>(
  endpoint: Endpoint<B, Q, A>,
  options: CallOptions<B, Q>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const token = currentSession()?.token
  const request = requestOf(endpoint as Endpoint, options, token)
  try {
    const response = await (options.onProgress
      ? sendWithProgress(request, options.onProgress)
      : send(request))
    if (!response.ok) throw await failureOf(response)
    return await read(response)
  } catch (error) {
    throw settle(endpoint as Endpoint, options, token, asFailure(error, options.idempotencyKey !== undefined))
  }
}

/** Does what a failure asks for beyond being thrown. */
function settle(
  endpoint: Endpoint,
  { quiet = endpoint.method === 'GET' }: Pick<CallOptions<z.ZodMiniType, z.ZodMiniType>, 'quiet'>,
  token: string | undefined,
  failure: ApiFailure,
): ApiFailure {
  if (failure.status === 401 && endpoint.scope !== 'public') {
    // Another tab may have signed in again meanwhile: its session is not the one that was refused.
    if (currentSession()?.token === token) {
      forgetSession()
      leaveForSignIn('ended')
    }
  } else if (!(typeof quiet === 'function' ? quiet(failure) : quiet)) {
    toast.error(failure.msg)
  }
  return failure
}

function asFailure(error: unknown, isRepeatable: boolean): ApiFailure {
  if (error instanceof ApiFailure) return error
  // Broken JSON on a success is the server's or a proxy's doing. All else that `fetch` rejects with is a lost connection.
  if (error instanceof SyntaxError) return new ApiFailure(502, {})
  // It may have been lost within the answer.
  markUnreachable()
  return networkFailure(isRepeatable)
}

/** The body as the endpoint's schema says: the server builds it from that schema, so it isn't parsed again. */
async function answerAs<A>(response: Response): Promise<A> {
  return (response.status === 204 ? undefined : await response.json()) as A
}

function nextCursorOf(link: string | null): string | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return target === undefined ? null : new URL(target, location.origin).searchParams.get('cursor')
}
