import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  loadRealMarket,
  measureRealSeam,
  type RealFile,
  readRealCandles,
  readRealFiles,
  readRealText,
} from '../../data/realPrices.ts'
import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { parseCandles } from '../market/candlesCsv.ts'
import { findFirstLiquidBar, LIQUID_DAYS, LIQUID_USD } from '../market/liquidity.ts'
import type { Candles } from '../market/market.ts'
import { REAL_PAIRS } from '../market/realPairs.ts'
import { toDayName, toDayNumber } from '../metrics/dailyEquity.ts'
import { listFalls } from '../metrics/drawdown.ts'

const files = readRealFiles()
const candles = new Map(readRealCandles().map((named) => [named.asset, named.candles]))

function candlesOf(asset: string): Candles {
  const found = candles.get(asset)
  if (found === undefined) throw new Error(`There are no bars of ${asset}.`)
  return found
}

function parseFile(file: RealFile): Candles {
  return parseCandles(readRealText(file))
}

function barOn(asset: string, day: string) {
  const { time, open, high, low, close } = candlesOf(asset)
  const bar = time.indexOf(toDayNumber(day) * DAY_MS)
  return { open: at(open, bar), high: at(high, bar), low: at(low, bar), close: at(close, bar) }
}

/** Well-known closes in USD on Kraken, which other sources confirm. */
const CLOSES: readonly (readonly [asset: string, day: string, close: number])[] = [
  ['bitcoin', '2017-12-16', 19_356.9],
  ['bitcoin', '2018-12-15', 3_180.1],
  ['bitcoin', '2020-03-12', 4_850],
  ['bitcoin', '2021-11-08', 67_559.8],
  ['bitcoin', '2022-11-21', 15_760],
  ['ethereum', '2018-01-13', 1_398.99],
  ['ethereum', '2018-12-14', 82.84],
  ['ethereum', '2021-11-08', 4_811.61],
  ['solana', '2022-11-09', 13.99],
  ['ripple', '2023-07-13', 0.81499],
  ['bitcoin', '2024-03-13', 73_072.41],
  ['bitcoin', '2025-10-06', 124_658.54],
  ['cardano', '2025-03-02', 1.135],
]

/** The deepest drawdowns between closes, from the day on which a market begins, in per cent to a tenth. */
const WORST_FALLS = [
  ['bitcoin', -83.6, '2017-12-16', '2018-12-15'],
  ['ethereum', -94.1, '2018-01-13', '2018-12-15'],
  ['ripple', -95.1, '2018-01-03', '2020-03-12'],
  ['cardano', -95.2, '2021-09-03', '2026-06-25'],
  ['solana', -96.3, '2021-11-06', '2022-12-29'],
] as const

/** Between the days of two closes, in per cent, to a tenth. */
const CHANGES = [
  ['bitcoin', '2017-12-16', '2018-12-15', -83.6],
  ['bitcoin', '2020-03-11', '2020-03-12', -38.9],
  ['bitcoin', '2021-11-08', '2022-11-21', -76.7],
  ['ethereum', '2018-01-13', '2018-12-14', -94.1],
  ['solana', '2022-11-08', '2022-11-09', -42.5],
  ['ripple', '2023-07-12', '2023-07-13', 73],
] as const

it('the files have well-known closes and falls', () => {
  for (const [asset, day, close] of CLOSES) expect(barOn(asset, day).close, `${asset} ${day}`).toBe(close)
  for (const [asset, from, to, percent] of CHANGES) {
    const change = barOn(asset, to).close / barOn(asset, from).close - 1
    expect(Math.round(change * 1000) / 10, `${asset} ${from} to ${to}`).toBe(percent)
  }
})

it.each(WORST_FALLS)('the worst drawdown of %s is %d %%, from %s to %s', (asset, percent, from, to) => {
  const { time, candles: columns } = loadRealMarket([asset])
  const close = columns[0]?.close.filter((price) => !Number.isNaN(price)) ?? new Float64Array()
  const days = Array.from(time).filter((_, bar) => !Number.isNaN(columns[0]?.close[bar]))
  const [worst] = listFalls(close, at(close, 0))
  expect(Math.round((worst?.depth ?? 0) * 1000) / 10).toBe(percent)
  const dayOf = (bar: number) => toDayName((days[bar] ?? 0) / DAY_MS)
  expect([dayOf(worst?.peak ?? 0), dayOf(worst?.trough ?? 0)]).toEqual([from, to])
})

describe.each(files)('the file of $label at $venue.name', (file) => {
  const { asset, venue, firstDay, lastDay, missingDays, marketBegins, sha256 } = file
  const { time, open, high, low, close, volume } = parseFile(file)
  const days = Array.from(time, (ms) => toDayName(ms / DAY_MS))

  it('has the hash, the dates and the missing days of the list', () => {
    expect(createHash('sha256').update(readRealText(file)).digest('hex')).toBe(sha256)
    expect([days[0], days.at(-1), days.length]).toEqual([firstDay, lastDay, file.bars])
    const all = Array.from({ length: toDayNumber(lastDay) - toDayNumber(firstDay) + 1 }, (_, index) =>
      toDayName(toDayNumber(firstDay) + index),
    )
    expect(all.filter((day) => !days.includes(day))).toEqual(missingDays)
  })

  it('has consistent prices, each day once and in order', () => {
    expect(days).toEqual([...new Set(days)].sort())
    for (let bar = 0; bar < time.length; bar++) {
      const prices = [at(open, bar), at(close, bar)]
      expect(at(low, bar)).toBeGreaterThan(0)
      expect(at(low, bar)).toBeLessThanOrEqual(Math.min(...prices))
      expect(at(high, bar)).toBeGreaterThanOrEqual(Math.max(...prices))
      expect(at(volume, bar)).toBeGreaterThan(0)
    }
  })

  if (venue.id !== 'kraken') return

  it('begins after 30 whole, liquid days, and no later day decides that', () => {
    const first = findFirstLiquidBar(candlesOf(asset)) ?? Number.NaN
    expect(days[first]).toBe(marketBegins)
    const traded = Array.from({ length: LIQUID_DAYS }, (_, ago) => {
      const bar = first - 1 - ago
      return at(close, bar) * at(volume, bar)
    }).sort((a, b) => a - b)
    expect(((traded[14] ?? 0) + (traded[15] ?? 0)) / 2).toBeGreaterThanOrEqual(LIQUID_USD)
    const shortened = Object.fromEntries(
      Object.entries(candlesOf(asset)).map(([name, column]) => [name, column.slice(0, first + 1)]),
    ) as unknown as Candles
    expect(findFirstLiquidBar(shortened)).toBe(first)
  })
})

describe('the market of all five', () => {
  const market = loadRealMarket()

  it('has every day from the first liquid one on, and NaN if a coin has no bar', () => {
    expect(market.assets).toEqual(REAL_PAIRS.map(({ asset }) => asset))
    expect(toDayName(at(market.time, 0) / DAY_MS)).toBe('2016-02-25')
    market.candles.forEach(({ close }, place) => {
      const [file] = files.filter(({ asset }) => asset === market.assets[place])
      if (file === undefined) throw new Error('Each coin has a file.')
      const { marketBegins, missingDays } = file
      market.time.forEach((ms, bar) => {
        const day = toDayName(ms / DAY_MS)
        const hasBar = day >= marketBegins && !missingDays.includes(day)
        expect(Number.isNaN(close[bar]), `${market.assets[place]} ${day}`).toBe(!hasBar)
      })
    })
  })

  it('has three days without a bar of a coin, which no file invents', () => {
    const missing = files.flatMap(({ asset, missingDays, marketBegins }) =>
      missingDays.filter((day) => day > marketBegins).map((day) => `${asset} ${day}`),
    )
    expect(missing).toEqual([
      'ethereum 2018-01-12',
      'ripple 2018-01-12',
      'ripple 2022-05-11',
      'ripple 2022-05-12',
    ])
  })
})

/** As the review of the downloads found them: Binance's close on Kraken's last day, and the closes of the days of both. */
const SEAMS = [
  ['bitcoin', '2023-12-31', 0.00101, 365, 0.995, 0.00033],
  ['ethereum', '2024-03-31', -0.00067, 456, 0.996, 0.00034],
  ['ripple', '2024-03-31', -0.00019, 456, 0.996, 0.00048],
  ['cardano', '2024-03-31', -0.00041, 456, 0.993, 0.00051],
  ['solana', '2024-03-31', -0.00074, 456, 0.996, 0.00052],
] as const

it.each(SEAMS)('%s continues at Binance after %s', (asset, day, difference, days, within, median) => {
  const seam = measureRealSeam(asset)
  expect([seam.day, seam.days]).toEqual([day, days])
  expect(seam.difference).toBeCloseTo(difference, 5)
  expect(seam.within).toBeCloseTo(within, 3)
  expect(seam.median).toBeCloseTo(median, 5)
  const [kraken, binance] = files.filter((file) => file.asset === asset)
  expect(kraken?.usedFrom).toBe(kraken?.firstDay)
  expect(toDayNumber(binance?.usedFrom ?? '') - toDayNumber(day)).toBe(1)
  expect(binance?.lastDay).toBe('2026-07-20')
  const { time, seams } = candlesOf(asset)
  expect(seams).toEqual([toDayNumber(binance?.usedFrom ?? '') * DAY_MS])
  expect(toDayName((time.at(-1) ?? 0) / DAY_MS)).toBe('2026-07-20')
})
