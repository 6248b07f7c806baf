import { expect, it } from 'vitest'
import { PRICE_SERIES, priceSeries } from './priceSeries.ts'

it.each(PRICE_SERIES)(
  '%s is a series of bars in order, each with its prices between low and high',
  (name) => {
    const { time, open, high, low, close } = priceSeries(name)
    expect(time.length).toBeGreaterThan(150)
    expect(time.every((at, bar) => Number.isFinite(at) && (bar === 0 || at > (time[bar - 1] ?? 0)))).toBe(
      true,
    )
    const within = (price: number, bar: number) => price <= (high[bar] ?? 0) && price >= (low[bar] ?? 0)
    expect(open.every(within)).toBe(true)
    expect(close.every(within)).toBe(true)
  },
)
