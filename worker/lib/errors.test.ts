import { globSync, readFileSync } from 'node:fs'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { answerError, getLogMessage } from './errors.ts'

/** The status and code that a client gets for an error. */
async function answered(message: string): Promise<[number, unknown]> {
  const response = answerError(new Error('Failed query', { cause: new Error(message) }), 'request-1')
  const { code } = (await response.json()) as { code: unknown }
  return [response.status, code]
}

test.each([
  // The list of https://developers.cloudflare.com/d1/observability/debug-d1/.
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  "D1_ERROR: Can't read from request stream because client disconnected.",
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  // While a backup is made, and while a database is restored.
  'D1_ERROR: Currently processing a long-running export.',
  'D1_ERROR: Currently processing a long-running import.',
  'put: We encountered an internal error. Please try again. (10001)',
  'get: Service unavailable. (10043)',
  'put: Reduce your concurrent request rate for the same object. (10058)',
])('a failure of the platform that may pass is answered 503, to be tried again: %s', async (message) => {
  expect(await answered(message)).toEqual([503, 'unavailable'])
})

test.each(['put: Your object is too large. (10002)', 'x is not a function'])(
  'a fault of ours is answered 500 in one fixed sentence: %s',
  async (message) => {
    expect(await answered(message)).toEqual([500, 'internal'])
  },
)

const SECRET = 'CH93 0076 2011 6238 5295 7'

test.each([
  ['D1_ERROR: overloaded', new DrizzleQueryError('INSERT …', [SECRET], new Error('D1_ERROR: overloaded'))],
  ['Failed query: INSERT …', new DrizzleQueryError('INSERT …', [SECRET])],
  ['unknown', SECRET],
])('a log tells why a statement failed, and nothing of its parameters: %s', (said, error) => {
  expect(getLogMessage(error)).toBe(said)
})

test('nothing else logs the message of an error', () => {
  const files = globSync('worker/**/*.ts', { exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(100)
  const logging = files.filter((file) => /\.message\b/.test(logCallsIn(readFileSync(file, 'utf8'))))
  expect(logging).toEqual([])
})

/** The calls of `console` in a source, each up to its closing parenthesis. */
function logCallsIn(source: string): string {
  return [...source.matchAll(/console\.\w+\(/g)]
    .map(({ 0: call, index }) => {
      let end = index + call.length
      for (let open = 1; open > 0 && end < source.length; end++)
        open += source[end] === '(' ? 1 : source[end] === ')' ? -1 : 0
      return source.slice(index, end)
    })
    .join('\n')
}
