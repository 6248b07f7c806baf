import type { StrategyKind } from './definition.ts'

/** What each kind of strategy does, in a sentence for people. */
export const DOES: Readonly<Record<StrategyKind, string>> = {
  'buy-and-hold': 'Buys once and holds, whatever happens: what the others are measured against.',
  'cost-averaging':
    'Buys for the same amount at fixed intervals, whatever the price, until a set share is invested.',
  'rebalanced-basket':
    'Holds several assets in equal parts, and trades back to them when one drifts too far from its part.',
  'sma-trend':
    'Holds while the short average of the price stands above the long one, and is in cash otherwise.',
  'donchian-trend':
    'Buys when a price passes the highest of some weeks, and sells when it falls below a lowest.',
  'momentum-rotation':
    'Holds the few assets that rose most over some months, changes them at intervals, and goes to cash when all fall.',
  'mean-reversion':
    'Buys after a sharp fall and sells when the price is back at its average, with a hard limit on the loss.',
  'volatility-target':
    'Holds less of the index the more its price swings, so that the swings stay near a target.',
}
