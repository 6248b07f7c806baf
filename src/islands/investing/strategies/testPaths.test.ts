import { expect, test } from 'vitest'
import { buildTestPaths } from './testPaths.ts'

test('a strategy leads to the page and the files of its test on the market where it trades', () => {
  const build = (slug: string, real: boolean) =>
    buildTestPaths({ slug, market: { id: real ? 'kraken' : 'simulated', name: 'A market', real } })
  expect(build('slow-trend', false)).toEqual({
    page: '/strategies/slow-trend/simulated',
    files: '/strategies/slow-trend/simulated',
    spark: '/strategies/sparks.svg#slow-trend-simulated',
  })
  expect(build('slow-trend-bitcoin', true)).toEqual({
    page: '/strategies/slow-trend',
    files: '/strategies/slow-trend/bitcoin',
    spark: '/strategies/sparks.svg#slow-trend-bitcoin',
  })
  expect(build('even-basket-basket', true).page).toBe('/strategies/even-basket/basket')
})
