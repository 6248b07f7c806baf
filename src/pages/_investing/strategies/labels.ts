import { PRICE_VENUES } from '../../../../engine/market/realPairs.ts'
import type { MarketTest } from './marketTests.ts'
import { getAssetName } from './words.ts'

const TITLES: Readonly<Record<MarketTest['on'], string>> = {
  bitcoin: 'Bitcoin',
  ether: 'Ether',
  basket: 'Five coins',
  simulated: 'Practice market',
}

/** The market of a test, as a heading. */
export function getTestTitle({ on }: MarketTest): string {
  return TITLES[on]
}

/** Whether a test used prices that a real market had. */
export function isReal({ on }: MarketTest): boolean {
  return on !== 'simulated'
}

/** The badge of a test: no reader may take a simulated market for a real one. */
export function getTestBadge(test: MarketTest): string {
  return isReal(test) ? 'Real prices' : 'Simulated prices'
}

/** Venues and pairs in the order of time, or the simulated assets. */
export function describeMarket(test: MarketTest): string {
  const { assets } = test.definition
  if (!isReal(test)) return `Made-up prices of ${assets.map(getAssetName).join(', ')}`
  return PRICE_VENUES.map(({ name, pairs }) => {
    const labels = pairs.filter(({ asset }) => assets.includes(asset)).map(({ label }) => label)
    return `${name} ${labels.join(', ')}`
  }).join('; then ')
}

/** Events that people remember, with the day on which each became known. */
const EVENTS: readonly (readonly [day: string, words: string])[] = [
  ['2016-08-02', 'the theft from Bitfinex'],
  ['2017-07-16', 'the dispute over bitcoin’s blocks'],
  ['2017-09-04', 'China’s ban on coin offerings'],
  ['2018-01-16', 'fears of a ban in South Korea'],
  ['2018-01-26', 'the theft from Coincheck'],
  ['2018-11-15', 'the split of Bitcoin Cash'],
  ['2020-03-12', 'the Covid crash'],
  ['2020-12-22', 'the SEC’s case against Ripple'],
  ['2021-05-19', 'China’s crackdown on trading and mining'],
  ['2022-05-09', 'the collapse of Terra'],
  ['2022-06-12', 'Celsius stopping withdrawals'],
  ['2022-11-11', 'the bankruptcy of FTX'],
  ['2023-03-10', 'the failure of Silicon Valley Bank'],
  ['2023-06-05', 'the SEC’s case against Binance'],
  ['2024-08-05', 'the unwinding of yen loans'],
  ['2025-02-21', 'the theft from Bybit'],
  ['2025-04-02', 'new US tariffs'],
  ['2025-10-10', 'the liquidations of October 2025'],
]

/** The remembered events within a period. That they fall into it does not make them its cause. */
export function describeEvents(from: string, to: string): string {
  return EVENTS.filter(([day]) => day > from && day <= to)
    .map(([, words]) => words)
    .join(', ')
}
