import type { OverfitLevel } from '../engine/backtest/backtestResult.ts'
import tested from './testedFigures.json' with { type: 'json' }

/** A test on real prices whose drawdown limit ends trading for good, instead of pausing it. */
export interface EndingFigures {
  readonly stoppedOn: string | null
  readonly totalReturn: number
  readonly maximumDrawdown: number
  readonly level: OverfitLevel
}

/** By slug, for all tests with a pause. A test computes a sample of them again. */
export const TESTED_ENDINGS = tested.endings as Readonly<Record<string, EndingFigures>>
