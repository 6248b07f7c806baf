import * as z from 'zod/mini'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { AGE_TYPE, MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../src/contract/uploads.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { refuse } from '../lib/errors.ts'
import { type FormPart, readParts } from './form.ts'

const MAX_TEXT_BYTES = 1024 * 1024
/** From a stranger: many times the longest message. */
const MAX_PUBLIC_BYTES = 512 * 1024
// Room for the fields beside a file: many times the fourteen fields of a bank withdrawal.
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 256 * 1024
/** The most parts of a form, and the most fields of any body. */
const MAX_FIELDS = 200

/** A body that was read but not yet validated. */
export interface ReadBody {
  /** Not always an object; the schema checks that. */
  readonly fields: unknown
  /** Views of the body's own bytes. A checked picture takes the place of the file that was sent. */
  readonly files: Map<string, Uint8Array<ArrayBuffer>>
  /** SHA-256 of each file as it was sent, in hex. */
  readonly fileHashes: ReadonlyMap<string, string>
  /** Names of the files that the client marked as encrypted. */
  readonly encrypted: ReadonlySet<string>
  /** Malformed parts: sent twice, or a file in place of text. */
  readonly problems: Readonly<Record<string, string>>
}

const NO_BODY: ReadBody = {
  fields: {},
  files: new Map(),
  fileHashes: new Map(),
  encrypted: new Set(),
  problems: {},
}

/** A body as its headers announce it. */
export interface AnnouncedBody {
  readonly kind: 'none' | 'json' | 'form' | 'anything'
  readonly type: string
  readonly maxBytes: number
}

/** Reads the headers of a body that the endpoint expects. Refuses 415 (another type) or 413 (too large). */
export function readAnnouncedBody(request: Request, endpoint: Endpoint): AnnouncedBody {
  const type = (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const kind = pickBodyKind(request, endpoint, type)
  const maxBytes =
    endpoint.scope === 'public' ? MAX_PUBLIC_BYTES : endpoint.files ? MAX_FORM_BYTES : MAX_TEXT_BYTES
  if (kind !== 'none' && Number(request.headers.get('Content-Length') ?? 0) > maxBytes)
    refuse('payload_too_large')
  return { kind, type, maxBytes }
}

function pickBodyKind(request: Request, endpoint: Endpoint, type: string): AnnouncedBody['kind'] {
  if (endpoint.body === undefined) return 'none'
  const accepts = endpoint.accepts ?? 'json'
  if (accepts === 'anything') return 'anything'
  if (type === 'multipart/form-data' && accepts !== 'json') return 'form'
  // A POST without body and type, as programs send it if there are no fields.
  const isEmpty = request.body === null || request.headers.get('Content-Length') === '0'
  if (isEmpty && (type === '' || isOptional(endpoint))) return 'none'
  if (accepts !== 'form' && (isJson(type) || type === '')) return 'json'
  return refuse('unsupported_media_type')
}

/** Reads a body. Refuses 413 (too large), 415 (a body without a type) or 400 (unreadable, too many parts or fields). */
export async function readBody(
  request: Request,
  endpoint: Endpoint,
  { kind, type, maxBytes }: AnnouncedBody,
): Promise<ReadBody> {
  if (kind === 'none') return NO_BODY
  const bytes = await readCapped(request, maxBytes)
  if (kind === 'anything') return { ...NO_BODY, fields: parseQueryAndBodyFields(request, type, bytes) }
  if (kind === 'form') return readForm(request, bytes, endpoint)
  if (bytes.length === 0 && (type === '' || isOptional(endpoint))) return NO_BODY
  if (type === '') refuse('unsupported_media_type')
  const fields = parseJson(bytes)
  if (typeof fields === 'object' && fields !== null && Object.keys(fields).length > MAX_FIELDS)
    refuse('bad_request', { msg: `Please send ${MAX_FIELDS} fields at most.` })
  return { ...NO_BODY, fields }
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
    const value: unknown = JSON.parse(text)
    return UNLIKE_MONEY.test(text) ? JSON.parse(text.replace(TEXT_OR_NUMBER, quoteOddNumber)) : value
  } catch {
    return refuse('invalid_json')
  }
}

const UNLIKE_MONEY = /\d(?:[eE]|\.\d{3})/
// A reviver of JSON.parse takes twenty times as long.
const TEXT_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

// `1e3` and `5.000` parse to 1000 and 5, but are not ways to write an amount. Such a number becomes text.
function quoteOddNumber(token: string): string {
  return token[0] !== '"' && UNLIKE_MONEY.test(token) ? `"${token}"` : token
}

/** Reads the parts of a form in one pass. */
async function readForm(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  endpoint: Endpoint,
): Promise<ReadBody> {
  const expected = endpoint.files ?? {}
  const known = new Set(endpoint.body instanceof z.ZodMiniObject ? Object.keys(endpoint.body.shape) : [])
  const fields = new Map<string, string>()
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const fileHashes = new Map<string, string>()
  const encrypted = new Set<string>()
  const problems: Record<string, string> = {}
  const seen = new Set<string>()
  for (const part of readFormParts(request, bytes)) {
    const { name, file } = part
    if (Object.hasOwn(expected, name)) {
      // Browsers send a file field without a file as an empty part.
      if (file === null || (part.bytes.length === 0 && file.name === '')) continue
      if (part.bytes.length > MAX_UPLOAD_BYTES) refuse('payload_too_large')
      if (files.has(name)) {
        problems[name] = UPLOAD_WORDS.several
        continue
      }
      files.set(name, part.bytes)
      fileHashes.set(name, await sha256Hex(part.bytes))
      if (file.type === AGE_TYPE) encrypted.add(name)
    } else if (seen.has(name)) {
      fields.delete(name)
      if (known.has(name)) problems[name] = 'Please send this field once'
    } else if (file === null) {
      fields.set(name, decodePart(part))
    } else if (known.has(name)) {
      problems[name] = 'Please send this field as text'
    }
    seen.add(name)
  }
  return { fields: Object.fromEntries(fields), files, fileHashes, encrypted, problems }
}

/** Takes a form apart. Refuses one with too many parts. */
function readFormParts(request: Request, bytes: Uint8Array<ArrayBuffer>): FormPart[] {
  const type = request.headers.get('Content-Type') ?? ''
  return readParts(type, bytes, MAX_FIELDS) ?? refuse('invalid_form')
}

function decodePart({ bytes }: FormPart): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

// Mail programs that follow a mailed link send bodies of their own, so the link's parameters come first.
function parseQueryAndBodyFields(
  request: Request,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Record<string, unknown> {
  const query = [...new URL(request.url).searchParams].filter(([, value]) => value !== '')
  return { ...parseBodyFields(request, type, bytes), ...Object.fromEntries(query) }
}

function parseBodyFields(
  request: Request,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Record<string, unknown> {
  try {
    if (type === 'multipart/form-data')
      return Object.fromEntries(
        readFormParts(request, bytes).flatMap((part) =>
          part.file === null ? [[part.name, decodePart(part)]] : [],
        ),
      )
    if (type === 'application/x-www-form-urlencoded')
      return bytes.filter((byte) => byte === AMPERSAND).length > MAX_FIELDS
        ? {}
        : Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
    const value: unknown = isJson(type) ? parseJson(bytes) : null
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const AMPERSAND = 38

/**
 * Reads a body. One of an announced length becomes one buffer without chunks that stay until memory is collected, because four
 * large uploads at once must fit into memory. Without a length the received bytes are counted and the buffer grows.
 */
async function readCapped(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return new Uint8Array()
  if (Number(request.headers.get('Content-Length') ?? 0) > 0) {
    const whole = await request.arrayBuffer().catch(() => refuse('bad_request'))
    return whole.byteLength > maxBytes ? refuse('payload_too_large') : new Uint8Array(whole)
  }
  let buffer = new ArrayBuffer(0)
  let size = 0
  for await (const chunk of readChunks(request.body)) {
    const end = size + chunk.length
    if (end > maxBytes) refuse('payload_too_large')
    // Unlike a copy, this frees the old buffer at once.
    if (end > buffer.byteLength) buffer = buffer.transfer(Math.min(2 * end, maxBytes))
    new Uint8Array(buffer).set(chunk, size)
    size = end
  }
  return new Uint8Array(buffer, 0, size)
}

async function* readChunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  try {
    yield* body
  } catch {
    refuse('bad_request')
  }
}
