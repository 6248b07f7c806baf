import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../worker/app.ts'
import type { Env } from '../../worker/lib/env.ts'
import { routes } from '../../worker/routes.ts'
import { countQueries, type QueryCost } from './counting.ts'
import { type AnyBody, type CallOptions, ORIGIN, type Reply, readReply, requestOf } from './http.ts'

type Bindings = Partial<Record<keyof Env, unknown>>

const app = createApp(routes)

/** As `send`, to a Worker with other bindings, and with its own clock if one is given. Also waits for the work after the answer. */
export async function sendWith(
  bindings: Bindings,
  method: string,
  path: string,
  options: CallOptions = {},
  now?: () => number,
): Promise<Response> {
  const context = createExecutionContext()
  const request = requestOf(method, `${bindings.PUBLIC_ORIGIN ?? ORIGIN}/api/v1${path}`, options)
  const clocked = now === undefined ? app : createApp(routes, now)
  const answer = await clocked.fetch(request, { ...env, ...bindings }, context)
  const { status, headers } = answer
  const body = await answer.arrayBuffer()
  await waitOnExecutionContext(context)
  return new Response(body.byteLength === 0 ? null : body, { status, headers })
}

/** As `call`, to a Worker with other bindings. */
export async function callWith<T = AnyBody>(
  bindings: Bindings,
  method: string,
  path: string,
  options: CallOptions = {},
  now?: () => number,
): Promise<Reply<T>> {
  return readReply(await sendWith(bindings, method, path, options, now))
}

/** As `call`, with the work of the database up to the answer. What the Worker does later does not count. */
export async function callCounted<T = AnyBody>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply<T> & { readonly counted: QueryCost }> {
  const { binding, counted } = countQueries(env.DB)
  const context = createExecutionContext()
  const request = requestOf(method, `${ORIGIN}/api/v1${path}`, options)
  const response = await app.fetch(request, { ...env, DB: binding }, context)
  const atAnswer = { ...counted }
  const reply = await readReply<T>(response)
  await waitOnExecutionContext(context)
  return { ...reply, counted: atAnswer }
}
