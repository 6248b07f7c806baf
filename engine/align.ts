import { at } from './at.ts'
import type { Candles } from './candles.ts'
import type { Market } from './market.ts'
import { MarketError } from './marketError.ts'

/** One asset's bars and what it is called. */
export interface Named {
  readonly asset: string
  readonly candles: Candles
}

/**
 * Makes one market of several assets' bars. Refuses, with a `MarketError`: none or twice the same asset, columns of different
 * lengths, a bar that doesn't open `intervalMs` after the one before or isn't in all assets, a price that isn't above 0 or
 * outside of its bar's low and high, a volume below 0.
 */
export function align(named: readonly Named[], intervalMs: number): Market {
  const [first] = named
  if (first === undefined) throw new MarketError('assets', 'A market needs at least one asset.')
  if (!(intervalMs > 0)) throw new MarketError('time', `Bars cannot be ${intervalMs} ms long.`)
  const assets = named.map(({ asset }) => asset)
  if (new Set(assets).size < assets.length)
    throw new MarketError('assets', `An asset is there twice: ${assets}.`)
  const { time } = first.candles
  for (const { asset, candles } of named) {
    refuseBadBars(asset, candles, intervalMs)
    if (candles.time.length !== time.length || candles.time[0] !== time[0]) {
      throw new MarketError('time', `The bars of ${asset} are not those of ${first.asset}.`)
    }
  }
  return { intervalMs, time, assets, candles: named.map(({ candles }) => candles) }
}

function refuseBadBars(asset: string, candles: Candles, intervalMs: number): void {
  const { time, open, high, low, close, volume } = candles
  const length = time.length
  if (length === 0) throw new MarketError('empty', `${asset} has no bars.`)
  if ([open, high, low, close, volume].some((column) => column.length !== length)) {
    throw new MarketError('lengths', `The columns of ${asset} are not equally long.`)
  }
  for (let bar = 0; bar < length; bar++) {
    const refuse = (fault: MarketError['fault'], what: string) =>
      new MarketError(fault, `${asset}, bar ${bar}: ${what}.`)
    const opens = at(time, bar)
    if (!Number.isSafeInteger(opens)) throw refuse('time', `the time ${opens} is none`)
    if (bar > 0 && opens !== at(time, bar - 1) + intervalMs) {
      const late = opens - at(time, bar - 1) - intervalMs
      throw refuse(
        late > 0 ? 'gap' : 'time',
        `it opens ${Math.abs(late)} ms too ${late > 0 ? 'late' : 'early'}`,
      )
    }
    const most = at(high, bar)
    const least = at(low, bar)
    for (const price of [at(open, bar), most, least, at(close, bar)]) {
      if (!(price > 0 && price < Number.POSITIVE_INFINITY))
        throw refuse('price', `the price ${price} is none`)
      if (price < least || price > most) {
        throw refuse('range', `the price ${price} is not between ${least} and ${most}`)
      }
    }
    if (!(at(volume, bar) >= 0 && at(volume, bar) < Number.POSITIVE_INFINITY)) {
      throw refuse('volume', `the volume ${at(volume, bar)} is none`)
    }
  }
}
