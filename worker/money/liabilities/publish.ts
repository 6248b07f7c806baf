import { sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { type LiabilityNode, leafNode, rootHash } from '../../../src/contract/money/liabilityTree.ts'
import { lastValuation } from '../../ledger/balances.ts'
import { valueCentsSql } from '../../ledger/units.ts'
import { randomHex } from '../../lib/crypto/tokens.ts'
import { type Database, reading, readTogether, runBatch } from '../../lib/database.ts'
import { isoDay } from '../../lib/days.ts'
import { saltsOf, treeLevels } from './tree.ts'

/** An investor's own cash. Debts are not subtracted, because an invented debt would lower the total. */
const CASH_KINDS = "('available', 'held', 'allocating')"
const KEPT_MS = 7 * 86_400_000
const PAGE = 2000
/** Rows per statement, and statements per batch. */
const ROWS = 1000
const BATCH = 20

interface Snapshot {
  readonly day: string
  readonly investors: number
  readonly total: number
  readonly secret: string
}

interface Leaf {
  readonly investor: string
  readonly balance: number
}

/**
 * Publishes once a day what is owed to investors. One statement reads all balances; the tree over them is built and stored in
 * pages. Runs each minute. An interrupted run continues to the same root, because the tree depends only on that statement.
 * Below the minimum number of investors nothing is stored.
 */
export async function publishLiabilities(db: Database, nowMs: number): Promise<void> {
  await deleteOldTrees(db, nowMs)
  const snapshot = (await readUnpublished(db)) ?? (await takeSnapshot(db, nowMs))
  if (snapshot !== null) await publish(db, snapshot, nowMs)
}

async function readUnpublished(db: Database): Promise<Snapshot | null> {
  const [begun] = await db.all<Snapshot>(sql`
      SELECT day, investors, total, secret FROM liability_days WHERE published_at IS NULL ORDER BY day LIMIT 1`)
  return begun ?? null
}

/** Reads all balances in one statement, unless today's snapshot exists or there are too few investors. */
async function takeSnapshot(db: Database, nowMs: number): Promise<Snapshot | null> {
  const day = isoDay(nowMs)
  const [existing] = await db.all<{ day: string }>(
    sql`SELECT day FROM liability_days WHERE day >= ${day} LIMIT 1`,
  )
  if (existing !== undefined) return null
  // The day's salts are derived from it.
  const secret = randomHex(32)
  const owed = sql`
    SELECT owner, sum(balance) AS balance FROM (
      SELECT owner, balance FROM accounts WHERE kind IN ${sql.raw(CASH_KINDS)}
      UNION ALL
      SELECT p.investor, ${valueCentsSql(sql`p.units`, sql`s.price`)}
      FROM (SELECT strategy, ${lastValuation(sql`pools.strategy`)} AS price FROM pools) s
        JOIN positions p ON p.strategy = s.strategy
    ) WHERE balance > 0 GROUP BY owner`
  const smallest = sql`coalesce((SELECT json_extract(value, '$') FROM settings WHERE key = 'liabilitiesFrom'),
    ${SETTINGS.liabilitiesFrom.default})`
  await runBatch(db, [
    sql`INSERT INTO liability_days (day, at, investors, total, secret)
      SELECT ${day}, ${nowMs}, investors, total, ${secret}
      FROM (SELECT count(*) AS investors, sum(balance) AS total FROM (${owed}))
      WHERE investors >= max(1, ${smallest}) ON CONFLICT (day) DO NOTHING`,
    // Of two parallel runs, only the one whose secret was stored inserts its leaves.
    sql`INSERT INTO liability_leaves (day, investor, balance)
      SELECT d.day, o.owner, o.balance FROM liability_days d, (${owed}) o
      WHERE d.day = ${day} AND d.secret = ${secret}`,
  ])
  return await readUnpublished(db)
}

async function publish(
  db: Database,
  { day, investors, total, secret }: Snapshot,
  nowMs: number,
): Promise<void> {
  const leaves = await hashedLeaves(db, day, secret)
  const levels = await treeLevels(leaves.map(({ node }) => node))
  const [top] = levels.at(-1) ?? []
  // Closing an account deleted its leaf meanwhile, so balances are read again.
  if (top === undefined || leaves.length !== investors || top.sum !== total)
    return await dropSnapshot(db, day)
  await inPages(db, [...leaves.entries()], (page) => {
    const places = JSON.stringify(page.map(([position, { investor }]) => [investor, position]))
    // CROSS JOIN keeps this order: one look-up for each place. An UPDATE … FROM would search all places for each leaf.
    return sql`
      INSERT INTO liability_leaves (day, investor, balance, position)
      SELECT l.day, l.investor, l.balance, p.value ->> 1
      FROM json_each(${places}) p CROSS JOIN liability_leaves l
      WHERE l.investor = p.value ->> 0 AND l.day = ${day}
      ON CONFLICT (investor, day) DO UPDATE SET position = excluded.position`
  })
  for (const [level, nodes] of levels.entries())
    await inPages(db, [...nodes.entries()], (page) => {
      const rows = JSON.stringify(page.map(([position, { hash, sum }]) => [position, hash, sum]))
      return sql`
        INSERT INTO liability_nodes (day, level, position, hash, sum)
        SELECT ${day}, ${level}, n.value ->> 0, n.value ->> 1, n.value ->> 2 FROM json_each(${rows}) n
        WHERE true ON CONFLICT (day, level, position) DO NOTHING`
    })
  const root = await rootHash(top, investors)
  await runBatch(db, [
    sql`UPDATE liability_days SET root = ${root}, published_at = ${nowMs}
      WHERE day = ${day} AND secret = ${secret} AND published_at IS NULL`,
  ])
  await deleteOldTrees(db, nowMs)
}

/** Sorted by hash, so that a position reveals nothing about its owner. */
async function hashedLeaves(db: Database, day: string, secret: string) {
  const saltOf = await saltsOf(secret)
  const leaves: { investor: string; node: LiabilityNode }[] = []
  for (let after = ''; ; ) {
    const [page] = await readTogether(
      db,
      reading<Leaf>(sql`
        SELECT investor, balance FROM liability_leaves
        WHERE day = ${day} AND investor > ${after} ORDER BY investor LIMIT ${PAGE}`),
    )
    const hashed = page.map(async ({ investor, balance }) => ({
      investor,
      node: await leafNode({ salt: await saltOf(investor), investor, balance }),
    }))
    leaves.push(...(await Promise.all(hashed)))
    if (page.length < PAGE) break
    after = page.at(-1)?.investor ?? after
  }
  return leaves.sort((a, b) => (a.node.hash < b.node.hash ? -1 : 1))
}

async function inPages<T>(
  db: Database,
  rows: readonly T[],
  write: (page: readonly T[]) => ReturnType<typeof sql>,
) {
  for (let at = 0; at < rows.length; at += ROWS * BATCH) {
    const pages = Array.from({ length: BATCH }, (_, n) => rows.slice(at + n * ROWS, at + (n + 1) * ROWS))
    await runBatch(
      db,
      pages.filter((page) => page.length > 0).map((page) => write(page)),
    )
  }
}

async function dropSnapshot(db: Database, day: string): Promise<void> {
  await runBatch(db, [
    sql`DELETE FROM liability_nodes WHERE day = ${day}`,
    sql`DELETE FROM liability_leaves WHERE day = ${day}`,
    sql`DELETE FROM liability_days WHERE day = ${day}`,
  ])
}

/** Deletes leaves and nodes except those of the newest published day, and all after a week. The roots stay. */
async function deleteOldTrees(db: Database, nowMs: number): Promise<void> {
  const old = sql`
    SELECT day FROM liability_days WHERE secret IS NOT NULL AND published_at IS NOT NULL AND (
      at < ${nowMs - KEPT_MS} OR day < (SELECT max(day) FROM liability_days WHERE published_at IS NOT NULL))`
  await runBatch(db, [
    sql`DELETE FROM liability_nodes WHERE day IN (${old})`,
    sql`DELETE FROM liability_leaves WHERE day IN (${old})`,
    sql`UPDATE liability_days SET secret = NULL WHERE day IN (${old})`,
  ])
}
