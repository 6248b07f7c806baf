import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { readTogether, runBatch, type Statement, selectRows } from '../../lib/database.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { venueBalances, venueChecks, venueOrders, venueStrategies } from '../../lib/tables/venues.ts'
import { buildSuspensionStatements, REASONS } from '../trading/judge.ts'
import type { Account } from './account.ts'
import { readUnfinished, type UnfinishedOrder } from './follow.ts'

/** A difference between a venue and our books. Quantities are 10⁻⁸. */
export interface Difference {
  readonly asset: string
  readonly expected: number
  readonly actual: number
}

/** So many comparisons in a row that differ suspend the strategies that trade at the venue. */
const MOST_DIFFERING = 2

/**
 * Compares the venue's balances with our books: transfers and booked trades. Orders that can still be filled explain a difference up
 * to their size. Any other difference is recorded, and the second one in a row suspends the strategies that trade there. No entry is
 * ever booked to remove a difference.
 */
export async function compareWithBooks(
  { db, venue, now }: Account,
  found: readonly string[],
  waits: readonly string[],
  highestFee: number,
): Promise<void> {
  // Before the balances, so that an order which ends in between still explains its difference.
  const before = await readUnfinished(db, venue.name)
  const balances = await venue.balances()
  const [expected, [last], trading, after] = await readTogether(
    db,
    selectRows(getTableColumns(venueBalances))
      .from(venueBalances)
      .where(eq(venueBalances.venue, venue.name))
      .orderBy(venueBalances.asset),
    selectRows({ differing: venueChecks.differing })
      .from(venueChecks)
      .where(eq(venueChecks.venue, venue.name)),
    selectRows({ slug: strategies.slug })
      .from(venueStrategies)
      .innerJoin(strategies, eq(strategies.slug, venueStrategies.strategy))
      .where(and(eq(venueStrategies.venue, venue.name), eq(strategies.status, 'active')))
      .orderBy(strategies.slug),
    selectRows({ id: venueOrders.id })
      .from(venueOrders)
      .where(and(eq(venueOrders.venue, venue.name), inArray(venueOrders.state, ['sending', 'open']))),
  )
  const differences = listDifferences(expected, balances, [...before], highestFee)
  const isDifferent = differences.length > 0 || found.length > 0
  const state = isDifferent ? 'different' : 'equal'
  const differing = isDifferent ? (last?.differing ?? 0) + 1 : 0
  const finding = { differences, found, waits, unfinished: after.length }
  const statements: Statement[] = [
    sql`
      INSERT INTO venue_checks (venue, at, state, since, differing, finding, balances)
      VALUES (${venue.name}, ${now()}, ${state}, ${now()}, ${differing}, ${JSON.stringify(finding)},
        ${JSON.stringify(Object.fromEntries(balances))})
      ON CONFLICT (venue) DO UPDATE SET at = excluded.at, state = excluded.state, differing = excluded.differing,
        finding = excluded.finding, balances = excluded.balances,
        since = CASE venue_checks.state WHEN excluded.state THEN venue_checks.since ELSE excluded.since END`,
  ]
  if (differing >= MOST_DIFFERING)
    for (const { slug } of trading)
      statements.push(...buildSuspensionStatements(db, slug, REASONS.venue, now()))
  await runBatch(db, statements)
}

/** The differences that orders under way do not explain. */
function listDifferences(
  expected: readonly (typeof venueBalances.$inferSelect)[],
  balances: ReadonlyMap<string, number>,
  unfinished: readonly UnfinishedOrder[],
  highestFee: number,
): Difference[] {
  const books = new Map(expected.map((expectedBalance) => [expectedBalance.asset, expectedBalance]))
  const assets = [...new Set([...books.keys(), ...balances.keys()])].toSorted()
  return assets.flatMap((asset): Difference[] => {
    const { quantity = 0, entries = 0 } = books.get(asset) ?? {}
    const actual = balances.get(asset) ?? 0
    const { least, most } = computeOpenRange(asset, unfinished, highestFee)
    // A venue books its own rounding of each trade's value. Fees in coins are booked rounded up, so it never has fewer coins.
    const rounding = asset === 'usd' ? entries : 0
    const difference = actual - quantity
    return difference >= least - rounding && difference <= most + entries
      ? []
      : [{ asset, expected: quantity, actual }]
  })
}

/** How much less and more of an asset the account may have than is booked, because of orders that can still be filled. */
function computeOpenRange(
  asset: string,
  unfinished: readonly UnfinishedOrder[],
  highestFee: number,
): { least: number; most: number } {
  let least = 0
  let most = 0
  for (const order of unfinished) {
    if (order.asset === asset && order.side === 'buy') most += order.quantity
    // Its fee may be taken in coins.
    if (order.asset === asset && order.side === 'sell') least -= Math.ceil(order.quantity * (1 + highestFee))
    if (asset === 'usd' && order.side === 'buy') least -= order.mostPaid * 100
    // A sale may bring more than its limit.
    if (asset === 'usd' && order.side === 'sell') most += order.mostPaid * 100 * MOST_BETTER
  }
  return { least, most }
}

const MOST_BETTER = 1.1
