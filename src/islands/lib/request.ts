import type { Endpoint } from '../../contract/endpoint.ts'
import { markReachable, markUnreachable } from './connection.ts'

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

/** Sends a request and answers whatever came back. No timeout of its own. Rejects only when no answer came. */
export function send({ url, method, headers, body }: ApiRequest): Promise<Response> {
  return heard(fetch(url, { method, headers, body }))
}

/** As `send`, telling how much of the body has left, from 0 to 1: `fetch` cannot say that. */
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
  return heard(answer)
}

/** Remembers whether an answer came. */
function heard(answer: Promise<Response>): Promise<Response> {
  answer.then(markReachable, markUnreachable)
  return answer
}
