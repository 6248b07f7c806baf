import { at } from './at.ts'
import type { Fill, Trade } from './run.ts'

/**
 * Combines fills into trades, ordered by their end. A trade lasts from the first purchase of an asset until all of it
 * is sold. Open trades are valued at `lastClose`.
 */
export function roundTrips(fills: readonly Fill[], assets: number, lastClose: Float64Array): Trade[] {
  const quantity = new Float64Array(assets)
  const cost = new Float64Array(assets)
  const proceeds = new Float64Array(assets)
  const opened = new Float64Array(assets)
  const trades: Trade[] = []
  for (const fill of fills) {
    const { asset } = fill
    const value = fill.quantity * fill.price
    const holding = at(quantity, asset)
    if (fill.side === 'buy') {
      if (holding === 0) opened[asset] = fill.bar
      quantity[asset] = holding + fill.quantity
      cost[asset] = at(cost, asset) + value + fill.fee
      continue
    }
    quantity[asset] = Math.max(0, holding - fill.quantity)
    proceeds[asset] = at(proceeds, asset) + value - fill.fee
    if (quantity[asset] === 0) end(asset, fill.bar)
  }
  for (let asset = 0; asset < assets; asset++) {
    const holding = at(quantity, asset)
    if (holding === 0) continue
    proceeds[asset] = at(proceeds, asset) + holding * at(lastClose, asset)
    end(asset, null)
  }

  function end(asset: number, closedBar: number | null): void {
    trades.push({
      asset,
      openedBar: at(opened, asset),
      closedBar,
      cost: at(cost, asset),
      proceeds: at(proceeds, asset),
    })
    cost[asset] = 0
    proceeds[asset] = 0
  }
  return trades
}
