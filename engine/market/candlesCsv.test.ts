import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { daily, walk } from '../../test/support/engine/markets.ts'
import { CANDLES_HEADER, parseCandles, writeCandles } from './candlesCsv.ts'
import { MarketError } from './market.ts'

const line = '2024-02-29,1,2,0.5,1.5,1000'
const text = (...lines: string[]) => `${[CANDLES_HEADER, ...lines].join('\n')}\n`

describe('candles as text', () => {
  it('are a header and a line for each bar', () => {
    const candles = parseCandles(text(line, '2024-03-01T06:00:00Z,1.5,3e2,1,2.25,0'))
    expect([...candles.time]).toEqual([Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1, 6)])
    expect([...candles.open]).toEqual([1, 1.5])
    expect([...candles.high]).toEqual([2, 300])
    expect([...candles.low]).toEqual([0.5, 1])
    expect([...candles.close]).toEqual([1.5, 2.25])
    expect([...candles.volume]).toEqual([1000, 0])
  })

  it('may lack the last line break and use those of Windows', () => {
    expect(parseCandles(text(line).trimEnd())).toEqual(parseCandles(text(line)))
    expect(parseCandles(text(line).replaceAll('\n', '\r\n'))).toEqual(parseCandles(text(line)))
    expect(parseCandles(text()).time).toHaveLength(0)
  })

  it('are read back as the same numbers', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(DAY_MS, 3_600_000), (seed, intervalMs) => {
        const candles = daily(walk(30, seed), intervalMs)
        expect(parseCandles(writeCandles(candles))).toEqual(candles)
      }),
    )
    const tiny = daily([[1e-7, 2e21, 1e-7, 0.1 + 0.2]])
    expect(parseCandles(writeCandles(tiny))).toEqual(tiny)
  })

  it('are refused with the number of the wrong line', () => {
    const wrong: [string, string][] = [
      ['', 'Line 1: the header must be time,open,high,low,close,volume.'],
      [text(line).replace('time', 'date'), 'Line 1: the header must be time,open,high,low,close,volume.'],
      [text(line, ''), 'Line 3: 1 cells instead of 6.'],
      [text(line, `${line},7`), 'Line 3: 7 cells instead of 6.'],
      [text(line, '2024-02-30,1,2,0.5,1.5,1'), 'Line 3: "2024-02-30" is no UTC date or moment.'],
      [text('2024-02-29T10:00:00,1,2,0.5,1.5,1'), 'Line 2: "2024-02-29T10:00:00" is no UTC date or moment.'],
      [text('1709164800000,1,2,0.5,1.5,1'), 'Line 2: "1709164800000" is no UTC date or moment.'],
    ]
    for (const cell of ['', ' 1', '1 ', '-1', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '"1"', '1_000']) {
      wrong.push([text(line, `2024-03-01,${cell},2,0.5,1.5,1`), `Line 3: "${cell}" is no figure.`])
    }
    for (const [given, message] of wrong) {
      expect(() => parseCandles(given)).toThrow(new MarketError('text', message))
    }
  })
})
