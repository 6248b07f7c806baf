// The cost of history pages and statements at 1,000, 10,000 and 100,000 transactions, or at the given sizes.
// `node test/bench/history.mjs [size…]`
import { addHistory } from '../support/longHistory.ts'
import { print, signIn, startPlatform } from './platform.mjs'

const given = process.argv.slice(2).map(Number)
const SIZES = given.length > 0 ? given : [1_000, 10_000, 100_000]
const TRIES = 7
/** Gives the largest history 1,000 pages. */
const LIMIT = 100

const platform = await startPlatform('test/support/countingWorker.ts')
const { address, database } = platform
const { id: investor } = await database
  .prepare("SELECT id FROM users WHERE email = 'investor@example.com'")
  .first()
const headers = { Authorization: `Bearer ${await signIn(address, 'investor@example.com')}` }

const rows = {}
let length = 0
for (const size of SIZES) {
  await addHistory(database, investor, size - length)
  length = size
  const deep = await lastPages(size)
  // The generated transactions start at this moment, a millisecond apart, with two entries each.
  const oldest = '/statements?from=2020-09-13&to=2020-09-13T12:26:40.400Z'
  for (const [what, path] of Object.entries({
    'page 1': `/transaction-history?limit=${LIMIT}`,
    [`page ${size / LIMIT}`]: deep,
    'filtered by kind, status and days': `/transaction-history?limit=${LIMIT}&kind=withdrawal&status=cancelled&from=2020-01-01&to=2026-01-01`,
    'filtered, nothing found': '/transaction-history?kind=deposit&status=completed&from=2020-01-01',
    'statement of the oldest 800 entries': oldest,
    // The histories are on one day, so this one begins between two checkpoints.
    'statement of 800 entries after them':
      '/statements?from=2020-09-13T12:26:40.401Z&to=2020-09-13T12:26:40.800Z',
    'value chart of a year': '/users/value-history?days=365',
    'statement of everything, CSV': '/statements?format=csv',
  }))
    rows[`${what} of ${size} transactions`] = await cost(path, path.includes('csv') ? 1 : TRIES)
}
await platform.stop()
print(rows)

/** The address of the last page, found by following the links. @param {number} size */
async function lastPages(size) {
  let path = `/transaction-history?limit=${LIMIT}`
  for (let page = 1; page < size / LIMIT; page++) {
    const response = await fetch(`${address}/api/v1${path}`, { headers })
    await response.arrayBuffer()
    path = /<\/api\/v1([^>]+)>/.exec(response.headers.get('Link') ?? '')?.[1] ?? path
  }
  return path
}

/** Measures a path. Rows read after the headers of a streamed file were sent are not counted. @param {string} path @param {number} tries */
async function cost(path, tries) {
  const times = []
  let counted = {}
  for (let i = 0; i < tries; i++) {
    const started = performance.now()
    const response = await fetch(`${address}/api/v1${path}`, { headers })
    await response.arrayBuffer()
    times.push(performance.now() - started)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    counted = JSON.parse(response.headers.get('X-D1') ?? '{}')
  }
  times.sort((a, b) => a - b)
  return { 'rows read': counted.rowsRead, 'median ms': times[Math.floor(tries / 2)] }
}
