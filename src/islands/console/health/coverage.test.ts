import { describe, expect, it } from 'vitest'
import { computeCoverage, formatCoverage } from './coverage.ts'

const asset = (name: string, valueUsd: number | null) => ({
  asset: name,
  unit: 'BTC',
  quantity: '1',
  valueUsd,
})

const NONE = { paidIn: 0, value: 0 }

describe('custody against liabilities', () => {
  it('is exact to the cent', () => {
    const custody = [asset('bitcoin', 0.1), asset('usdt', 0.2)]
    expect(computeCoverage({ custody, strategies: NONE, liabilities: 0.3 })).toEqual({
      custodyUsd: 0.3,
      owedUsd: 0.3,
      differenceUsd: 0,
      unpriced: [],
    })
  })

  it('shows how much is missing', () => {
    expect(
      computeCoverage({ custody: [asset('usdt', 900)], strategies: NONE, liabilities: 1000.01 })
        .differenceUsd,
    ).toBe(-100.01)
  })

  it('counts what was paid into strategies as what it is worth, on both sides', () => {
    const strategies = { paidIn: 100.1, value: 70.05 }
    expect(computeCoverage({ custody: [asset('usdt', 500)], strategies, liabilities: 469.95 })).toMatchObject(
      {
        custodyUsd: 469.95,
        differenceUsd: 0,
      },
    )
  })

  it('names what has no price instead of counting it as nothing', () => {
    const custody = [asset('bitcoin', null), asset('usdt', 50)]
    expect(computeCoverage({ custody, strategies: NONE, liabilities: 10 })).toMatchObject({
      custodyUsd: 50,
      unpriced: ['bitcoin'],
    })
  })

  it.each([
    [100, 100, '100 %'],
    [99.99, 100, '99.9 %'],
    [2_500, 100, '2,500 %'],
    [-100, 1_000, '-10 %'],
    [5, 0, 'No liabilities'],
  ])('%d of %d is a share of %s, never rounded up', (held, owed, words) => {
    expect(formatCoverage(held, owed)).toBe(words)
  })
})
