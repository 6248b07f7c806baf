import type { Endpoint } from '../../../contract/endpoint.ts'
import { buildOpenApi, type OpenApi, type Operation } from '../../../contract/openApi.ts'
import { site } from '../../../site.ts'

/** One call of the API. */
export interface Call extends Operation {
  readonly method: string
  /** Below `/api/v1`, parameters as `{id}`. */
  readonly path: string
}

/** The calls about one thing: `withdrawals`, `operator deposits`. */
export interface Area {
  readonly name: string
  /** The last part of its address. */
  readonly slug: string
  readonly isForOperators: boolean
  readonly calls: readonly Call[]
}

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../../contract/**/*.ts', '!../../../contract/**/*.test.ts'],
  { eager: true },
)

/** Every endpoint that the contract exports. */
function listEndpoints(): Endpoint[] {
  return [...new Set(Object.values(modules).flatMap((module) => Object.values(module)))].filter(isEndpoint)
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'scope' in value
  )
}

/** The OpenAPI document, as `/api/v1/openapi.json` has it. */
function buildDocument(): OpenApi {
  return buildOpenApi(listEndpoints(), { brand: site.brand, origin: site.origin })
}

/** The calls by area, the public and investors' ones first. */
export function listAreas(): Area[] {
  const calls = Object.entries(buildDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Call => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      }),
    ),
  )
  const byName = Map.groupBy(calls, ({ tags }) => tags[0] ?? '')
  return [...byName]
    .map(
      ([name, calls]): Area => ({
        name,
        slug: name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase(),
        isForOperators: name.startsWith('operator'),
        calls: calls.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
      }),
    )
    .toSorted((a, b) => Number(a.isForOperators) - Number(b.isForOperators) || (a.name < b.name ? -1 : 1))
}
