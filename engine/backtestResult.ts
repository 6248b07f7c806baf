import type { CostMultiple, Definition } from './definition.ts'

/** A UTC day as `2024-12-31`. */
export type Day = string

/**
 * All that is shown of a strategy's test, as plain JSON: the same market and definition give the same figures in Node, in the
 * Worker and in a browser. Shares are fractions (0.25 is 25 %), money is in the quote currency. Null stands for what cannot be
 * known. Costs are the definition's own (×1) where nothing else is said.
 */
export interface Backtest {
  readonly definition: Definition
  /** What was there before `firstDay`. */
  readonly startingCash: number
  /** The first day on which something could be traded: the warm-up is over. */
  readonly firstDay: Day
  readonly lastDay: Day
  readonly days: number
  /** Chosen by nothing: from this day on the figures were not looked at when parameters were set. */
  readonly holdOutFrom: Day
  /** Worth at the end of each UTC day from `firstDay` on, to a hundredth: `days` figures. */
  readonly equity: readonly number[]
  /** Likewise for equal parts of the same assets, bought once and held, with the same costs. */
  readonly benchmark: readonly number[]
  /** What is invested at the end of each day, as a share to four digits. */
  readonly exposure: readonly number[]
  /** The whole period at no costs, the definition's, twice and three times them. */
  readonly atCosts: readonly AtCosts[]
  readonly inSample: Part | null
  /**
   * From `holdOutFrom` on, begun anew with the starting cash on what was known by then: what happened before, such as an end of all
   * trading, does not count. Null where the test ends earlier.
   */
  readonly holdOut: Part | null
  /** What the benchmark's whole period came to; against itself it has no `versus`. */
  readonly ofBenchmark: Figures
  /** Worst first, at most five. */
  readonly worstFalls: readonly Fall[]
  /** In order of time; the first and the last may be parts of a year. */
  readonly years: readonly Year[]
  /** The one of them in which the most was lost, or the least won. */
  readonly worstYear: WorstYear
  /** Whether and how trading was ended for good, and on which day. */
  readonly stopped: { readonly day: Day; readonly by: 'maximumDrawdown' | 'killSwitch' } | null
  readonly trades: TradeCount
  /** Null in a light test. */
  readonly overfit: Overfit | null
  /** Within what the strategy is expected to grow from any day on: read it with `bandAt`. */
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

/** Formulas and their sources stand in `engine/metrics`. */
export interface Figures {
  readonly days: number
  /** What the starting cash became. */
  readonly finalEquity: number
  readonly totalReturn: number
  /** A year. Null under 365 days. */
  readonly cagr: number | null
  /** A year. */
  readonly volatility: number | null
  readonly sharpe: number | null
  readonly sortino: number | null
  readonly calmar: number | null
  /** The deepest fall below an earlier peak, between −1 and 0. */
  readonly maximumDrawdown: number
  /** The longest time between a peak and the day on which it was reached again, or the end. */
  readonly longestUnderWaterDays: number
  /** What one day in twenty lost at least, as a positive share. */
  readonly valueAtRisk95: number | null
  /** What such days lost on average. */
  readonly expectedShortfall95: number | null
  /** Won in winning trades for each unit lost in losing ones. Null for a benchmark, and where no trade lost. */
  readonly profitFactor: number | null
  /** The average share invested. */
  readonly exposure: number
  /** Bought and sold in a year, for each unit of average equity. */
  readonly turnover: number | null
  /** Fees and slippage paid. */
  readonly costs: number
  /** Against the benchmark at the same costs. */
  readonly versus: Versus | null
}

export interface Versus {
  /** Total return less the benchmark's. */
  readonly excessReturn: number
  readonly beta: number | null
  readonly correlation: number | null
  /** A year. */
  readonly trackingError: number | null
  readonly informationRatio: number | null
  /** Average return on the days on which the benchmark rose, for each unit of its own. */
  readonly upCapture: number | null
  readonly downCapture: number | null
}

/** From a peak down to the lowest close before that peak is reached again. */
export interface Fall {
  /** Negative. */
  readonly depth: number
  /** The day of the peak: the day before `firstDay` where the starting cash is it. */
  readonly from: Day
  readonly to: Day
  /** When the peak was reached again; null: not yet. */
  readonly recovered: Day | null
  readonly daysDown: number
  /** From the peak to its recovery, or to the last day. */
  readonly daysUnderWater: number
}

export interface Year {
  readonly year: number
  readonly days: number
  readonly return: number
}

export interface WorstYear extends Year {
  /** What $1,000 at its beginning were at its end. */
  readonly thousandBecame: number
  /** Days after its end until what was there at its beginning was there again: 0 where nothing was lost, null where it never was. */
  readonly daysToRecover: number | null
  /** Whether what came back was gone again when the test ended. */
  readonly isLostAgain: boolean
}

export interface TradeCount {
  /** Begun. */
  readonly all: number
  readonly open: number
  readonly won: number
  readonly lost: number
}

/** How likely it is that the figures are owed to luck and to choosing. Only days before `holdOutFrom` count, but for `keptOfSharpe`. */
export interface Overfit {
  /** Parameter combinations tried: the strategy's own and its neighbours. */
  readonly trials: number
  /** The probability that the true Sharpe ratio is above 0. */
  readonly probabilisticSharpe: number | null
  /** That it is above what the luckiest of so many worthless trials would have shown. */
  readonly deflatedSharpe: number | null
  readonly inSampleSharpe: number | null
  readonly holdOutSharpe: number | null
  /** The hold-out's Sharpe ratio for each unit of the one before it. Null where that is not above 0. */
  readonly keptOfSharpe: number | null
  /** The share of neighbouring combinations that made money; null where there is none. */
  readonly neighboursThatWon: number | null
  /** The lowest, the middle and the highest total return among all combinations. */
  readonly neighbourReturns: { readonly least: number; readonly median: number; readonly most: number } | null
  readonly walkForward: WalkForward | null
  readonly checks: readonly Check[]
  /** One check against is enough for `luck`; `held-up` takes all for. */
  readonly level: OverfitLevel
}

export type OverfitLevel = 'luck' | 'uncertain' | 'held-up'

export type OverfitCheck = 'deflated-sharpe' | 'hold-out' | 'neighbours' | 'walk-forward'

/** Against below `against`, for from `for` on, unclear between them and where there is no value. Values are shares. */
export interface Check {
  readonly of: OverfitCheck
  readonly value: number | null
  readonly against: number
  readonly for: number
  readonly stands: 'against' | 'unclear' | 'for'
}

/** Parameters chosen on each window by its Sharpe ratio and followed through the next, again and again. */
export interface WalkForward {
  readonly windows: readonly WalkForwardWindow[]
  /** All windows that followed one upon the other, after the costs of changing parameters. */
  readonly totalReturn: number
  readonly sharpe: number | null
}

export interface WalkForwardWindow {
  readonly chosenFrom: Day
  readonly followedFrom: Day
  readonly followedTo: Day
  /** The combination that was chosen; null where none had a Sharpe ratio, and cash was kept. */
  readonly values: Readonly<Record<string, number>> | null
  readonly chosenReturn: number
  readonly followedReturn: number
}

/** The share of outcomes that stay below a line. */
export const BAND_QUANTILES = [0.01, 0.05, 0.5, 0.95, 0.99] as const

/** Growth after so many days, as what 1 becomes: one row of lines for each of `days`, in the order of `BAND_QUANTILES`. */
export interface Band {
  readonly days: readonly number[]
  readonly lines: readonly (readonly number[])[]
}
