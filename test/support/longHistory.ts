const CHUNK = 20_000

/** A moment long ago, and a millisecond between two withdrawals of all histories together. */
const LONG_AGO_MS = 1_600_000_000_000

/**
 * Gives an investor this many cancelled past withdrawals, each with a hold, a release, two events and its details. The first one is
 * filed at `fromMs` and the others `everyMs` apart. For scratch databases only: it drops the triggers meanwhile, because checking a
 * million rows is not the point, and creates them again.
 */
export async function addHistory(
  database: D1Database,
  investor: string,
  count: number,
  { fromMs, everyMs = 1 }: { readonly fromMs?: number; readonly everyMs?: number } = {},
): Promise<void> {
  const newest = await database
    .prepare('SELECT coalesce(max(seq), 0) AS seq FROM requests')
    .first<number>('seq')
  const first = (newest ?? 0) + 1
  const startMs = fromMs ?? LONG_AGO_MS + first
  await withoutTriggers(database, async () => {
    for (let i = first; i < first + count; i += CHUNK)
      await addChunk(
        database,
        investor,
        [i, Math.min(i + CHUNK, first + count) - 1],
        `${startMs} + (i - ${first}) * ${everyMs}`,
      )
  })
}

/** Statements read the checkpoints of all transfers. */
const KEPT = ['accounts_checkpointed', 'transfers_checkpointed']

/** Changes a scratch database with only the triggers that write checkpoints, and creates the others again. */
export async function withoutTriggers(database: D1Database, work: () => Promise<unknown>): Promise<void> {
  const { results } = await database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    .all<{ name: string; sql: string }>()
  const triggers = results.filter(({ name }) => !KEPT.includes(name))
  await database.batch(triggers.map(({ name }) => database.prepare(`DROP TRIGGER ${name}`)))
  try {
    await work()
  } finally {
    await database.batch(triggers.map(({ sql }) => database.prepare(sql)))
  }
}

/** Adds the withdrawals with these numbers. `at` is the time of the i-th, in SQL. */
async function addChunk(
  database: D1Database,
  investor: string,
  [first, last]: readonly [number, number],
  at: string,
): Promise<void> {
  const numbers = `WITH RECURSIVE n (i) AS (VALUES (${first}) UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`
  const statements = [
    `INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
     SELECT 'r' || i, 'WDR-' || i, ?1, 'withdrawal', 'withdrawals', 'cancelled', 100, 100, ${at} FROM n`,
    `INSERT INTO request_events (request, status, at, actor, investor)
     SELECT 'r' || i, 'pending', ${at}, ?1, ?1 FROM n`,
    `INSERT INTO request_events (request, status, at, actor, investor)
     SELECT 'r' || i, 'cancelled', ${at}, ?1, ?1 FROM n`,
    `INSERT INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof)
     SELECT 'r' || i, 'usdt', 'usdt-trc20', 'T' || i || ?1, 'd', 's', 'none' FROM n`,
    // In the order of their times, so that no checkpoint has to be changed.
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     SELECT 'r' || i || ':' || code, ?1 || source, ?1 || destination, 100, code, 'r' || i, ?1, ${at}
     FROM n CROSS JOIN (
       SELECT 'hold' AS code, ':available' AS source, ':held' AS destination
       UNION ALL SELECT 'release', ':held', ':available')`,
  ]
  for (const statement of statements) await database.prepare(`${numbers} ${statement}`).bind(investor).run()
}
