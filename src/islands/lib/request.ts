import type { Endpoint } from '../../contract/endpoint.ts'

/** What one call sends beside the endpoint itself. */
export interface Content {
  /** By name, what stands for `:id` in the path. */
  params?: Readonly<Record<string, string>> | undefined
  query?: unknown
  body?: unknown
  files?: Readonly<Record<string, File>> | undefined
  idempotencyKey?: string | undefined
}

export interface ApiRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | FormData | null
}

const BASE = '/api/v1'

/** The request for an endpoint: address, credentials and body as the contract wants them. */
export function requestOf(endpoint: Endpoint, content: Content, token: string | undefined): ApiRequest {
  const headers: Record<string, string> = { Accept: endpoint.answerType ?? 'application/json' }
  if (token !== undefined && endpoint.scope !== 'public') headers.Authorization = `Bearer ${token}`
  if (endpoint.method !== 'GET') Object.assign(headers, sameSiteHeader())
  if (content.idempotencyKey !== undefined) headers['Idempotency-Key'] = content.idempotencyKey
  const body = bodyOf(endpoint, content)
  // A form's own type carries its boundary, which the browser alone knows.
  if (typeof body === 'string') headers['Content-Type'] = 'application/json'
  return { method: endpoint.method, url: urlOf(endpoint, content), headers, body }
}

function urlOf(endpoint: Endpoint, { params = {}, query }: Content): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(given(query)).toString()
  return `${BASE}${path}${search && `?${search}`}`
}

function bodyOf(endpoint: Endpoint, { body, files = {} }: Content): string | FormData | null {
  if (endpoint.accepts !== 'form' && Object.keys(files).length === 0)
    return body === undefined ? null : JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of given(body)) form.append(name, value)
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name)
  return form
}

// Undefined, null and blank all mean "not given", which in an address or a form is said by leaving it out.
function given(fields: unknown): [name: string, value: string][] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
}

// The server sets the cookie on its first answer; until then nothing is expected.
function sameSiteHeader(): Record<string, string> {
  const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  return token === undefined ? {} : { 'X-XSRF-TOKEN': token }
}
