import { and, desc, eq, gte, isNull, max, type SQL, sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { buildLeafNode, hashRoot, type LiabilityNode } from '../../../src/contract/money/liabilityTree.ts'
import { DAY_MS } from '../../../src/time.ts'
import { selectLastValuation } from '../../ledger/balances.ts'
import { valueCentsSql } from '../../ledger/units.ts'
import { generateHex } from '../../lib/crypto/tokens.ts'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { liabilityDays, liabilityLeaves, liabilityNodes } from '../../lib/tables/liabilities.ts'
import { hasBudget } from '../../lib/workBudget.ts'
import { buildParentNodes, createSaltDeriver } from './tree.ts'

/** An investor's own cash. Debts are not subtracted, because an invented debt would lower the total. */
const CASH_KINDS = "('available', 'held', 'allocating')"
const KEPT_MS = 7 * DAY_MS
/** Rows of one batch, an even number. */
const PAGE = 2000
/** Batches of one run. The next one goes on. These are 40,000 hashes, which take about two seconds. */
const PAGES_A_RUN = 20
/** More than a page takes, with the end of the tree. */
const STATEMENTS = 18
/** Rows of old trees that one statement deletes. */
const DELETED = 50_000

type Snapshot = NonNullable<Awaited<ReturnType<typeof readUnpublished>>>

/**
 * Publishes the liabilities to investors once a day. One statement reads all balances; the tree over them is built and stored in
 * pages, as many as a run takes. Runs each minute. A run continues where the last one stopped, to the same root, because the tree
 * depends only on that statement. Below the minimum number of investors no snapshot is stored.
 * @param pages the most pages of this run
 */
export async function publishLiabilities(db: Database, nowMs: number, pages = PAGES_A_RUN): Promise<void> {
  await deleteOldTrees(db, nowMs)
  const snapshot = (await readUnpublished(db)) ?? (await takeSnapshot(db, nowMs))
  if (snapshot !== null) await publish(db, snapshot, nowMs, pages)
}

async function readUnpublished(db: Database) {
  const { day, investors, total, secret } = liabilityDays
  const [snapshot] = await db
    .select({ day, investors, total, secret: sql<string>`${secret}` })
    .from(liabilityDays)
    .where(sql`secret IS NOT NULL AND published_at IS NULL`)
    .orderBy(day)
    .limit(1)
  return snapshot ?? null
}

/** Reads all balances in one statement, unless today's snapshot exists or there are too few investors. */
async function takeSnapshot(db: Database, nowMs: number): Promise<Snapshot | null> {
  const day = formatIsoDay(nowMs)
  const [existing] = await db.select().from(liabilityDays).where(gte(liabilityDays.day, day)).limit(1)
  if (existing !== undefined) return null
  // The day's salts are derived from it.
  const secret = generateHex(32)
  const owed = sql`
    SELECT owner, sum(balance) AS balance FROM (
      SELECT owner, balance FROM accounts WHERE kind IN ${sql.raw(CASH_KINDS)}
      UNION ALL
      SELECT p.investor, ${valueCentsSql(sql`p.units`, sql`s.price`)}
      FROM (SELECT strategy, ${selectLastValuation(sql`pools.strategy`)} AS price FROM pools) s
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

async function publish(db: Database, snapshot: Snapshot, nowMs: number, pages: number): Promise<void> {
  const { day, investors, total, secret } = snapshot
  const saltOf = await createSaltDeriver(secret)
  for (let page = 0; page < pages && hasBudget(db, STATEMENTS); page++) {
    if (await hashLeaves(db, snapshot, saltOf)) continue
    const placed = await placeLeaves(db, snapshot)
    if (placed === 'some') continue
    const top = placed === 'all' ? await buildTree(db, snapshot) : null
    if (top === 'unfinished') continue
    // Closing an account deleted its leaf meanwhile, so balances are read again.
    if (top === null || top.sum !== total) return await deleteSnapshot(db, day)
    const root = await hashRoot(top, investors)
    await runBatch(db, [
      db
        .update(liabilityDays)
        .set({ root, publishedAt: nowMs })
        .where(sql`day = ${day} AND secret = ${secret} AND published_at IS NULL`),
    ])
    return await deleteOldTrees(db, nowMs)
  }
}

/** Stores the hashes of the next leaves. False if each leaf has one. */
async function hashLeaves(
  db: Database,
  snapshot: Snapshot,
  saltOf: (investor: string) => Promise<string>,
): Promise<boolean> {
  const { day, investor, balance, hash } = liabilityLeaves
  const leaves = await db
    .select({ investor, balance })
    .from(liabilityLeaves)
    .where(and(eq(day, snapshot.day), isNull(hash)))
    .orderBy(investor)
    .limit(PAGE)
  if (leaves.length === 0) return false
  const hashes = await Promise.all(
    leaves.map(async ({ investor, balance }) => {
      const { hash } = await buildLeafNode({ salt: await saltOf(investor), investor, balance })
      return [investor, hash] as const
    }),
  )
  await runBatch(db, [updateLeaves(snapshot, 'hash', hashes)])
  return true
}

/**
 * Gives the next leaves their places and nodes, in the order of their hashes, so that a place does not hint at its owner.
 * Returns whether some were placed, or all have a place, or some are missing.
 */
async function placeLeaves(db: Database, snapshot: Snapshot): Promise<'some' | 'all' | 'missing'> {
  const { day, investors } = snapshot
  const { investor, hash, balance } = liabilityLeaves
  const [[last], next] = await readTogether(
    db,
    readLastNode(day, 0),
    selectRows({ investor, hash: sql<string>`${hash}`, balance })
      .from(liabilityLeaves)
      .where(sql`day = ${day} AND hash IS NOT NULL
        AND hash > coalesce((SELECT hash FROM ${readLastNode(day, 0)}), '')`)
      .orderBy(hash)
      .limit(PAGE),
  )
  const first = (last?.position ?? -1) + 1
  if (next.length === 0) return first === investors ? 'all' : 'missing'
  const positions = next.map(({ investor }, index) => [investor, first + index] as const)
  const nodes = next.map(({ hash, balance }) => ({ hash, sum: balance }))
  await runBatch(db, [
    updateLeaves(snapshot, 'position', positions),
    insertNodes(snapshot, { level: 0, first, nodes }),
  ])
  return 'some'
}

/** Builds the next nodes above the leaves. Returns the node at the top once there is one; null without a leaf. */
async function buildTree(db: Database, snapshot: Snapshot): Promise<LiabilityNode | 'unfinished' | null> {
  const { day, investors } = snapshot
  const [built] = await db
    .select({ level: max(liabilityNodes.level) })
    .from(liabilityNodes)
    .where(eq(liabilityNodes.day, day))
  // The level below the highest one may have nodes left whose parents are missing.
  for (let level = Math.max(0, (built?.level ?? 0) - 1); ; level++) {
    const [[last], nodes] = await readTogether(
      db,
      readLastNode(day, level + 1),
      selectRows({ hash: liabilityNodes.hash, sum: liabilityNodes.sum })
        .from(liabilityNodes)
        .where(sql`day = ${day} AND level = ${level}
          AND position >= 2 * (1 + coalesce((SELECT position FROM ${readLastNode(day, level + 1)}), -1))`)
        .orderBy(liabilityNodes.position)
        .limit(PAGE),
    )
    // The level with one node is the top.
    if (investors <= 2 ** level) return nodes[0] ?? null
    if (nodes.length === 0) continue
    const first = (last?.position ?? -1) + 1
    await runBatch(db, [
      insertNodes(snapshot, { level: level + 1, first, nodes: await buildParentNodes(nodes) }),
    ])
    return 'unfinished'
  }
}

/** The last node of a level. */
function readLastNode(day: string, level: number) {
  const { position, hash } = liabilityNodes
  return selectRows({ position, hash })
    .from(liabilityNodes)
    .where(and(eq(liabilityNodes.day, day), eq(liabilityNodes.level, level)))
    .orderBy(desc(position))
    .limit(1)
}

/** Whether the balances were not read again since: then a slower run must not change the new leaves. */
function isStill({ day, secret }: Snapshot): SQL {
  return sql`EXISTS (SELECT 1 FROM liability_days WHERE day = ${day} AND secret = ${secret})`
}

function updateLeaves(
  snapshot: Snapshot,
  name: 'hash' | 'position',
  values: readonly (readonly [investor: string, value: string | number])[],
): SQL {
  const column = sql.identifier(name)
  // CROSS JOIN keeps this order: one look-up for each value. An UPDATE … FROM would search all values for each leaf.
  return sql`
    INSERT INTO liability_leaves (day, investor, balance, ${column})
    SELECT l.day, l.investor, l.balance, v.value ->> 1
    FROM json_each(${JSON.stringify(values)}) v CROSS JOIN liability_leaves l
    WHERE l.investor = v.value ->> 0 AND l.day = ${snapshot.day} AND ${isStill(snapshot)}
    ON CONFLICT (investor, day) DO UPDATE SET ${column} = excluded.${column}`
}

function insertNodes(
  snapshot: Snapshot,
  { level, first, nodes }: { level: number; first: number; nodes: readonly LiabilityNode[] },
): SQL {
  const rows = nodes.map(({ hash, sum }, index) => [first + index, hash, sum])
  return sql`
    INSERT INTO liability_nodes (day, level, position, hash, sum)
    SELECT ${snapshot.day}, ${level}, n.value ->> 0, n.value ->> 1, n.value ->> 2 FROM json_each(${JSON.stringify(rows)}) n
    WHERE ${isStill(snapshot)} ON CONFLICT (day, level, position) DO NOTHING`
}

async function deleteSnapshot(db: Database, day: string): Promise<void> {
  await runBatch(db, [
    ...[liabilityNodes, liabilityLeaves, liabilityDays].map((table) =>
      db.delete(table).where(eq(table.day, day)),
    ),
  ])
}

/**
 * Deletes leaves and nodes except those of the newest published day, and all after a week, some in each run. The roots stay. The secret
 * goes with the last of them.
 */
async function deleteOldTrees(db: Database, nowMs: number): Promise<void> {
  const old = sql`
    SELECT day FROM liability_days WHERE secret IS NOT NULL AND published_at IS NOT NULL AND (
      at < ${nowMs - KEPT_MS} OR day < (SELECT max(day) FROM liability_days WHERE published_at IS NOT NULL))`
  await runBatch(db, [
    sql`DELETE FROM liability_nodes WHERE (day, level, position) IN (
      SELECT day, level, position FROM liability_nodes WHERE day IN (${old}) LIMIT ${DELETED})`,
    sql`DELETE FROM liability_leaves WHERE (investor, day) IN (
      SELECT investor, day FROM liability_leaves WHERE day IN (${old}) LIMIT ${DELETED})`,
    sql`UPDATE liability_days SET secret = NULL WHERE day IN (${old})
      AND NOT EXISTS (SELECT 1 FROM liability_nodes n WHERE n.day = liability_days.day)
      AND NOT EXISTS (SELECT 1 FROM liability_leaves l WHERE l.day = liability_days.day)`,
  ])
}
