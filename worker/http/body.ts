import * as z from 'zod/mini'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { AGE_TYPE, MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../src/contract/uploads.ts'
import { Refusal, refuse } from '../lib/errors.ts'

const MAX_JSON_BYTES = 1024 * 1024
// Room for the fields beside a file: many times the fourteen fields of a bank withdrawal.
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 256 * 1024

/** A body that was read but not yet validated. */
export interface ReadBody {
  /** Not always an object; the schema checks that. */
  readonly fields: unknown
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  /** Names of the files that the client marked as encrypted. */
  readonly encrypted: ReadonlySet<string>
  /** Malformed parts: sent twice, or a file in place of text. */
  readonly problems: Readonly<Record<string, string>>
}

const EMPTY: ReadBody = { fields: {}, files: new Map(), encrypted: new Set(), problems: {} }

/** Reads the body as the endpoint expects it. Refuses 413 (too large), 415 (another type) or 400 (unreadable). */
export async function readBody(request: Request, endpoint: Endpoint): Promise<ReadBody> {
  if (endpoint.body === undefined) return EMPTY
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const accepts = endpoint.accepts ?? 'json'
  if (accepts === 'anything')
    return {
      ...EMPTY,
      fields: await fieldsOfQueryAndBody(request, type, await readCapped(request, MAX_JSON_BYTES)),
    }
  const isForm = type === 'multipart/form-data'
  const bytes = await readCapped(request, isForm && accepts !== 'json' ? MAX_FORM_BYTES : MAX_JSON_BYTES)
  if (isForm && accepts !== 'json') return readForm(request, bytes, endpoint)
  // A POST without body and type, as programs send it if there are no fields.
  if (bytes.length === 0 && (type === '' || isOptional(endpoint))) return EMPTY
  if (accepts === 'form' || !isJson(type)) refuse('unsupported_media_type')
  return { ...EMPTY, fields: parseJson(bytes) }
}

function isJson(type: string): boolean {
  return /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)
}

// No field is required, so an empty body equals an empty object.
function isOptional(endpoint: Endpoint): boolean {
  return endpoint.body?.safeParse(undefined).success ?? true
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return UNLIKE_MONEY.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text)
  } catch {
    return refuse('invalid_json')
  }
}

const UNLIKE_MONEY = /\d(?:[eE]|\.\d{3})/

// `1e3` and `5.000` parse to 1000 and 5, but are not ways to write an amount. Such a number stays text.
function asWritten(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && UNLIKE_MONEY.test(source) ? source : value
}

async function readForm(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  endpoint: Endpoint,
): Promise<ReadBody> {
  const form = await formOf(request, bytes).catch(() => refuse('invalid_form'))
  const expected = endpoint.files ?? {}
  const known = new Set(endpoint.body instanceof z.ZodMiniObject ? Object.keys(endpoint.body.shape) : [])
  const fields: Record<string, unknown> = Object.create(null)
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const encrypted = new Set<string>()
  const problems: Record<string, string> = {}
  for (const name of new Set(form.keys())) {
    const parts = form.getAll(name)
    const [part] = parts
    if (Object.hasOwn(expected, name)) {
      const sent = parts.filter(
        (each): each is File => each instanceof File && (each.size > 0 || each.name !== ''),
      )
      if (sent.length > 1) problems[name] = UPLOAD_WORDS.several
      const [file] = sent
      if (file === undefined) continue
      if (file.size > MAX_UPLOAD_BYTES) refuse('payload_too_large')
      files.set(name, new Uint8Array(await file.arrayBuffer()))
      if (file.type.toLowerCase() === AGE_TYPE) encrypted.add(name)
    } else if (parts.length === 1 && typeof part === 'string') {
      fields[name] = part
    } else if (known.has(name)) {
      problems[name] = parts.length > 1 ? 'Please send this field once' : 'Please send this field as text'
    }
  }
  return { fields: { ...fields }, files, encrypted, problems }
}

function formOf(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  return new Response(bytes, {
    headers: { 'Content-Type': request.headers.get('Content-Type') ?? '' },
  }).formData()
}

// Mail programs that follow a mailed link send bodies of their own, so the link's parameters come first.
async function fieldsOfQueryAndBody(
  request: Request,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Record<string, unknown>> {
  const query = [...new URL(request.url).searchParams].filter(([, value]) => value !== '')
  return { ...(await fieldsOfBody(request, type, bytes)), ...Object.fromEntries(query) }
}

async function fieldsOfBody(
  request: Request,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Record<string, unknown>> {
  try {
    if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded')
      return Object.fromEntries(await formOf(request, bytes))
    const value: unknown = isJson(type) ? parseJson(bytes) : null
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

// Content-Length may be missing or wrong, so the received bytes are counted.
async function readCapped(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('Content-Length') ?? 0) > max) refuse('payload_too_large')
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.length
      if (size > max) refuse('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    refuse('bad_request')
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
