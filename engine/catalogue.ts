import { DEFAULT_COSTS, type Definition } from './definition.ts'

/** A strategy on offer: its name, smallest allocation and definition. */
export interface OfferedStrategy {
  readonly slug: string
  readonly name: string
  readonly minimumCents: number
  readonly definition: Definition
}

const MINIMUM_CENTS = 1000

/** The wait in cash after each drawdown limit, for every strategy: docs/decisions/0046-frozen-rules.md. */
const PAUSE_DAYS = 90

/** The platform's strategies. Changes apply to pools that start later; running ones keep their frozen definition. */
export const CATALOGUE: readonly OfferedStrategy[] = [
  createOfferedStrategy('hold-the-index', 'Buy and Hold', {
    kind: 'buy-and-hold',
    values: {},
    assets: ['sim-index'],
    risk: {},
  }),
  createOfferedStrategy('a-little-each-month', 'A Little Each Month', {
    kind: 'cost-averaging',
    values: { every: 30, share: 5, most: 80 },
    assets: ['sim-index'],
    risk: {},
  }),
  createOfferedStrategy('even-basket', 'Even Basket', {
    kind: 'rebalanced-basket',
    values: { invested: 80, band: 5 },
    assets: ['sim-alder', 'sim-birch', 'sim-cedar', 'sim-dogwood'],
    risk: { maximumPosition: 0.35 },
  }),
  createOfferedStrategy('slow-trend', 'Slow Trend', {
    kind: 'sma-trend',
    values: { fast: 50, slow: 200 },
    assets: ['sim-index'],
    risk: { maximumDrawdown: 0.5 },
  }),
  createOfferedStrategy('breakout', 'Breakout', {
    kind: 'donchian-trend',
    values: { entry: 20, exit: 10 },
    assets: ['sim-alder', 'sim-birch'],
    risk: { maximumDrawdown: 0.5, maximumPosition: 0.5 },
  }),
  createOfferedStrategy('strongest-two', 'Strongest Two', {
    kind: 'momentum-rotation',
    values: { lookback: 90, top: 2, every: 30 },
    assets: ['sim-alder', 'sim-birch', 'sim-cedar', 'sim-dogwood', 'sim-flint', 'sim-granite', 'sim-slate'],
    risk: { maximumDrawdown: 0.5, maximumPosition: 0.5, dailyTurnover: 2 },
  }),
  createOfferedStrategy('buy-the-dip', 'Buy the Dip', {
    kind: 'mean-reversion',
    values: { rsi: 14, oversold: 30, bands: 20, width: 2, loss: 8 },
    assets: ['sim-flint', 'sim-granite', 'sim-slate'],
    risk: { maximumDrawdown: 0.4, maximumPosition: 0.35 },
  }),
  createOfferedStrategy('even-keel', 'Even Keel', {
    kind: 'volatility-target',
    values: { days: 60, target: 15, band: 5 },
    assets: ['sim-index'],
    risk: { maximumDrawdown: 0.4 },
  }),
]

function createOfferedStrategy(
  slug: string,
  name: string,
  rules: Omit<Definition, 'costs'>,
): OfferedStrategy {
  const { risk } = rules
  const paused = risk.maximumDrawdown === undefined ? risk : { ...risk, pauseDays: PAUSE_DAYS }
  return {
    slug,
    name,
    minimumCents: MINIMUM_CENTS,
    definition: { ...rules, risk: paused, costs: DEFAULT_COSTS },
  }
}
