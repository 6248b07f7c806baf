import { eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { computeBandLines } from '../../../engine/backtest/band.ts'
import { FEE_ROWS } from '../../../engine/backtest/realTests.ts'
import type { OperatorVenue, TradingCondition } from '../../../src/contract/console/venue.ts'
import { storedBand } from '../../investing/trading/stored.ts'
import { TESTED_FIGURES } from '../../investing/trading/testedFigures.ts'
import { parseStored, type RowOf, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { pools } from '../../lib/tables/ledger.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { venueChecks, venueFees, venueStrategies } from '../../lib/tables/venues.ts'

/** How long a strategy runs on paper before it may trade with money. */
const PAPER_DAYS = 30
/** The account was compared with the books within this time. */
const RECENT_MS = 15 * 60_000

type ConditionFacts = RowOf<typeof readConditions>

/** The strategies on the real prices of one exchange. */
export function readConditions(venue: string) {
  const resumed = sql`coalesce((SELECT max(at) FROM strategy_events WHERE strategy = s.slug AND kind = 'resumed'), 0)`
  const [s, p, v, c, f] = [
    alias(strategies, 's'),
    alias(pools, 'p'),
    alias(venueStrategies, 'v'),
    alias(venueChecks, 'c'),
    alias(venueFees, 'f'),
  ]
  return selectRows({
    ...getTableColumns(s),
    venue: v.venue,
    since: v.since,
    cash: p.cash,
    units: p.units,
    holdings: sql<number>`(SELECT count(*) FROM pool_holdings WHERE strategy = s.slug AND quantity > 0)`,
    /** Closes since it was started or last resumed, and the price of a unit at the first open of them and at the last close. */
    closes: sql<number>`(
      SELECT count(*) FROM valuations WHERE strategy = s.slug AND kind = 'close' AND day > ${resumed})`,
    firstPrice: sql<number | null>`(
      SELECT unit_price FROM valuations WHERE strategy = s.slug AND kind = 'open' AND day > ${resumed} ORDER BY day LIMIT 1)`,
    lastPrice: sql<number | null>`(
      SELECT unit_price FROM valuations WHERE strategy = s.slug AND kind = 'close' ORDER BY day DESC LIMIT 1)`,
    checkState: c.state,
    checkAt: c.at,
    /** The exchange's fees for the account, in millionths, and when it named them. */
    fee: f.takerMillionths,
    feeAskedAt: f.askedAt,
    isSettling: sql<0 | 1>`EXISTS (
      SELECT 1 FROM unit_orders u WHERE u.strategy = s.slug AND u.status = 'pending'
        AND u.created_at < (SELECT max(day) FROM valuations WHERE strategy = s.slug))`,
  })
    .from(s)
    .innerJoin(p, eq(p.strategy, s.slug))
    .leftJoin(v, eq(v.strategy, s.slug))
    .leftJoin(c, eq(c.venue, s.market))
    .leftJoin(f, eq(f.venue, s.market))
    .where(eq(s.market, venue))
    .orderBy(s.slug)
}

const definitionCosts = z.object({ costs: z.object({ feeBasisPoints: z.number() }) })

type Condition = OperatorVenue['strategies'][number]['conditions'][number]

/** Every condition, with whether it is met. */
export function checkConditions(facts: ConditionFacts, nowMs: number): Condition[] {
  const tested = TESTED_FIGURES[facts.slug]
  const createCondition = (name: TradingCondition, met: boolean, words: string): Condition => ({
    name,
    met,
    words,
  })
  const isRecent = facts.checkAt !== null && nowMs - facts.checkAt <= RECENT_MS
  return [
    createCondition(
      'tested',
      tested !== undefined && tested.market !== 'simulated' && tested.definition === facts.definition,
      `A published test on real bars${tested?.market === facts.market ? '' : ', though of another exchange than this one'}, with out-of-sample and walk-forward results and every trial counted`,
    ),
    checkFees(facts),
    createCondition(
      'band',
      facts.band !== null,
      'The range in which it is expected to grow was fixed when it started',
    ),
    createCondition(
      'paper',
      facts.closes >= PAPER_DAYS,
      `${PAPER_DAYS} days on paper on live prices; it has ${facts.closes}`,
    ),
    createCondition('inBand', isInBand(facts), 'Within the range of its test on its last day'),
    createCondition('active', facts.status === 'active', 'Not suspended and not stopped'),
    createCondition(
      'empty',
      facts.units === 0 && facts.holdings === 0,
      'Nobody is invested: holdings on paper cannot become real',
    ),
    createCondition(
      'account',
      facts.checkState === 'equal' && isRecent,
      'The account at the exchange equalled the books within the last 15 minutes',
    ),
  ]
}

/** The fee that the exchange charges must be one that the published test was computed with, or a lower one. */
function checkFees({ definition, fee, feeAskedAt }: ConditionFacts): Condition {
  const { costs } = parseStored(definitionCosts, definition)
  const tested = Math.max(costs.feeBasisPoints, ...FEE_ROWS.map(({ feeBasisPoints }) => feeBasisPoints))
  const formatFee = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)}%`
  const charged =
    fee === null || feeAskedAt === null
      ? 'the exchange has not said yet what it charges'
      : `the exchange charges ${formatFee(fee / 100)}, asked on ${formatIsoDay(feeAskedAt)}`
  return {
    name: 'fees',
    met: fee !== null && fee <= tested * 100,
    words: `Tested with fees of up to ${formatFee(tested)}, its own being ${formatFee(costs.feeBasisPoints)}; ${charged}`,
  }
}

function isInBand({ band, closes, firstPrice, lastPrice }: ConditionFacts): boolean {
  if (band === null || firstPrice === null || lastPrice === null || closes === 0) return false
  const { lower99, upper99 } = computeBandLines(parseStored(storedBand, band), closes)
  const growth = lastPrice / firstPrice
  return growth >= lower99 && growth <= upper99
}
