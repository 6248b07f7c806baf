import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const STRATEGY_STATUSES = ['active', 'suspended', 'stopped'] as const
export type StrategyStatus = (typeof STRATEGY_STATUSES)[number]

/** One figure of the rules: what it is set to, and between which it may be chosen where it is tried out. */
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
  /** Made-up prices, not those of anything that can be bought. */
  simulated: z.boolean(),
})

/** The calendar year of the test in which most was lost, or least won, for 1,000 USD at its beginning. */
const worstYear = z.object({
  year: z.number(),
  /** How many days of it the test has. */
  days: z.number(),
  /** What 1,000 USD became within it. */
  became: z.number(),
  /** Days from its end until what was there at its beginning was there again: 0 where nothing was lost, null where it never was. */
  recoveredDays: z.nullable(z.number()),
  /** Whether what came back was gone again when the test ended. */
  lostAgain: z.boolean(),
})

/** Key figures of the backtest, after costs. Shares: 0.12 is 12 %. */
const backtestFigures = z.object({
  from: z.string(),
  to: z.string(),
  totalReturn: z.number(),
  /** A year, compounded. Null where the test is shorter than a year. */
  cagr: z.nullable(z.number()),
  /** The deepest fall from a highest value before it, as a share above zero. */
  maximumDrawdown: z.number(),
  worstYear,
})

/** What happened since the start, from the unit price at each day's close. Shares: 0.12 is 12 %. */
const liveRecord = z.object({
  /** The first and the last day with a close; null before the first. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  days: z.number(),
  totalReturn: z.nullable(z.number()),
  maximumDrawdown: z.nullable(z.number()),
  /** Between what the unit price should be on that day by the test, 98 of 100 times. Null where there is no test of just these rules. */
  band: z.nullable(z.object({ lower: z.number(), upper: z.number() })),
})

const brief = {
  _id: z.string(),
  slug: z.string(),
  name: z.string(),
  /** What kind of rules it follows. */
  kind: z.string(),
  /** What it does, in a sentence. */
  does: z.string(),
  parameters: z.array(parameter),
  assets: z.array(asset),
  /** Rules above the strategy's own, as shares: 0.35 is 35 %. One that is missing does not hold. */
  risk: z.object({
    maximumDrawdown: z.optional(z.number()),
    maximumPosition: z.optional(z.number()),
    dailyTurnover: z.optional(z.number()),
  }),
  /** On each side of a trade, in basis points. */
  costs: z.object({ feeBasisPoints: z.number(), slippageBasisPoints: z.number() }),
  /** The least that can be allocated at once, in USD. */
  minimum: z.number(),
  simulated: z.boolean(),
  status: z.enum(STRATEGY_STATUSES),
  /** Since when it is so, and, where it is not active, why. */
  since: isoTime,
  reason: z.nullable(z.string()),
  startedAt: isoTime,
  /** SHA-256 of the frozen definition, the beginning of the record. */
  hash: z.string(),
  /** USD for one unit, and of when. */
  unitPrice: z.number(),
  at: isoTime,
  /** When what is filed now is priced. */
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
  /** When it was written down. */
  recordedAt: isoTime,
  /** More than two days after the day was over. */
  late: z.boolean(),
})

export const strategyDetail = z.object({
  ...brief,
  /** All that decides what it does; the hash is made of its canonical JSON. */
  definition: z.record(z.string(), z.unknown()),
  /**
   * How 1 may grow after so many days, by the test, as it was frozen at the start: a row for each of `days`, of the lines below which
   * 1, 5, 50, 95 and 99 of 100 courses stay. Between the days it is read with `bandAt` of engine/band.ts. Null where none was frozen.
   */
  band: z.nullable(z.object({ days: z.array(z.number()), lines: z.array(z.array(z.number())) })),
  /** Oldest first; the last 2,000 days. */
  prices: z.array(dayPrice),
})
export type StrategyDetail = z.output<typeof strategyDetail>

export const listStrategies = endpoint('GET', '/strategies', 'public', {
  summary:
    'The strategies: rules, parameters, risk rules, costs, minimum, and the record since the start beside the backtest’s key figures',
  answer: z.array(strategy),
})

export const getStrategy = endpoint('GET', '/strategies/:slug', 'public', {
  summary: 'One strategy, with the unit price at each day’s close',
  answer: strategyDetail,
  refusals: ['not_found'],
})

const entry = {
  _id: z.string(),
  strategy: z.string(),
  day: z.string(),
  kind: z.enum(['open', 'close']),
  /** Micro-USD for one unit. */
  unitPrice: z.number(),
  /** When it was written down, epoch milliseconds, as it is hashed. */
  recordedAt: z.number(),
  /** More than two days after its time. */
  late: z.boolean(),
  previous: z.string(),
  hash: z.string(),
}

/** A valuation as it was sealed: what is hashed, and how, `strategyRecord.ts` says. Older ones (format 1) are links of the chain only. */
const recordEntry = z.discriminatedUnion('format', [
  z.object({
    ...entry,
    format: z.literal(2),
    /** Since the valuation before, as a share: 0.01 is 1 %. */
    return: z.number(),
    /** What each asset was of what the rules hold, in millionths; the rest was cash. */
    weights: z.record(z.string(), z.number()),
    /** To units, cash, holdings, flows, orders, fills and costs. */
    commitment: z.string(),
  }),
  z.object({
    ...entry,
    format: z.literal(1),
    return: z.null(),
    weights: z.null(),
    commitment: z.null(),
  }),
])
export type RecordEntry = z.output<typeof recordEntry>

export const listRecord = endpoint('GET', '/strategies/:slug/record', 'public', {
  summary:
    'The valuations of a strategy, newest first: unit price, return, a commitment to what is not public, and the hash of the one before, so that anybody can compute the chain again',
  query: pageQuery,
  answer: z.array(recordEntry),
  refusals: ['not_found'],
})

/** What the rules bought or sold of an asset at once. Shares: 0.12 is 12 %. */
const fill = z.object({
  _id: z.string(),
  /** The day of whose bar it was. */
  day: z.string(),
  asset: z.object({ _id: z.string(), name: z.string() }),
  side: z.enum(['buy', 'sell']),
  /** Sold within the day, where a stop was met; everything else is traded at the open. */
  stopped: z.boolean(),
  /** USD for one, slippage included, before the fee. */
  price: z.number(),
  /** Of what was traded. */
  feeBasisPoints: z.number(),
  slippageBasisPoints: z.number(),
  /**
   * What the asset was of what the rules held at that day’s open, before anything was traded, and at its close: null until then.
   */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  at: isoTime,
})
export type Fill = z.output<typeof fill>

export const listFills = endpoint('GET', '/strategies/:slug/fills', 'public', {
  summary:
    'What the rules of a strategy bought and sold, newest first: prices, costs, and what the asset was of all before and after. What is traded because investors come or leave is not in it, nor how much: that would tell of single investors',
  query: pageQuery,
  answer: z.array(fill),
  refusals: ['not_found'],
})
