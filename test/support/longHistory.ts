const CHUNK = 100_000

/**
 * Gives an investor this many cancelled past withdrawals, each with a hold, a release, two events and its details. For scratch
 * databases only: it drops the triggers meanwhile, because checking a million rows is not the point, and creates them again.
 */
export async function addHistory(database: D1Database, investor: string, count: number): Promise<void> {
  await withoutTriggers(database, async () => {
    for (let left = count; left > 0; left -= CHUNK) await addChunk(database, investor, Math.min(left, CHUNK))
  })
}

/** Changes a scratch database without its triggers, and creates them again. */
export async function withoutTriggers(database: D1Database, work: () => Promise<unknown>): Promise<void> {
  const { results: triggers } = await database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>()
  await database.batch(triggers.map(({ name }) => database.prepare(`DROP TRIGGER ${name}`)))
  try {
    await work()
  } finally {
    await database.batch(triggers.map(({ sql }) => database.prepare(sql)))
  }
}

async function addChunk(database: D1Database, investor: string, count: number): Promise<void> {
  const newest = await database
    .prepare('SELECT coalesce(max(seq), 0) AS seq FROM requests')
    .first<number>('seq')
  const first = (newest ?? 0) + 1
  const numbers = `WITH RECURSIVE n (i) AS (VALUES (${first}) UNION ALL SELECT i + 1 FROM n WHERE i < ${first + count - 1})`
  const at = '1600000000000 + i'
  const statements = [
    `INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
     SELECT 'r' || i, 'WDR-' || i, ?1, 'withdrawal', 'withdrawals', 'cancelled', 100, 100, ${at} FROM n`,
    `INSERT INTO request_events (request, status, at, actor, investor)
     SELECT 'r' || i, 'pending', ${at}, ?1, ?1 FROM n`,
    `INSERT INTO request_events (request, status, at, actor, investor)
     SELECT 'r' || i, 'cancelled', ${at}, ?1, ?1 FROM n`,
    `INSERT INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof)
     SELECT 'r' || i, 'usdt', 'usdt-trc20', 'T' || i || ?1, 'd', 's', 'none' FROM n`,
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     SELECT 'r' || i || ':hold', ?1 || ':available', ?1 || ':held', 100, 'hold', 'r' || i, ?1, ${at} FROM n`,
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     SELECT 'r' || i || ':release', ?1 || ':held', ?1 || ':available', 100, 'release', 'r' || i, ?1, ${at} FROM n`,
  ]
  for (const statement of statements) await database.prepare(`${numbers} ${statement}`).bind(investor).run()
}
