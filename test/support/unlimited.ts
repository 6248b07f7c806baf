import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../worker/app.ts'
import { routes } from '../../worker/routes.ts'
import { ORIGIN } from './http.ts'
import { freshCode } from './people.ts'

const app = createApp(routes)

export interface Reply {
  readonly status: number
  readonly body: {
    readonly _id?: string
    readonly code?: string
    readonly msg?: string
    readonly reasons?: readonly string[]
  }
}

/** Like `send` with POST. If the amount needs the operator's factor, repeats the call with a code. */
export async function post(
  path: string,
  person: { readonly token: string; readonly id?: string; readonly secret?: string | null },
  body: Readonly<Record<string, unknown>>,
  isForm = false,
): Promise<Reply> {
  const reply = await send('POST', path, person, body, isForm)
  if (reply.body.reasons?.[0] !== 'bound_factor' || person.id === undefined || !person.secret) return reply
  const code = await freshCode({ id: person.id, secret: person.secret })
  return send('POST', path, person, { ...body, code }, isForm)
}

/** Sends through the whole application with rate limits off, because a random sequence is longer than a person's day. */
export async function send(
  method: string,
  path: string,
  { token }: { readonly token: string },
  body?: Readonly<Record<string, unknown>>,
  isForm = false,
): Promise<Reply> {
  const headers = new Headers({ Authorization: `Bearer ${token}`, 'CF-Connecting-IP': '203.0.113.9' })
  const form = new FormData()
  if (isForm) for (const [name, value] of Object.entries(body ?? {})) form.set(name, value as string | Blob)
  else if (body !== undefined) headers.set('Content-Type', 'application/json')
  const context = createExecutionContext()
  const response = await app.fetch(
    new Request(`${ORIGIN}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: isForm ? form : JSON.stringify(body) }),
    }),
    { ...env, RATE_LIMITS: 'off' },
    context,
  )
  const answer = { status: response.status, body: (await response.json()) as Reply['body'] }
  await waitOnExecutionContext(context)
  return answer
}
