import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../worker/app.ts'
import { routes } from '../../worker/routes.ts'
import { type Counted, countQueries } from './counting.ts'
import { ORIGIN } from './http.ts'

export interface Cost {
  readonly status: number
  readonly body: { readonly _id: string; readonly msg: string }
  readonly link: string
  readonly counted: Counted
}

export interface CostOptions {
  readonly token: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string | Blob>>
  readonly key?: boolean
}

const app = createApp(routes)

/** Answers a request with a counting database. Work after the answer does not count. */
export async function cost(
  method: string,
  path: string,
  { token, json, form, key }: CostOptions,
): Promise<Cost> {
  const { binding, counted } = countQueries(env.DB)
  const headers = new Headers({ Authorization: `Bearer ${token}`, 'CF-Connecting-IP': '203.0.113.7' })
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  if (key) headers.set('Idempotency-Key', crypto.randomUUID())
  const data = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) data.set(name, value)
  const body = json !== undefined ? JSON.stringify(json) : form ? data : undefined
  const context = createExecutionContext()
  const request = new Request(`${ORIGIN}/api/v1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const response = await app.fetch(request, { ...env, DB: binding }, context)
  const atAnswer = { ...counted }
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json') && text !== ''
  const answer = (isJson ? JSON.parse(text) : {}) as Cost['body']
  await waitOnExecutionContext(context)
  return {
    status: response.status,
    body: answer,
    link: response.headers.get('Link') ?? '',
    counted: atAnswer,
  }
}
