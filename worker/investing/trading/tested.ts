import { backtest } from '../../../engine/backtest.ts'
import type { WorstYear } from '../../../engine/backtestResult.ts'
import { CATALOGUE, type Offered } from '../../../engine/catalogue.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/simulatedPaths.ts'
import { canonicalJson } from '../../../src/contract/investing/strategyRecord.ts'

/** Key figures of a strategy's test. */
export interface Tested {
  /** The canonical JSON of what was tested: figures are of no other definition. */
  readonly definition: string
  readonly firstDay: string
  readonly lastDay: string
  readonly totalReturn: number
  readonly cagr: number | null
  readonly maximumDrawdown: number
  readonly worstYear: Omit<WorstYear, 'return'>
}

/** Tests a strategy anew. That takes up to some seconds of computing, for all of them: no answer waits for it. */
function testOf({ definition }: Offered): Tested {
  const market = simulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL)
  const { firstDay, lastDay, atCosts, worstYear } = backtest(market, definition, { light: true })
  const { return: _return, ...shown } = worstYear
  const figures = atCosts.find(({ multiple }) => multiple === 1)?.figures
  if (figures === undefined) throw new Error('A test without its own costs.')
  return {
    definition: canonicalJson(definition),
    firstDay,
    lastDay,
    totalReturn: rounded(figures.totalReturn),
    cagr: figures.cagr === null ? null : rounded(figures.cagr),
    maximumDrawdown: rounded(figures.maximumDrawdown),
    worstYear: { ...shown, thousandBecame: rounded(shown.thousandBecame) },
  }
}

/** The figures of every strategy of the catalogue, by its slug. */
export function testAll(): Record<string, Tested> {
  return Object.fromEntries(CATALOGUE.map((offered) => [offered.slug, testOf(offered)]))
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}
