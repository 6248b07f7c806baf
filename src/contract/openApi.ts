import * as z from 'zod/mini'
import { type Endpoint, type Scope, searchBy } from './endpoint.ts'
import { REFUSALS, type RefusalCode, toPublicCode } from './errors.ts'
import { AGE_TYPE, PDF_TYPE } from './uploads.ts'

type Json = Record<string, unknown>

/** The parts of a JSON Schema (https://json-schema.org/draft/2020-12) that zod writes. */
export interface Schema {
  readonly $ref?: string
  /** Several where a value may be of one or the other. */
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema | false
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly contentMediaType?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

/** Schemas by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** The scope of the console, `signed-in` or `signed-in-or-key`. Absent for a public call. */
  readonly 'x-scope'?: Scope
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export type OpenApi = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json
}

/**
 * OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0) of these endpoints, from the schemas that validate and type them. Request
 * bodies are described before parsing.
 * @param about the brand, and the origin of the site such as `https://example.com`
 */
export function buildOpenApi(
  endpoints: readonly Endpoint[],
  { brand, origin }: { readonly brand: string; readonly origin: string },
): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints.flatMap((list) =>
    list.findsPeopleBy ? [list, searchBy(list)] : [list],
  )) {
    const path = endpoint.path.replace(/:([a-zA-Z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: buildOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} API`,
      version: '1',
      description:
        'Requests send money in USD as a JSON number or a decimal string. Answers contain it as a number, exact to the cent. Fields whose names end in `Cents` are whole cents. Lists are bare arrays, newest first unless a call says otherwise, paged by `limit` and `cursor`. The header `Link` names the next page.',
    },
    servers: [{ url: `${origin}/api/v1` }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: ERROR_SCHEMA },
    },
  }
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['msg', 'code'],
  properties: {
    msg: { type: 'string', description: 'A sentence a person can act on' },
    code: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    methods: { type: 'array', items: { type: 'string' } },
    reasons: { type: 'array', items: { type: 'string' } },
    passkey: {
      type: 'object',
      description:
        'Present if `methods` contains it: the challenge that a passkey signs, as PublicKeyCredentialRequestOptionsJSON of WebAuthn. Valid for one answer within five minutes',
    },
  },
}

function buildOperation(endpoint: Endpoint): Operation {
  const parameters = buildParameters(endpoint)
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-zA-Z]+([a-zA-Z])?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [getTag(endpoint)],
    summary: endpoint.summary,
    ...(endpoint.scope === 'public'
      ? { security: [] }
      : { security: listSecurity(endpoint.scope), 'x-scope': endpoint.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: buildRequestBody(endpoint) }),
    responses: { ...buildSuccess(endpoint), ...buildRefusals(endpoint) },
  }
}

function listSecurity(scope: Scope): Operation['security'] {
  if (scope === 'monitoring') return [{ monitoring: [] }]
  return scope === 'signed-in-or-key' ? [{ bearer: [] }, { key: [] }] : [{ bearer: [] }]
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, from `POST /auth/login`' },
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key for programs (`key_…`) or of a guest link (`guest_…`) that an investor created. It reads figures and changes nothing',
  },
  monitoring: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that an administrator created for a monitoring program (`monitoring_…`)',
  },
} as const

function getTag({ path }: Endpoint): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'operator' ? `operator ${second}` : first
}

function buildParameters(endpoint: Endpoint): Parameter[] {
  const inPath = [...endpoint.path.matchAll(/:([a-zA-Z]+)/g)].map(
    ([, name = '']): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }),
  )
  const { properties = {}, required = [] } = endpoint.query ? toSchema(endpoint.query) : {}
  const inQuery = Object.entries(properties).map(
    ([name, schema]): Parameter => ({ name, in: 'query', required: required.includes(name), schema }),
  )
  const inQueryOrBody = Object.entries(
    canTakeAnything(endpoint) ? (toSchema(endpoint.body).properties ?? {}) : {},
  ).map(
    ([name, schema]): Parameter => ({
      name,
      in: 'query',
      required: false,
      description: 'Here or in the body',
      schema,
    }),
  )
  const inHeader: Parameter[] = endpoint.idempotent
    ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
    : []
  return [...inPath, ...inQuery, ...inQueryOrBody, ...inHeader]
}

function canTakeAnything(endpoint: Endpoint): endpoint is Endpoint & { readonly body: z.ZodMiniType } {
  return endpoint.accepts === 'anything' && endpoint.body !== undefined
}

function buildRequestBody(endpoint: Endpoint): NonNullable<Operation['requestBody']> {
  if (canTakeAnything(endpoint)) {
    // Neither the query's nor the body's schema can say that a field is required in one of them.
    const { required: _, ...schema } = toSchema(endpoint.body)
    const content = { schema }
    return {
      required: false,
      content: {
        'application/json': content,
        'application/x-www-form-urlencoded': content,
        'multipart/form-data': content,
      },
    }
  }
  const schema: Schema = endpoint.body ? toSchema(endpoint.body) : {}
  const files = Object.fromEntries(
    Object.keys(endpoint.files ?? {}).map((name) => [
      name,
      { type: 'string', contentMediaType: getMediaType(endpoint) },
    ]),
  )
  const form = {
    ...schema,
    properties: { ...schema.properties, ...files },
    required: [
      ...(schema.required ?? []),
      ...Object.keys(files).filter((name) => !Object.hasOwn(endpoint.optionalFiles ?? {}, name)),
    ],
  }
  const accepts = endpoint.accepts ?? 'json'
  return {
    required: endpoint.body?.safeParse(undefined).success !== true,
    content: {
      ...(accepts !== 'form' && { 'application/json': { schema } }),
      ...(accepts !== 'json' && { 'multipart/form-data': { schema: form } }),
    },
  }
}

function getMediaType({ takesEncrypted, takesPdf }: Endpoint): string {
  if (takesPdf) return `image/*, ${PDF_TYPE}`
  return takesEncrypted === 'only' ? AGE_TYPE : takesEncrypted ? `image/*, ${AGE_TYPE}` : 'image/*'
}

function buildSuccess(endpoint: Endpoint): Operation['responses'] {
  if (endpoint.status === 204) return { 204: { description: 'Done' } }
  const content: Content = endpoint.answerType
    ? Object.fromEntries(
        endpoint.answerType.split(', ').map((type) => [type, { schema: { type: 'string' } }]),
      )
    : { 'application/json': { schema: endpoint.answer ? toSchema(endpoint.answer) : {} } }
  return {
    [endpoint.status]: { description: 'Success', content },
    ...(endpoint.statusAwaiting && {
      [endpoint.statusAwaiting]: { description: 'Awaits a second operator, or further signatures', content },
    }),
  }
}

function buildRefusals(endpoint: Endpoint): Operation['responses'] {
  const codes = new Set<RefusalCode>(['too_many_requests', ...(endpoint.refusals ?? [])])
  if (endpoint.body || endpoint.query) codes.add('validation_failed')
  if (endpoint.body) codes.add('payload_too_large')
  if (endpoint.body && !canTakeAnything(endpoint)) codes.add('invalid_json').add('unsupported_media_type')
  if (endpoint.method !== 'GET') codes.add('csrf_rejected')
  if (endpoint.scope !== 'public') codes.add('unauthorized')
  if (endpoint.scope.startsWith('operator')) codes.add('forbidden').add('two_factor_not_enabled')
  if (endpoint.scope === 'signed-in-or-key') codes.add('forbidden')
  if (endpoint.path.includes(':')) codes.add('not_found')
  if (endpoint.requires?.includes('unfrozen')) codes.add('account_frozen')
  if (endpoint.requires?.includes('kyc')) codes.add('kyc_required')
  if (endpoint.idempotent) {
    for (const code of [
      'idempotency_in_progress',
      'idempotency_key_reused',
      'invalid_idempotency_key',
    ] as const)
      codes.add(code)
  }
  const byStatus: Record<string, RefusalCode[]> = {}
  for (const code of codes) byStatus[REFUSALS[code][0]] = [...(byStatus[REFUSALS[code][0]] ?? []), code]
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${toPublicCode(code)}\`: ${REFUSALS[code][1]}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

// Parsed fields are described by their input. Anything that JSON Schema cannot express is left open.
function toSchema(schema: z.ZodMiniType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as Schema
}
