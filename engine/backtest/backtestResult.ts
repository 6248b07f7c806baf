import type { CostMultiple, Definition } from '../definition.ts'

/** A UTC day as `2024-12-31`. */
export type Day = string

/**
 * The result of a backtest, as plain JSON. The same market and definition give the same figures in Node, the Worker and
 * browsers. Shares are fractions (0.25 is 25 %), money is in the quote currency. Null means unknown. Costs are the
 * definition's own (×1) unless stated otherwise.
 */
export interface Backtest {
  readonly definition: Definition
  /** Equity before `firstDay`. */
  readonly startingCash: number
  /** The first trading day, after the warm-up. */
  readonly firstDay: Day
  readonly lastDay: Day
  readonly days: number
  /** The first day of the out-of-sample period. Parameters were chosen without it. */
  readonly holdOutFrom: Day
  /** Equity at the end of each UTC day from `firstDay`, rounded to cents: `days` values. */
  readonly equity: readonly number[]
  /** The same for equal parts of the same assets, bought once, with the same costs. */
  readonly benchmark: readonly number[]
  /** The invested share at the end of each day, to four digits. */
  readonly exposure: readonly number[]
  /** The whole period at 0, 1, 2 and 3 times the costs. */
  readonly atCosts: readonly AtCosts[]
  readonly inSample: Part | null
  /**
   * From `holdOutFrom` to the forward period, restarted with the starting cash: earlier events, such as a pause, do not count. Null
   * if the test ends before.
   */
  readonly holdOut: Part | null
  /** The days after the rules were frozen. Null for a test without them. */
  readonly forward: Forward | null
  /** The benchmark over the whole period, without `versus`. */
  readonly ofBenchmark: Figures
  /** Other benchmarks over the same days at the same costs, without `versus`. */
  readonly beside: readonly { readonly of: string; readonly figures: Figures }[]
  /** Worst first, at most five. */
  readonly worstFalls: readonly Fall[]
  /** In order; the first and the last may be partial. */
  readonly years: readonly Year[]
  /** The benchmark's, over the same days. */
  readonly benchmarkYears: readonly Year[]
  readonly rollingYear: RollingYear | null
  readonly benchmarkRollingYear: RollingYear | null
  /** Days from `firstDay` on without a bar of an asset whose market had begun. Holdings were valued at the last close. */
  readonly missingDays: readonly { readonly day: Day; readonly assets: readonly string[] }[]
  /** The year with the largest loss or the smallest gain. */
  readonly worstYear: WorstYear
  /** The day and the rule that ended trading for good; null if none did. */
  readonly stopped: { readonly day: Day; readonly by: 'maximumDrawdown' | 'killSwitch' } | null
  /** Pauses after the drawdown limit, by days. `until` is the first day on which it may buy again, null if that is later. */
  readonly pauses: readonly { readonly from: Day; readonly until: Day | null }[]
  readonly trades: TradeCount
  /** Null in a light backtest. */
  readonly overfit: Overfit | null
  /** The forward band of expected growth: read it with `computeBandLines`. */
  readonly band: Band
}

export interface AtCosts {
  readonly multiple: CostMultiple
  readonly figures: Figures
}

export interface Part {
  readonly firstDay: Day
  readonly lastDay: Day
  readonly figures: Figures
}

/** The forward period, restarted with the starting cash. */
export interface Forward extends Part {
  /** The same assets, held over these days. */
  readonly ofBenchmark: Figures
  /** The worth that the days before let expect at the end, in 1, 50 and 99 of 100 cases. */
  readonly expected: { readonly least: number; readonly median: number; readonly most: number }
  /** Own checks of these days alone. */
  readonly checks: readonly Check[]
  readonly level: OverfitLevel
}

/** `engine/metrics` has formulas and sources. */
export interface Figures {
  readonly days: number
  /** Equity at the end. */
  readonly finalEquity: number
  readonly totalReturn: number
  /** Per year. Null under 365 days. */
  readonly cagr: number | null
  /** Per year. */
  readonly volatility: number | null
  readonly sharpe: number | null
  readonly sortino: number | null
  readonly calmar: number | null
  /** The largest drawdown, between −1 and 0. */
  readonly maximumDrawdown: number
  /** The longest time from a peak to its recovery, or to the end. */
  readonly longestUnderWaterDays: number
  /** The share of days that close below an earlier peak, including the starting cash. */
  readonly underWater: number
  /** The smallest loss of the worst 5 % of days, as a positive share. */
  readonly valueAtRisk95: number | null
  /** The average loss of such days. */
  readonly expectedShortfall95: number | null
  /** Gross profit of winning trades / gross loss of losing trades. Null for a benchmark, and without a losing trade. */
  readonly profitFactor: number | null
  /** The average invested share. */
  readonly exposure: number
  /** Purchases plus sales per year / average equity. */
  readonly turnover: number | null
  /** Fees and slippage. */
  readonly costs: number
  /** Compared with the benchmark at the same costs. */
  readonly versus: Versus | null
}

export interface Versus {
  readonly excessReturn: number
  readonly beta: number | null
  readonly correlation: number | null
  /** Per year. */
  readonly trackingError: number | null
  readonly informationRatio: number | null
  /** Average return on days when the benchmark rose / the benchmark's own. */
  readonly upCapture: number | null
  readonly downCapture: number | null
}

/** A drawdown from a peak to its lowest close. */
export interface Fall {
  /** Negative. */
  readonly depth: number
  /** The day of the peak; the day before `firstDay` if it is the starting cash. */
  readonly from: Day
  readonly to: Day
  /** The day of recovery; null: not yet. */
  readonly recovered: Day | null
  readonly daysDown: number
  /** From the peak to the recovery, or to the last day. */
  readonly daysUnderWater: number
}

export interface Year {
  readonly year: number
  readonly days: number
  readonly return: number
}

/** Returns of all periods of 365 days, one ending at each close. */
export interface RollingYear {
  readonly periods: number
  /** The share of periods with a loss. */
  readonly lost: number
  readonly worst: Period
  readonly median: number
  readonly best: Period
}

export interface Period {
  readonly return: number
  readonly from: Day
  readonly to: Day
}

export interface WorstYear extends Year {
  /** The value of $1,000 at the end of the year. */
  readonly thousandBecame: number
  /** Days from the end of the year to recovery: 0 without a loss, null if it never recovered. */
  readonly daysToRecover: number | null
  /** Whether the recovery was lost again by the end of the test. */
  readonly isLostAgain: boolean
}

export interface TradeCount {
  /** All trades opened. */
  readonly all: number
  readonly open: number
  readonly won: number
  readonly lost: number
}

/**
 * How likely the figures are luck or overfitting. Based on days before `holdOutFrom` only, except for what was kept out of sample and in
 * the forward period.
 */
export interface Overfit {
  /** Parameter combinations tried, including the strategy's own. */
  readonly trials: number
  /** The probability that the true Sharpe ratio is above 0. */
  readonly probabilisticSharpe: number | null
  /** The probability that it is above the best of as many trials without skill. */
  readonly deflatedSharpe: number | null
  readonly inSampleSharpe: number | null
  readonly holdOutSharpe: number | null
  /** The out-of-sample Sharpe ratio / the in-sample one. Null if that is not above 0. */
  readonly keptOfSharpe: number | null
  /** The share of neighbouring combinations with a profit; null without neighbours. */
  readonly neighboursThatWon: number | null
  /** The lowest, median and highest total return of all combinations. */
  readonly neighbourReturns: { readonly least: number; readonly median: number; readonly most: number } | null
  readonly walkForward: WalkForward | null
  /** Null with fewer than two combinations of parameters. */
  readonly sweep: Sweep | null
  readonly checks: readonly Check[]
  /** One failed check makes it `luck`; `held-up` needs all checks passed. */
  readonly level: OverfitLevel
}

export type OverfitLevel = 'luck' | 'uncertain' | 'held-up'

export type OverfitCheck =
  | 'deflated-sharpe'
  | 'hold-out'
  | 'neighbours'
  | 'walk-forward'
  | 'overfitting'
  | 'timing'
  | 'forward'
  | 'probabilistic-sharpe'

/**
 * Fails below `against`, passes from `for`, otherwise unclear. If `for` is the lower one: fails from `against`, passes up to `for`.
 * Values are shares.
 */
export interface Check {
  readonly of: OverfitCheck
  readonly value: number | null
  readonly against: number
  readonly for: number
  readonly stands: 'against' | 'unclear' | 'for'
}

/** Parameters chosen on each window by Sharpe ratio and used on the next one, repeatedly. */
export interface WalkForward {
  readonly windows: readonly WalkForwardWindow[]
  /** All followed windows combined, after the costs of changing parameters. */
  readonly totalReturn: number
  readonly sharpe: number | null
}

/** In-sample total returns with other values of a strategy's first two parameters. */
export interface Sweep {
  /** The names of the parameters; `y` is null for a single one. */
  readonly x: string
  readonly y: string | null
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** One row for each of `ys`, one value for each of `xs`; null where the combination was not tried. */
  readonly returns: readonly (readonly (number | null)[])[]
}

export interface WalkForwardWindow {
  readonly chosenFrom: Day
  readonly followedFrom: Day
  readonly followedTo: Day
  /** The chosen combination; null if none had a Sharpe ratio, so cash was kept. */
  readonly values: Readonly<Record<string, number>> | null
  readonly chosenReturn: number
  readonly followedReturn: number
}

/** The share of outcomes below each line. */
export const BAND_QUANTILES = [0.01, 0.05, 0.5, 0.95, 0.99] as const

/** The growth of 1: one row of lines for each of `days`, in the order of `BAND_QUANTILES`. */
export interface Band {
  readonly days: readonly number[]
  readonly lines: readonly (readonly number[])[]
}
