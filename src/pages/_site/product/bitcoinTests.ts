import { getOwnFigures } from '../../_investing/strategies/figures.ts'
import { listTestResults, type MarketTestResult } from '../../_investing/strategies/testedStrategies.ts'

/** Every strategy's test on bitcoin's real prices, in the order of the catalogue: the one market on which all are tested. */
export function listBitcoinTests(): MarketTestResult[] {
  return listTestResults().filter(({ test }) => test.on === 'bitcoin')
}

/** The best, the middle and the worst of the tests by return. */
export function pickBestMiddleWorst(tests: readonly MarketTestResult[]): MarketTestResult[] {
  const sorted = tests.toSorted(
    (one, other) => getOwnFigures(other.backtest).totalReturn - getOwnFigures(one.backtest).totalReturn,
  )
  return [0, Math.floor(sorted.length / 2), sorted.length - 1].flatMap((place) => sorted[place] ?? [])
}
