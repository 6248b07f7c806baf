import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readRealFiles, readRealLastDay } from '../../../../data/realPrices.ts'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { parseCandles } from '../../../../engine/market/candlesCsv.ts'
import { REAL_PAIRS } from '../../../../engine/market/realPairs.ts'
import { SIMULATED_ASSETS } from '../../../../engine/market/simulatedAssets.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/market/simulatedPaths.ts'
import { encodeCandleFile, getSimulatedFile, listCandleFiles } from './candleFile.ts'

const ids = SIMULATED_ASSETS.map(({ id }) => id)

test('a file gives back the very bars that the engine makes', () => {
  const market = buildSimulatedMarket(ids, SIMULATED_START, TESTED_UNTIL)
  for (const [index, id] of ids.entries())
    expect(parseCandles(getSimulatedFile(id).text)).toEqual(market.candles[index])
})

test('it is a header and a line for each day, which a person can read', () => {
  const lines = getSimulatedFile('sim-alder').text.split('\n')
  expect(lines.slice(0, 2)).toEqual([
    'time,open,high,low,close,volume',
    '2020-01-01,9988.38,11855.8,9988.38,11635.3,58750.2',
  ])
  expect(lines.at(-2)).toMatch(/^2026-06-30,/)
  expect(lines).toHaveLength(2373 + 2)
})

test('its hash is of its bytes, and always the same', () => {
  const { text, sha256 } = getSimulatedFile('sim-index')
  expect(sha256).toBe(createHash('sha256').update(new TextEncoder().encode(text)).digest('hex'))
  expect(sha256).toBe('2863da46d2dd0f36aa6c0209f09596ef38d9b06f580bfef1e3f586a918c62d0b')
})

test('there is one for each asset that a strategy trades', () => {
  expect(ids).toEqual(expect.arrayContaining(CATALOGUE.flatMap(({ definition }) => definition.assets)))
})

test('the files of real prices are published compressed, all ten in at most 400 KB, and come out as they are stored', () => {
  const files = REAL_PAIRS.flatMap(({ asset }) => listCandleFiles(asset))
  const bytes = files.map(encodeCandleFile)
  expect(files).toHaveLength(10)
  expect(bytes.reduce((sum, file) => sum + file.length, 0)).toBeLessThanOrEqual(400_000)
  for (const [index, file] of files.entries()) {
    expect(gunzipSync(bytes[index] ?? '').toString()).toBe(file.text)
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(file.sha256)
    expect(file.href).toMatch(/^\/candles\/(kraken|binance)\/[A-Z]+\.csv\.gz$/)
  }
})

test('real tests end on the last day that all files have', () => {
  const last = readRealLastDay()
  for (const { asset } of REAL_PAIRS) {
    const lastDays = readRealFiles().flatMap((file) => (file.asset === asset ? [file.lastDay] : []))
    expect(lastDays.at(-1)).toBe('2026-07-20')
    expect((lastDays.at(-1) ?? '') >= last).toBe(true)
  }
})
