import { expect, type Page } from '@playwright/test'

/** The origin of the site and its API. */
export const origin = process.env.BASE_URL ?? 'http://localhost:8787'

/** Answers of a failing server, for `route.fulfill`. */
export const UNAVAILABLE = { status: 503, json: { msg: 'We cannot answer right now.', code: 'unavailable' } }
export const SERVER_ERROR = {
  status: 500,
  json: { msg: 'Something went wrong on our side.', code: 'internal' },
}

interface CallOptions {
  token?: string
  json?: unknown
  form?: Readonly<Record<string, string | Blob>>
  /** The time the development server takes for now (ISO 8601). */
  at?: string
  /** The network address of the sender, as the development server believes it. Default: that of this machine. */
  from?: string
  /** The origin of another server than the one of all tests. */
  server?: string
}

/** Calls the API without a browser and returns the response. */
export async function send(
  method: string,
  path: string,
  { token, json, form, at, from, server = origin }: CallOptions = {},
): Promise<Response> {
  const headers = new Headers()
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(timeHeader(at))) headers.set(name, value)
  if (from !== undefined) headers.set('CF-Connecting-IP', from)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const body = json === undefined ? formOf(form) : JSON.stringify(json)
  return fetch(`${server}/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) })
}

/** Holds back requests to this address until the returned function is called. */
export async function holdRequests(page: Page, url: string): Promise<() => void> {
  const release = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await release.promise
    await route.continue()
  })
  return release.resolve
}

/** The header that makes the development server answer as if it were this time (ISO 8601). */
export function timeHeader(at?: string): Record<string, string> {
  return at === undefined ? {} : { 'X-Development-Time': at }
}

/** Calls the API, fails unless it succeeds, and returns the body. */
export async function callApi<Answer>(method: string, path: string, options?: CallOptions): Promise<Answer> {
  const response = await send(method, path, options)
  const text = await response.text()
  expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true)
  return parsed<Answer>(text)
}

// Trusts the caller: `Answer` must be the type that the contract gives for the call.
function parsed<Answer>(text: string): Answer {
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

function formOf(fields: CallOptions['form']): FormData | undefined {
  if (fields === undefined) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
