import type { TradedMarket } from '../../../src/contract/common.ts'

/** The market of the catalogue's assets. */
export const SIMULATED = 'simulated'

const MARKETS: Readonly<Record<string, TradedMarket | undefined>> = {
  simulated: { id: 'simulated', name: 'Practice market', real: false },
  kraken: { id: 'kraken', name: 'Kraken', real: true },
  coinbase: { id: 'coinbase', name: 'Coinbase', real: true },
}

/** The market that a strategy was stored with. */
export function getMarket(id: string): TradedMarket {
  const market = MARKETS[id]
  if (market === undefined) throw new Error(`There is no market ${id}`)
  return market
}
