// What reading costs the database at 100 and at 1,000,000 ledger entries of one investor. `node bench/reads.mjs`
import { print, signIn, startPlatform } from './platform.mjs'

const SIZES = [100, 1_000_000]
const PATHS = [
  '/users/user-info',
  '/transaction-history',
  '/transaction-history?kind=withdrawal&status=cancelled',
]
const CHUNK = 100_000

const platform = await startPlatform('bench/countingWorker.ts')
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

/**
 * Adds cancelled withdrawals, two transfers and two events each. In this scratch database only, the triggers are taken off
 * meanwhile: checking a million transfers one by one is not what is measured. They come back before anything is read.
 *
 * @param {number} size transfers
 */
async function growTo(size) {
  const started = performance.now()
  const { results: triggers } = await database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all()
  await database.batch(triggers.map(({ name }) => database.prepare(`DROP TRIGGER ${name}`)))
  const { there } = await database.prepare('SELECT count(*) AS there FROM transfers').first()
  for (let left = Math.ceil((size - there) / 2); left > 0; left -= CHUNK)
    await addWithdrawals(Math.min(left, CHUNK))
  await database.batch(triggers.map(({ sql }) => database.prepare(sql)))
  return (performance.now() - started) / 1000
}

/** @param {number} count */
async function addWithdrawals(count) {
  const { first } = await database.prepare('SELECT coalesce(max(seq), 0) + 1 AS first FROM requests').first()
  const numbers = `WITH RECURSIVE n (i) AS (VALUES (${first}) UNION ALL SELECT i + 1 FROM n WHERE i < ${first + count - 1})`
  const run = (sql) => database.prepare(sql).bind(investor).run()
  await run(`${numbers} INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
    SELECT 'r' || i, 'WDR-' || i, ?1, 'withdrawal', 'withdrawals', 'cancelled', 100, 100, 1600000000000 + i FROM n`)
  await run(`${numbers} INSERT INTO request_events (request, status, at, actor, investor)
    SELECT 'r' || i, 'pending', 1600000000000 + i, ?1, ?1 FROM n`)
  await run(`${numbers} INSERT INTO request_events (request, status, at, actor, investor)
    SELECT 'r' || i, 'cancelled', 1600000000000 + i, ?1, ?1 FROM n`)
  await run(`${numbers} INSERT INTO withdrawal_details
      (request, coin, network, address, destination_hash, session_id, proof)
    SELECT 'r' || i, 'usdt', 'usdt-trc20', 'T' || i || ?1, 'd', 's', 'none' FROM n`)
  await run(`${numbers} INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT 'r' || i || ':hold', ?1 || ':available', ?1 || ':held', 100, 'hold', 'r' || i, ?1, 1600000000000 + i FROM n`)
  await run(`${numbers} INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    SELECT 'r' || i || ':release', ?1 || ':held', ?1 || ':available', 100, 'release', 'r' || i, ?1, 1600000000000 + i FROM n`)
}
