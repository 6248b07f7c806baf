import type { Endpoint } from '../../src/contract/endpoint.ts'
import { SEALED_WORDS } from '../../src/contract/identity/kyc.ts'
import { MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../src/contract/uploads.ts'
import { inspectImage } from '../../src/pictures/inspect.ts'
import { refuse } from '../lib/errors.ts'
import { isAge, readAge } from '../lib/files/age.ts'
import type { ReadBody } from './body.ts'
import type { Picture, SealedUpload } from './call.ts'

interface Issue {
  readonly path?: readonly PropertyKey[]
  readonly message: string
}

/** A schema's field names in the order of the form; empty for a union of forms. */
function listFieldNames(endpoint: Endpoint): string[] {
  const { body } = endpoint
  const shape: unknown = body !== undefined && 'shape' in body ? body.shape : {}
  return Object.keys(shape ?? {})
}

// Rules about two fields run last, but their problems must not be reported last.
function sortProblems(
  problems: Readonly<Record<string, string>>,
  order: readonly string[],
): Record<string, string> {
  const getRank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(Object.entries(problems).sort(([a], [b]) => getRank(a) - getRank(b)))
}

/** Refuses with the problem of every failing field. `msg` is the first one in the order of the form. */
export function refuseFields(problems: Readonly<Record<string, string>>): never {
  const [first] = Object.values(problems)
  refuse('validation_failed', { ...(first !== undefined && { msg: first }), fields: { ...problems } })
}

/** The first problem of each failing field, in the schema's order. */
export function groupProblems(issues: readonly Issue[]): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path = [], message } of issues) {
    const field = path.map(String).join('.')
    // An issue without a path concerns the whole body: it was not an object.
    problems[field || 'body'] ??= message === DEFAULT_MESSAGE ? describeDefaultProblem(field) : message
  }
  return problems
}

// Zod's default message, for a wrong type or a repeated query field.
const DEFAULT_MESSAGE = 'Invalid input'

function describeDefaultProblem(field: string): string {
  return field === ''
    ? 'Please send an object of fields'
    : `Please send ${field} once, as what it is asked for`
}

/** Uploaded files; each is a picture, a PDF or encrypted. */
export interface Files {
  readonly pictures: Record<string, Picture>
  readonly pdfs: Record<string, Uint8Array<ArrayBuffer>>
  readonly sealed: Record<string, SealedUpload>
}

/** Validates fields and files. Refuses 422 with every problem of both. */
export function checkBody(endpoint: Endpoint, read: ReadBody): { body: unknown } & Files {
  const files: Files = { pictures: {}, pdfs: {}, sealed: {} }
  if (endpoint.body === undefined) return { body: undefined, ...files }
  const parsed = endpoint.body.safeParse(read.fields)
  const problems = parsed.success ? {} : groupProblems(parsed.error.issues)
  for (const [name, missing] of Object.entries(endpoint.files ?? {})) {
    if (canBeMissing(endpoint, read, name)) continue
    const problem = read.problems[name] ?? takeFile(endpoint, read, name, missing, files)
    if (problem !== null) problems[name] ??= problem
  }
  for (const [name, problem] of Object.entries(read.problems)) problems[name] = problem
  if (Object.keys(problems).length > 0) refuseFields(sortProblems(problems, listFieldNames(endpoint)))
  return { body: parsed.data, ...files }
}

/** Whether a file was not sent, and another field decides if it has to be. */
function canBeMissing({ optionalFiles = {} }: Endpoint, { files, fields }: ReadBody, name: string): boolean {
  const other = Object.hasOwn(optionalFiles, name) ? optionalFiles[name] : undefined
  return other !== undefined && !files.has(name) && Boolean(Reflect.get(Object(fields), other))
}

/** Adds a file to `pictures`, `pdfs` or `sealed`, or returns an error message. */
function takeFile(
  { takesEncrypted, takesPdf }: Endpoint,
  read: ReadBody,
  name: string,
  missing: string,
  { pictures, pdfs, sealed }: Files,
): string | null {
  const bytes = read.files.get(name)
  if (bytes === undefined) return missing
  if (bytes.length === 0) return UPLOAD_WORDS.empty
  // The client's own label counts only here: someone who believes a picture is encrypted must not send it plain.
  if (takesEncrypted !== undefined && (takesEncrypted === 'only' || read.encrypted.has(name))) {
    if (!isAge(bytes)) return SEALED_WORDS.notEncrypted
    const file = readAge(bytes)
    if (file === null) return SEALED_WORDS.badlyEncrypted
    sealed[name] = { ...file, bytes }
    return null
  }
  if (isAge(bytes)) return SEALED_WORDS.encrypted
  if (takesPdf && isPdf(bytes)) {
    if (bytes.length > MAX_UPLOAD_BYTES) return UPLOAD_WORDS.tooLarge
    if (!hasPdfEnd(bytes)) return UPLOAD_WORDS.damagedPdf
    pdfs[name] = bytes
    return null
  }
  const inspected = inspectImage(bytes)
  if (!inspected.ok)
    return takesPdf && inspected.msg === UPLOAD_WORDS.wrongType
      ? UPLOAD_WORDS.wrongDocumentType
      : inspected.msg
  // The inspection wrote within the bytes of the file.
  read.files.set(name, inspected.bytes)
  pictures[name] = inspected
  return null
}

const PDF_START = '%PDF-'
const PDF_END = '%%EOF'
/** Readers look for the end mark within the last kilobyte. */
const PDF_END_BYTES = 1024

function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, PDF_START.length)) === PDF_START
}

function hasPdfEnd(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(-PDF_END_BYTES)).includes(PDF_END)
}
