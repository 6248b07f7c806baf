import type { Endpoint } from '../../contract/endpoint.ts'
import { markReachable, markUnreachable } from './connection.ts'
import { takeEarly } from './early.ts'
import { recordServerTime } from './serverTime.ts'

/** The content of a call. */
export interface Content {
  /** Fills in `:id` in the path. */
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

/** Builds the request for an endpoint: URL, credentials and body. */
export function buildRequest(endpoint: Endpoint, content: Content, token: string | undefined): ApiRequest {
  const headers: Record<string, string> = { Accept: endpoint.answerType ?? 'application/json' }
  if (token !== undefined && endpoint.scope !== 'public') headers.Authorization = `Bearer ${token}`
  if (endpoint.method !== 'GET') Object.assign(headers, buildSameSiteHeader())
  if (content.idempotencyKey !== undefined) headers['Idempotency-Key'] = content.idempotencyKey
  const body = buildBody(endpoint, content)
  // For a form, the browser sets the type, because it chooses the boundary.
  if (typeof body === 'string') headers['Content-Type'] = 'application/json'
  return { method: endpoint.method, url: buildUrl(endpoint, content), headers, body }
}

/** The address of a call, with its parameters. */
export function buildUrl(
  endpoint: Pick<Endpoint, 'path'>,
  { params = {}, query }: Pick<Content, 'params' | 'query'> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(listGivenFields(query)).toString()
  return `${BASE}${path}${search && `?${search}`}`
}

function buildBody(endpoint: Endpoint, { body, files = {} }: Content): string | FormData | null {
  if (endpoint.accepts !== 'form' && Object.keys(files).length === 0)
    return body === undefined ? null : JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of listGivenFields(body)) form.append(name, value)
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name)
  return form
}

// Undefined, null and blank values are left out of the URL and of forms.
function listGivenFields(fields: unknown): [name: string, value: string][] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
}

// The server sets the cookie with its first answer, and requires the header only from then on.
function buildSameSiteHeader(): Record<string, string> {
  const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  return token === undefined ? {} : { 'X-XSRF-TOKEN': token }
}

/**
 * Sends a request, unless the page sent it before its scripts loaded. Resolves for every status, rejects only without an answer. Has
 * no timeout.
 */
export function send({ url, method, headers, body }: ApiRequest): Promise<Response> {
  const early = method === 'GET' ? takeEarly(url, headers.Authorization) : undefined
  return trackReachability(early ?? fetch(url, { method, headers, body }))
}

/** Like `send`, and reports the share of the body that was sent, from 0 to 1, which `fetch` cannot. */
export function sendWithProgress(
  { url, method, headers, body }: ApiRequest,
  onProgress: (share: number) => void,
): Promise<Response> {
  const answer = new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      const { status, responseText } = request
      const type = request.getResponseHeader('Content-Type') ?? 'application/json'
      resolve(
        new Response(status === 204 ? null : responseText, { status, headers: { 'Content-Type': type } }),
      )
    }
    request.onerror = () => reject(new TypeError('no answer'))
    request.onabort = request.onerror
    request.send(body)
  })
  return trackReachability(answer)
}

/** Records whether the server answered. */
function trackReachability(answer: Promise<Response>): Promise<Response> {
  answer.then(({ headers }) => {
    markReachable()
    recordServerTime(headers)
  }, markUnreachable)
  return answer
}
