import type { Schema } from '../../../contract/openApi.ts'
import type { Call } from './reference.ts'

/** A call as a command for a shell. Placeholders in capitals are the reader's to fill in. */
export function formatCurl(call: Call, origin: string): string {
  const { type, fields } = getBody(call)
  const lines = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} '${buildAddress(call, origin)}'`,
    ...(isPublic(call) ? [] : [`-H 'Authorization: Bearer TOKEN'`]),
    ...(takesKey(call) ? [`-H 'Idempotency-Key: UNIQUE'`] : []),
    ...(type === 'json'
      ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(Object.fromEntries(fields))}'`]
      : []),
    ...(type === 'form' ? fields.map(([name, value]) => `-F '${name}=${String(value)}'`) : []),
  ]
  return lines.join(' \\\n  ')
}

/** The same call in TypeScript, with `fetch`. */
export function formatTypeScript(call: Call, origin: string): string {
  const { type, fields } = getBody(call)
  const headers = [
    ...(isPublic(call) ? [] : ["Authorization: 'Bearer ' + token"]),
    ...(takesKey(call) ? [`'Idempotency-Key': crypto.randomUUID()`] : []),
    ...(type === 'json' ? [`'Content-Type': 'application/json'`] : []),
  ]
  const options = [
    ...(call.method === 'GET' ? [] : [`method: '${call.method}',`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(type === 'json' ? [`body: JSON.stringify(${JSON.stringify(Object.fromEntries(fields))}),`] : []),
    ...(type === 'form' ? ['body: form,'] : []),
  ]
  const form =
    type === 'form'
      ? [
          'const form = new FormData()',
          ...fields.map(([name, value]) =>
            value === FILE ? `form.set('${name}', file)` : `form.set('${name}', '${String(value)}')`,
          ),
        ]
      : []
  const address = `'${buildAddress(call, origin)}'`
  const answer =
    options.length === 0
      ? [`const answer = await fetch(${address})`]
      : [`const answer = await fetch(${address}, {`, ...options.map((line) => `  ${line}`), '})']
  return [...form, ...answer].join('\n')
}

const FILE = '@FILE'

function isPublic(call: Call): boolean {
  return call['x-scope'] === undefined || call['x-scope'] === 'public'
}

function takesKey({ parameters = [] }: Call): boolean {
  return parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
}

/** The address with every parameter in the path in capitals, and the required ones of the query. */
function buildAddress({ path, parameters = [] }: Call, origin: string): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }) => `${name}=${String(buildValue(schema, name))}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  return `${origin}/api/v1${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

type Field = readonly [name: string, value: unknown]

function getBody({ requestBody }: Call): { type: 'json' | 'form' | 'none'; fields: readonly Field[] } {
  const [entry] = Object.entries(requestBody?.content ?? {})
  if (entry === undefined) return { type: 'none', fields: [] }
  const [media, { schema }] = entry
  return { type: media === 'application/json' ? 'json' : 'form', fields: listFields(schema) }
}

/** The required fields of an object, or all if none is required. */
function listFields({ properties = {}, required = [], anyOf, oneOf }: Schema): Field[] {
  const [choice] = anyOf ?? oneOf ?? []
  if (choice !== undefined) return listFields(choice)
  const names = required.length > 0 ? required : Object.keys(properties)
  return names.flatMap((name) => {
    const schema = properties[name]
    return schema === undefined ? [] : [[name, buildValue(schema, name)] as const]
  })
}

/** A value that shows the shape: the first choice, the smallest number, the field's name in capitals for a text. */
function buildValue(schema: Schema, name: string): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice !== undefined) return buildValue(choice, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return Object.fromEntries(listFields(schema))
  if (type === 'array') return schema.items ? [buildValue(schema.items, name)] : []
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return Math.max(1, schema.minimum ?? 1)
  if (schema.contentMediaType !== undefined) return FILE
  return /email/i.test(name) ? 'you@example.com' : name.toUpperCase()
}
