import * as z from 'zod/mini'
import { isoTime, pageQuery, tradedMarket } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const STRATEGY_STATUSES = ['active', 'suspended', 'stopped'] as const
export type StrategyStatus = (typeof STRATEGY_STATUSES)[number]

/** A parameter: its value, and its range for trying it out. */
const parameter = z.object({
  name: z.string(),
  label: z.string(),
  does: z.string(),
  unit: z.string(),
  value: z.number(),
  least: z.number(),
  most: z.number(),
  step: z.number(),
})

const asset = z.object({
  _id: z.string(),
  name: z.string(),
  class: z.enum(['coin', 'stock', 'index']),
  /** Generated prices of no real asset. */
  simulated: z.boolean(),
})

/** How likely figures are luck, by the checks of engine/backtest/overfit.ts, and the label of that level. */
const verdict = z.object({ level: z.enum(['luck', 'uncertain', 'held-up']), label: z.string() })

/** The calendar year of the backtest with the largest loss, or the smallest gain, for 1,000 USD at its beginning. */
const worstYear = z.object({
  year: z.number(),
  /** The days of it that the backtest covers. */
  days: z.number(),
  /** The value of 1,000 USD at its end. */
  became: z.number(),
  /** Days from its end to recovery: 0 if there was no loss, null if it never recovered. */
  recoveredDays: z.nullable(z.number()),
  /** Whether the recovery was lost again by the end of the backtest. */
  lostAgain: z.boolean(),
})

/** Key figures of the backtest, after costs. Shares: 0.12 is 12 %. */
const backtestFigures = z.object({
  /** The market of the tested prices, which may be another one than the strategy trades on. */
  market: tradedMarket,
  /**
   * The daily bars that were tested: for each asset its segments in the order of time, with the venue, the pair, the currency of the
   * prices, the days that are used, and the SHA-256 of the whole file's bytes.
   */
  data: z.array(
    z.object({
      asset: z.string(),
      venue: z.string(),
      pair: z.string(),
      quote: z.string(),
      from: z.string(),
      to: z.string(),
      sha256: z.string(),
    }),
  ),
  from: z.string(),
  to: z.string(),
  totalReturn: z.number(),
  /** Compound annual growth. Null if the backtest is shorter than a year. */
  cagr: z.nullable(z.number()),
  /** The largest fall from an earlier peak, as a positive share. */
  maximumDrawdown: z.number(),
  /** What 1,000 USD became at its end, in USD. */
  became: z.number(),
  /** What holding the same assets made of 1,000 USD on the same days, in USD. */
  heldBecame: z.number(),
  worstYear,
  verdict,
  /** The tested days on which it hit its own drawdown limit, sold everything and paused. */
  pausedOn: z.array(z.string()),
  /**
   * The days from `from` on, after the rules were frozen, restarted: its own figures, those of holding the same assets, and the label
   * of its own checks. Null on the simulated market.
   */
  forward: z.nullable(
    z.object({
      from: z.string(),
      totalReturn: z.number(),
      maximumDrawdown: z.number(),
      heldReturn: z.number(),
      verdict,
    }),
  ),
})

/** The live record since the start, from each day's closing unit price. Shares: 0.12 is 12 %. */
const liveRecord = z.object({
  /** The first and the last day with a close; null before the first. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  days: z.number(),
  totalReturn: z.nullable(z.number()),
  /**
   * What the test returned on the same days. Null until each of these days is explained (see `/strategies/:slug/gaps`), and
   * once the record is 2,000 days long.
   */
  testReturn: z.nullable(z.number()),
  maximumDrawdown: z.nullable(z.number()),
  /**
   * The range in which the unit price should be on that day with 98 % probability, by the backtest. Null if the current
   * rules have no backtest.
   */
  band: z.nullable(z.object({ lower: z.number(), upper: z.number() })),
})

const brief = {
  _id: z.string(),
  slug: z.string(),
  name: z.string(),
  /** The kind of rules. */
  kind: z.string(),
  does: z.string(),
  parameters: z.array(parameter),
  assets: z.array(asset),
  /** Risk limits on top of the strategy's rules, as shares: 0.35 is 35 %. A missing limit does not apply. */
  risk: z.object({
    maximumDrawdown: z.optional(z.number()),
    /** Days in cash after the drawdown limit, before its rule may buy again. Without it, trading ends for good. */
    pauseDays: z.optional(z.number()),
    maximumPosition: z.optional(z.number()),
    dailyTurnover: z.optional(z.number()),
  }),
  /** For each purchase or sale, in basis points. */
  costs: z.object({ feeBasisPoints: z.number(), slippageBasisPoints: z.number() }),
  /** The smallest investment, in USD. */
  minimum: z.number(),
  /** Where it trades, with simulated money in any case. */
  market: tradedMarket,
  /** Whether its market is the simulated one. */
  simulated: z.boolean(),
  status: z.enum(STRATEGY_STATUSES),
  /** Since when it has this status, and the reason if it is not active. */
  since: isoTime,
  reason: z.nullable(z.string()),
  startedAt: isoTime,
  /** SHA-256 of the frozen definition: the start of the record's hash chain. */
  hash: z.string(),
  /** USD per unit, and its time. */
  unitPrice: z.number(),
  at: isoTime,
  /** When an order filed now is priced. */
  nextValuation: isoTime,
  live: liveRecord,
  backtest: z.nullable(backtestFigures),
}

export const strategy = z.object(brief)
export type Strategy = z.output<typeof strategy>

/** A day's close of the record. */
const dayPrice = z.object({
  day: z.string(),
  unitPrice: z.number(),
  /** When it was recorded. */
  recordedAt: isoTime,
  /** Recorded more than two days after the end of the day. */
  late: z.boolean(),
})

export const strategyDetail = z.object({
  ...brief,
  /** The complete rules. The hash is made of their canonical JSON. */
  definition: z.record(z.string(), z.unknown()),
  /**
   * The forward band, frozen at the start: for each number of `days`, the growth of 1 at the 1st, 5th, 50th, 95th and
   * 99th percentile of the backtest's paths. Interpolate with `computeBandLines` of engine/backtest/band.ts. Null if none was frozen.
   */
  band: z.nullable(z.object({ days: z.array(z.number()), lines: z.array(z.array(z.number())) })),
  prices: z.array(dayPrice),
})
export type StrategyDetail = z.output<typeof strategyDetail>

export const listStrategies = endpoint('GET', '/strategies', 'public', {
  summary:
    'The strategies: rules, market, risk limits, costs, minimum, live record and key figures of the backtest',
  answer: z.array(strategy),
})

export const getStrategy = endpoint('GET', '/strategies/:slug', 'public', {
  summary: 'One strategy, with the unit price at each day’s close',
  answer: strategyDetail,
  refusals: ['not_found'],
})

/** A valuation as hashed; `strategyRecord.ts` describes how. */
const recordEntry = z.object({
  _id: z.string(),
  format: z.literal(2),
  strategy: z.string(),
  day: z.string(),
  kind: z.enum(['open', 'close']),
  /** Micro-USD per unit. */
  unitPrice: z.number(),
  /** When it was recorded, in epoch milliseconds, as hashed. */
  recordedAt: z.number(),
  /** Recorded more than two days late. */
  late: z.boolean(),
  /** Return since the previous valuation, as a share: 0.01 is 1 %. */
  return: z.number(),
  /** Each asset's share of the holdings in millionths; the rest was cash. */
  weights: z.record(z.string(), z.number()),
  /** Commitment to units, cash, holdings, flows, orders, fills and costs. */
  commitment: z.string(),
  previous: z.string(),
  hash: z.string(),
})
export type RecordEntry = z.output<typeof recordEntry>

export const listRecord = endpoint('GET', '/strategies/:slug/record', 'public', {
  summary:
    'The valuations of a strategy as a hash chain, newest first: unit price, return, and a commitment to private figures',
  query: pageQuery,
  answer: z.array(recordEntry),
  refusals: ['not_found'],
})

/** A purchase or sale of an asset by the rules. Shares: 0.12 is 12 %. */
const fill = z.object({
  _id: z.string(),
  /** The day of its bar. */
  day: z.string(),
  asset: z.object({ _id: z.string(), name: z.string() }),
  side: z.enum(['buy', 'sell']),
  /** Sold within the day by a stop; all other trades happen at the open. */
  stopped: z.boolean(),
  /** USD per unit of the asset, with slippage, without the fee. */
  price: z.number(),
  /** In proportion to the traded amount. */
  feeBasisPoints: z.number(),
  slippageBasisPoints: z.number(),
  /** The asset's share of the holdings at that day's open before any trade, and at its close; null until then. */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  at: isoTime,
})
export type Fill = z.output<typeof fill>

export const listFills = endpoint('GET', '/strategies/:slug/fills', 'public', {
  summary:
    'The purchases and sales by a strategy’s rules, newest first: prices, costs, and the asset’s share before and after. Quantities and trades for investors are left out, because they would reveal individuals',
  query: pageQuery,
  answer: z.array(fill),
  refusals: ['not_found'],
})
