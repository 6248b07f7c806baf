import { sql } from 'drizzle-orm'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { MissingCandles } from '../../investing/candles/read.ts'
import { buildGapRow, readBooks } from '../../investing/trading/explain.ts'
import { type CarriedParts, EMPTY, type PoolGap } from '../../investing/trading/gap.ts'
import { createStoredPrices, type Prices } from '../../investing/trading/prices.ts'
import { type Latest, type Pool, readPool } from '../../investing/trading/state.ts'
import { getBarIndex, loadModel } from '../../investing/trading/step.ts'
import { buildQuery, type Database, readTogether } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import type { CheckResult } from './run.ts'

/** Older days were checked when they were new, and the database refuses changes to them. */
const DAYS = 30
/** 0.01 basis points: of a unit in its stored 10⁻⁶ of a basis point, and of a pool as a share. */
const TOLERANCE = 10_000
const POOL_TOLERANCE = 1e-6
const MOST_FINDINGS = 10

interface Scan {
  /** The last strategy that was checked. */
  readonly after: string
  readonly findings: readonly string[]
}

const UNIT_FIELDS = ['live', 'test', ...GAP_PARTS] as const

/** A stored explanation, with the open and the close of its day. */
interface Row extends Readonly<Record<(typeof UNIT_FIELDS)[number], number>> {
  readonly day: number
  readonly pool: string | null
  readonly carried: string
  readonly unit: number
  readonly netValue: number
  readonly units: number
  readonly recordedAt: number
  readonly openPrice: number
  readonly weights: string
  readonly follows: 0 | 1
}

/**
 * Explains the newest 30 days of every strategy again, from the definition, the candles, the record and the fills, and finds each
 * stored figure that differs by more than 0.01 basis points. One strategy a run. The checkpoint is empty once the scan is complete.
 */
export async function checkGaps(db: Database, stored: string | null, nowMs: number): Promise<CheckResult> {
  const scan: Scan =
    stored === null || stored === '' ? { after: '', findings: [] } : (JSON.parse(stored) as Scan)
  const [next] = await db.all<{ slug: string }>(
    sql`SELECT slug FROM strategies WHERE slug > ${scan.after} ORDER BY slug LIMIT 1`,
  )
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
  const [rows] = await readTogether(
    db,
    buildQuery<Row>(sql`
      SELECT g.day, g.live, g.test, g.price, g.slippage, g.fees, g.cash_drag AS cashDrag, g.missed, g.rounding, g.unexplained,
             g.pool, g.carried, c.unit_price AS unit, c.net_value AS netValue, c.units, c.recorded_at AS recordedAt,
             o.unit_price AS openPrice, o.weights, o.follows
      FROM gaps g
        JOIN valuations c ON c.strategy = g.strategy AND c.day = g.day AND c.kind = 'close'
        JOIN valuations o ON o.strategy = g.strategy AND o.day = g.day AND o.kind = 'open'
      WHERE g.strategy = ${slug} ORDER BY g.day DESC LIMIT ${DAYS}`),
  )
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
  const [was, is] = [stored.pool, right.pool].map((text) => JSON.parse(text ?? 'null') as PoolGap | null) as [
    PoolGap | null,
    PoolGap | null,
  ]
  const [left, carried] = [stored.carried, right.carried].map((text) => JSON.parse(text) as CarriedParts) as [
    CarriedParts,
    CarriedParts,
  ]
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
