import { expect } from '@playwright/test'

/** Where the site and its API are. */
export const origin = process.env.BASE_URL ?? 'http://localhost:8787'

interface Sent {
  token?: string
  json?: unknown
  form?: Readonly<Record<string, string | Blob>>
  /** When it is made, where that isn't now. */
  at?: string
}

/** Makes a call of the API as a program would, without a browser. */
export async function send(
  method: string,
  path: string,
  { token, json, form, at }: Sent = {},
): Promise<Response> {
  const headers = new Headers()
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(madeAt(at))) headers.set(name, value)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const body = json === undefined ? formOf(form) : JSON.stringify(json)
  return fetch(`${origin}/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) })
}

/** What says to the development server when a request is made. */
export function madeAt(at?: string): Record<string, string> {
  return at === undefined ? {} : { 'X-Development-Time': at }
}

/** As `send`, for what has to succeed; answers the body. */
export async function ask<Answer>(method: string, path: string, sent?: Sent): Promise<Answer> {
  const response = await send(method, path, sent)
  const text = await response.text()
  expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true)
  return parsed<Answer>(text)
}

// The caller names what the contract says that the call answers.
function parsed<Answer>(text: string): Answer {
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

function formOf(fields: Sent['form']): FormData | undefined {
  if (fields === undefined) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
