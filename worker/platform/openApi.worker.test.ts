import { expect, test } from 'vitest'
import { searchBy } from '../../src/contract/endpoint.ts'
import { call } from '../../test/support/http.ts'
import { routes } from '../routes.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, unknown>>
}

interface Described {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const { body } = await call<Described>('GET', '/openapi.json')
const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
  })),
)

/** Of scopes that take other tokens than a session's. */
const SCHEMES: Readonly<Record<string, readonly object[]>> = {
  'signed-in-or-key': [{ bearer: [] }, { key: [] }],
  monitoring: [{ monitoring: [] }],
}

test('a public call says `security: []`, and every other one names the tokens that it takes', () => {
  const scopes = new Map(
    routes
      .flatMap(({ endpoint }) => (endpoint.findsPeopleBy ? [endpoint, searchBy(endpoint)] : [endpoint]))
      .map(({ method, path, scope }) => [`${method} ${path.replace(/:([a-zA-Z]+)/g, '{$1}')}`, scope]),
  )
  for (const { name, security } of operations) {
    const scope = scopes.get(name) ?? 'public'
    expect([name, security]).toEqual([name, scope === 'public' ? [] : (SCHEMES[scope] ?? [{ bearer: [] }])])
  }
  expect(operations.filter(({ security }) => security?.length === 0).length).toBeGreaterThanOrEqual(30)
})

// Of the rules that Redocly recommends, those that its linter counts as errors and that a change here could break:
// https://redocly.com/docs/cli/rules/recommended. `npx @redocly/cli lint <address>/api/v1/openapi.json` has them all.
test('the document follows Redocly’s recommended rules', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(body.servers.filter(({ url }) => url.endsWith('/'))).toEqual([])
  const shapes = Object.keys(body.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'))
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
  for (const { name, path, operationId, summary, parameters = [], responses } of operations) {
    expect.soft(path, name).toMatch(/^\/[^?]*[^/?]$/)
    expect.soft(operationId, name).toMatch(/^[A-Za-z0-9\-._~:]+$/)
    expect.soft(summary, name).not.toBe('')
    const inPath = parameters.flatMap((parameter) => (parameter.in === 'path' ? [parameter.name] : []))
    expect.soft(inPath, name).toEqual([...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter))
    const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect.soft(new Set(keys).size, name).toBe(keys.length)
    expect
      .soft(
        Object.keys(responses).some((status) => status.startsWith('2')),
        name,
      )
      .toBe(true)
    expect
      .soft(
        Object.keys(responses).some((status) => status.startsWith('4')),
        name,
      )
      .toBe(true)
  }
  const known = new Set(
    Object.keys((body as unknown as { components: { schemas: object } }).components.schemas),
  )
  for (const [, schema] of JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    expect.soft(known.has(schema ?? ''), schema).toBe(true)
})
