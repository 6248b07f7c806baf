import { at } from '../at.ts'
import { type Candles, type Market, MarketError, type MarketFault } from './market.ts'

/** An asset's name and bars. */
export interface NamedCandles {
  readonly asset: string
  readonly candles: Candles
}

/**
 * Combines several assets' bars into one market. Throws a `MarketError` for: no assets or a duplicate, columns of
 * different lengths, gaps or overlaps between bars, bars missing in some assets, a price not above 0 or outside its
 * bar's low and high, a volume below 0.
 */
export function buildMarket(named: readonly NamedCandles[], intervalMs: number): Market {
  const [first] = named
  if (first === undefined) throw new MarketError('assets', 'A market needs at least one asset.')
  if (!(intervalMs > 0)) throw new MarketError('time', `Bars cannot be ${intervalMs} ms long.`)
  const assets = named.map(({ asset }) => asset)
  if (new Set(assets).size < assets.length)
    throw new MarketError('assets', `An asset is there twice: ${assets}.`)
  const { time } = first.candles
  for (const { asset, candles } of named) {
    refuseBadBars(asset, candles, intervalMs, 'refused')
    if (candles.time.length !== time.length || candles.time[0] !== time[0]) {
      throw new MarketError('time', `The bars of ${asset} are not those of ${first.asset}.`)
    }
  }
  return { intervalMs, time, assets, candles: named.map(({ candles }) => candles) }
}

/** Throws a `MarketError` for bars that cannot be used. Missing bars between others may be allowed. */
export function refuseBadBars(
  asset: string,
  candles: Candles,
  intervalMs: number,
  gaps: 'allowed' | 'refused',
): void {
  const { time, open, high, low, close, volume } = candles
  const length = time.length
  if (length === 0) throw new MarketError('empty', `${asset} has no bars.`)
  if ([open, high, low, close, volume].some((column) => column.length !== length)) {
    throw new MarketError('lengths', `The columns of ${asset} are not equally long.`)
  }
  for (let bar = 0; bar < length; bar++) {
    const fault = findFault(candles, bar, intervalMs)
    if (fault !== null && !(fault[0] === 'gap' && gaps === 'allowed'))
      throw new MarketError(fault[0], `${asset}, bar ${bar}: ${fault[1]}.`)
  }
}

function findFault(candles: Candles, bar: number, intervalMs: number): readonly [MarketFault, string] | null {
  const opens = at(candles.time, bar)
  if (!Number.isSafeInteger(opens)) return ['time', `the time ${opens} is none`]
  const late = bar === 0 ? 0 : opens - at(candles.time, bar - 1) - intervalMs
  if (late > 0) return ['gap', `it opens ${late} ms too late`]
  if (late < 0) return ['time', `it opens ${-late} ms too early`]
  const high = at(candles.high, bar)
  const low = at(candles.low, bar)
  const open = at(candles.open, bar)
  const close = at(candles.close, bar)
  const wrong = [open, high, low, close].find((price) => !(price > 0 && price < Number.POSITIVE_INFINITY))
  if (wrong !== undefined) return ['price', `the price ${wrong} is none`]
  if (!(low <= Math.min(open, close) && high >= Math.max(open, close))) {
    return ['range', `it opens at ${open} and closes at ${close}, but its low is ${low} and its high ${high}`]
  }
  const volume = at(candles.volume, bar)
  if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY)) return ['volume', `the volume ${volume} is none`]
  return null
}
