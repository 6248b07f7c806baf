// The database cost of reads at 100 and at 1,000,000 ledger entries of one investor. `node test/bench/reads.mjs`
import { addHistory } from '../support/longHistory.ts'
import { print, signIn, startPlatform } from './platform.mjs'

const SIZES = [100, 1_000_000]
const PATHS = [
  '/users/user-info',
  '/transaction-history',
  '/transaction-history?kind=withdrawal&status=cancelled',
  '/statements?from=2020-09-13&to=2020-09-13T12:26:40.050Z',
  '/users/value-history?days=365',
]

const platform = await startPlatform('test/support/countingWorker.ts')
const { address, database } = platform
const { id: investor } = await database
  .prepare("SELECT id FROM users WHERE email = 'investor@example.com'")
  .first()
const headers = { Authorization: `Bearer ${await signIn(address, 'investor@example.com')}` }

const rows = {}
for (const size of SIZES) {
  const seconds = await growTo(size)
  const { entries, requests } = await database
    .prepare(
      'SELECT (SELECT count(*) FROM transfers) AS entries, (SELECT count(*) FROM requests WHERE investor = ?) AS requests',
    )
    .bind(investor)
    .first()
  console.log(`${entries} ledger entries, ${requests} requests (made in ${seconds.toFixed(0)} s)`)
  for (const path of PATHS) rows[`${path} at ${entries}`] = await cost(path)
}
await platform.stop()
print(rows)

/** @param {string} path */
async function cost(path) {
  const started = performance.now()
  const response = await fetch(`${address}/api/v1${path}`, { headers })
  const length = (await response.text()).length
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  const { trips, statements, rowsRead } = JSON.parse(response.headers.get('X-D1') ?? '{}')
  return {
    'round trips, the session’s among them': trips,
    statements,
    'rows read': rowsRead,
    'answer, bytes': length,
    ms: performance.now() - started,
  }
}

/** Adds requests, with two transfers each, until there are `size` transfers. Returns the seconds it took. @param {number} size */
async function growTo(size) {
  const started = performance.now()
  const { there } = await database.prepare('SELECT count(*) AS there FROM transfers').first()
  await addHistory(database, investor, Math.ceil((size - there) / 2))
  return (performance.now() - started) / 1000
}
