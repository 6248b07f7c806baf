import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { runBacktest } from '../../../../engine/backtest/backtest.ts'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { listTests, loadMarket, type MarketTest } from './marketTests.ts'

const [, , , slowTrend] = CATALOGUE
if (slowTrend === undefined) throw new Error('The catalogue has a fourth strategy.')
const [onBitcoin] = listTests(slowTrend)
const anew = runBacktest(loadMarket(onBitcoin), onBitcoin.definition, onBitcoin.options)

/** Like another build, which shares only the cached files. */
async function backtestInNewBuild(tested: MarketTest = onBitcoin) {
  vi.resetModules()
  const { getBacktest: backtestOf } = await import('./getBacktest.ts')
  return backtestOf(tested)
}

test('a cached result is what the backtest gives', async () => {
  await backtestInNewBuild()
  expect(await backtestInNewBuild()).toEqual(anew)
})

test('the row at the fee of a test is that test, and other fees only add rows', async () => {
  vi.resetModules()
  const { listBacktestsByFee } = await import('./getBacktest.ts')
  const rows = listBacktestsByFee(onBitcoin)
  expect(rows.map(({ fee }) => fee.feeBasisPoints)).toEqual([25, 40, 80, 120])
  for (const { fee, backtest } of rows)
    expect(backtest.definition).toEqual({
      ...onBitcoin.definition,
      costs: { ...onBitcoin.definition.costs, feeBasisPoints: fee.feeBasisPoints },
    })
  const own = rows.find(({ fee }) => fee.feeBasisPoints === onBitcoin.definition.costs.feeBasisPoints)
  expect(own?.backtest.atCosts).toEqual(anew.atCosts)
  expect(own?.backtest.forward?.figures).toEqual(anew.forward?.figures)
  expect(await backtestInNewBuild()).toEqual(anew)
})

test('a cached result of another engine, definition, period or file is not shown', async () => {
  await backtestInNewBuild()
  const file = '.astro/backtests/slow-trend-bitcoin.json'
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"from":"[^"]*"/, '"from":"another engine"'))
  expect(await backtestInNewBuild()).toEqual(anew)
  const { definition, options, files } = onBitcoin
  const slower = { ...definition, values: { fast: 50, slow: 210 } }
  expect(await backtestInNewBuild({ ...onBitcoin, definition: slower })).toMatchObject({
    definition: { values: { slow: 210 } },
  })
  const shorter = { ...options, until: '2021-12-31' }
  expect(await backtestInNewBuild({ ...onBitcoin, options: shorter })).toMatchObject({
    lastDay: '2021-12-31',
  })
  const former = readFileSync(file, 'utf8')
  const others = files.map((each) => ({ ...each, sha256: 'another file' }))
  expect(await backtestInNewBuild({ ...onBitcoin, files: others })).toEqual(anew)
  expect(readFileSync(file, 'utf8')).not.toBe(former)
  expect(await backtestInNewBuild()).toEqual(anew)
})
