import { describe, expect, it } from 'vitest'
import { loadRealMarket, readRealLastDay } from '../../data/realPrices.ts'
import { expectAgreement } from '../../test/support/engine/agreement.ts'
import {
  averages,
  averaging,
  breakouts,
  hold,
  type Rule,
  rebalanced,
  reversion,
  rotation,
  swings,
} from '../../test/support/engine/referenceRules.ts'
import type { StrategyKind } from '../definition.ts'
import { REAL_PAIRS } from '../market/realPairs.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import type { Values } from '../strategy.ts'
import { runBacktest } from './backtest.ts'
import { buildRealOptions, REAL_TESTS } from './realTests.ts'

const CASH = 1000

const RULES: Readonly<Record<StrategyKind, (values: Values) => Rule>> = {
  'buy-and-hold': () => hold,
  'cost-averaging': ({ every = 0, share = 0, most = 0 }) => averaging(every, share, most, CASH),
  'rebalanced-basket': ({ invested = 0, band = 0 }) => rebalanced(invested, band),
  'sma-trend': ({ fast = 0, slow = 0 }) => averages(fast, slow),
  'donchian-trend': ({ entry = 0, exit = 0 }) => breakouts(entry, exit),
  'momentum-rotation': ({ lookback = 0, top = 0, every = 0 }) => rotation(lookback, top, every),
  'mean-reversion': reversion,
  'volatility-target': ({ days = 0, target = 0, band = 0 }) => swings(days, target, band),
}

/** One test of each kind has the definition to try on every file. */
const KINDS = REAL_TESTS.filter(
  ({ definition }, index) =>
    REAL_TESTS.findIndex((test) => test.definition.kind === definition.kind) === index,
)

it('an independent implementation agrees on all real prices to 1e-9', { timeout: 120_000 }, () => {
  for (const { on, definition } of REAL_TESTS) {
    const { kind, values, assets, costs, risk } = definition
    const result = expectAgreement({
      market: loadRealMarket(assets),
      strategy: STRATEGIES[kind],
      values,
      rule: RULES[kind](values),
      cash: CASH,
      costs,
      risk,
      fewestFills: 1,
    })
    const options = { ...buildRealOptions(on, readRealLastDay()), light: true }
    const { atCosts } = runBacktest(loadRealMarket(), definition, options)
    const tested = atCosts.find(({ multiple }) => multiple === 1)
    expect(tested?.figures.finalEquity).toBe(result.equity.at(-1))
  }
})

describe('an independent implementation agrees', { timeout: 60_000 }, () => {
  it.each(REAL_PAIRS.flatMap((pair) => KINDS.map((test) => ({ ...pair, kind: test.definition.kind, test }))))(
    'for $kind on $name alone, without risk limits',
    ({ asset, kind, test }) => {
      const { values, costs } = test.definition
      expectAgreement({
        market: loadRealMarket([asset]),
        strategy: STRATEGIES[kind],
        values,
        rule: RULES[kind](values),
        cash: CASH,
        costs,
        fewestFills: 1,
      })
    },
  )
})
