import type { Endpoint } from '../../src/contract/endpoint.ts'
import { UPLOAD_WORDS } from '../../src/contract/uploads.ts'
import { inspectImage } from '../../src/pictures/inspect.ts'
import type { ReadBody } from './body.ts'
import type { Picture } from './call.ts'
import { refuse } from './errors.ts'

interface Issue {
  readonly path?: readonly PropertyKey[]
  readonly message: string
}

/** The names of a schema's fields, in the order of the form; none for a choice between forms. */
function fieldOrder(endpoint: Endpoint): string[] {
  const { body } = endpoint
  const shape: unknown = body !== undefined && 'shape' in body ? body.shape : {}
  return Object.keys(shape ?? {})
}

// Rules about two fields are looked at last, and must not be said last.
function inOrder(
  problems: Readonly<Record<string, string>>,
  order: readonly string[],
): Record<string, string> {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(Object.entries(problems).sort(([a], [b]) => rank(a) - rank(b)))
}

/** Refuses with every failing field's sentence; `msg` is the first one's, in the order of the form. */
export function refuseFields(problems: Readonly<Record<string, string>>): never {
  const [first] = Object.values(problems)
  refuse('validation_failed', { ...(first !== undefined && { msg: first }), fields: { ...problems } })
}

/** Each failing field's first sentence, in the schema's order. */
export function problemsOf(issues: readonly Issue[]): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { path = [], message } of issues) {
    const field = path.map(String).join('.')
    // An issue without a path is about the whole body: it was no object.
    problems[field || 'body'] ??= message === UNWORDED ? unwordedProblem(field) : message
  }
  return problems
}

// What the schemas say where nothing of our own is: of another type than asked for, or a query's field given twice.
const UNWORDED = 'Invalid input'

function unwordedProblem(field: string): string {
  return field === ''
    ? 'Please send an object of fields'
    : `Please send ${field} once, as what it is asked for`
}

/** The fields as the schema gives them and the pictures, or 422 with everything that is wrong with either. */
export function checkBody(
  endpoint: Endpoint,
  read: ReadBody,
): { body: unknown; pictures: Record<string, Picture> } {
  if (endpoint.body === undefined) return { body: undefined, pictures: {} }
  const parsed = endpoint.body.safeParse(read.fields)
  const problems = parsed.success ? {} : problemsOf(parsed.error.issues)
  const pictures: Record<string, Picture> = {}
  for (const [name, missing] of Object.entries(endpoint.files ?? {})) {
    const bytes = read.files.get(name)
    if (read.problems[name] !== undefined || bytes === undefined) {
      problems[name] ??= read.problems[name] ?? missing
      continue
    }
    const inspected =
      bytes.length === 0 ? { ok: false as const, msg: UPLOAD_WORDS.empty } : inspectImage(bytes)
    if (inspected.ok) pictures[name] = inspected
    else problems[name] = inspected.msg
  }
  for (const [name, problem] of Object.entries(read.problems)) problems[name] = problem
  if (Object.keys(problems).length > 0) refuseFields(inOrder(problems, fieldOrder(endpoint)))
  return { body: parsed.data, pictures }
}
