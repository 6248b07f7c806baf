import { desc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { MissingCandles } from '../../investing/candles/read.ts'
import { buildGapRow, readBooks } from '../../investing/trading/explain.ts'
import { EMPTY, gapParts, poolGap } from '../../investing/trading/gap.ts'
import { createStoredPrices, type Prices } from '../../investing/trading/prices.ts'
import { type Latest, type Pool, readPool } from '../../investing/trading/state.ts'
import { getBarIndex, loadModel } from '../../investing/trading/step.ts'
import { type Database, parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import { strategies, valuations } from '../../lib/tables/strategies.ts'
import type { CheckResult } from './run.ts'

/** Older days were checked when they were new, and the database refuses changes to them. */
const DAYS = 30
/** 0.01 basis points: of a unit in its stored 10⁻⁶ of a basis point, and of a pool as a share. */
const TOLERANCE = 10_000
const POOL_TOLERANCE = 1e-6
const MOST_FINDINGS = 10

/** The position of the scan: the last strategy checked. */
const scanPosition = z.object({ after: z.string(), findings: z.array(z.string()) })

const UNIT_FIELDS = ['live', 'test', ...GAP_PARTS] as const

type Row = RowOf<typeof readGaps>

/** A strategy's newest stored explanations `g`, each with the close `c` and the open `o` of its day. */
function readGaps(slug: string) {
  const [g, c, o] = [alias(gaps, 'g'), alias(valuations, 'c'), alias(valuations, 'o')]
  const { strategy: _, ...columns } = getTableColumns(g)
  return selectRows({
    ...columns,
    unit: c.unitPrice,
    netValue: c.netValue,
    units: c.units,
    recordedAt: c.recordedAt,
    openPrice: o.unitPrice,
    weights: o.weights,
    follows: sql<0 | 1>`o.follows`,
  })
    .from(g)
    .innerJoin(c, sql`c.strategy = g.strategy AND c.day = g.day AND c.kind = 'close'`)
    .innerJoin(o, sql`o.strategy = g.strategy AND o.day = g.day AND o.kind = 'open'`)
    .where(eq(g.strategy, slug))
    .orderBy(desc(g.day))
    .limit(DAYS)
}

/**
 * Explains the newest 30 days of every strategy again, from the definition, the candles, the record and the fills, and finds each
 * stored figure that differs by more than 0.01 basis points. One strategy a run. The checkpoint is empty once the scan is complete.
 */
export async function checkGaps(db: Database, stored: string | null, nowMs: number): Promise<CheckResult> {
  const scan = stored ? parseStored(scanPosition, stored) : { after: '', findings: [] }
  const { slug } = strategies
  const [next] = await db.select({ slug }).from(strategies).where(gt(slug, scan.after)).orderBy(slug).limit(1)
  if (next === undefined) return { findings: scan.findings, checkpoint: '' }
  const found = await findInGaps(db, createStoredPrices(db), next.slug, nowMs)
  const findings = [...scan.findings, ...found].slice(0, MOST_FINDINGS)
  return { findings, checkpoint: JSON.stringify({ after: next.slug, findings }) }
}

/** Finds problems in a strategy's newest explanations: one sentence a day. */
export async function findInGaps(
  db: Database,
  prices: Prices,
  slug: string,
  nowMs: number,
): Promise<string[]> {
  const [rows] = await readTogether(db, readGaps(slug))
  if (rows.length === 0) return []
  const pool = await readPool(db, slug)
  const model = await loadModel({ prices, nowMs }, pool).catch((error: unknown) => {
    // The strategy waits for its bars, and so does its check.
    if (error instanceof MissingCandles) return null
    throw error
  })
  if (model === null) return []
  const findings: string[] = []
  for (const row of rows) {
    const { day, unit, netValue, recordedAt } = row
    const then = restorePool(pool, row)
    const books = await readBooks(db, then, day, recordedAt)
    const close = { day, bar: getBarIndex(model, day), valued: { unit, netValue } }
    const wrong = listDifferences(row, buildGapRow(then, model, close, books))
    if (wrong.length > 0)
      findings.push(
        `The explanation of ${slug} at ${formatIsoDay(day)} does not follow from its record: ${wrong.join(', ')}`,
      )
  }
  return findings
}

/** The pool as it was when the day closed, as far as its explanation depends on it. */
function restorePool(pool: Pool, { day, units, openPrice: unitPrice, weights, follows }: Row): Pool {
  const unused = { issuePrice: null, redeemPrice: null, hash: '', isDone: 1 } as const
  const latest: Latest = { day, kind: 'open', unitPrice, weights, follows, ...unused }
  return { ...pool, units, latest }
}

type GapExplanation = ReturnType<typeof buildGapRow>

/** The figures of a stored explanation that differ from those that were computed again. */
function listDifferences(stored: Row, right: GapExplanation): string[] {
  const wrong: string[] = UNIT_FIELDS.filter((field) => Math.abs(stored[field] - right[field]) > TOLERANCE)
  const parsePool = (text: string | null) => parseStored(z.nullable(poolGap), text ?? 'null')
  const [was, is] = [parsePool(stored.pool), parsePool(right.pool)]
  const [left, carried] = [parseStored(gapParts, stored.carried), parseStored(gapParts, right.carried)]
  const most = POOL_TOLERANCE * Math.max(EMPTY, is?.base ?? 0)
  const isOff = (a: number, b: number) => !(Math.abs(a - b) <= most)
  if ((was === null) !== (is === null)) wrong.push('pool')
  if (was !== null && is !== null) {
    if (isOff(was.base, is.base)) wrong.push('base of the pool')
    if (isOff(was.difference, is.difference)) wrong.push('difference of the pool')
    for (const part of GAP_PARTS)
      if (isOff(was.parts[part], is.parts[part])) wrong.push(`${part} of the pool`)
  }
  for (const part of GAP_PARTS) if (isOff(left[part], carried[part])) wrong.push(`${part} carried`)
  return wrong
}
