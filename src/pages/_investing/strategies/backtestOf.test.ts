import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { backtest } from '../../../../engine/backtest.ts'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'

const [, , , slowTrend] = CATALOGUE
if (slowTrend === undefined) throw new Error('The catalogue has a fourth strategy.')
const { slug, definition } = slowTrend
const anew = backtest(simulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL), definition)

/** Like another build, which shares only the kept files. */
async function backtestInNewBuild(offered = slowTrend) {
  vi.resetModules()
  const { backtestOf } = await import('./backtestOf.ts')
  if (offered === undefined) throw new Error('Something is asked for.')
  return backtestOf(offered)
}

test('what was kept of a test is what it comes to', async () => {
  await backtestInNewBuild()
  expect(await backtestInNewBuild()).toEqual(anew)
})

test('what was kept of another engine or another definition is not shown', async () => {
  await backtestInNewBuild()
  const file = `.astro/backtests/${slug}.json`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"from":"[^"]*"/, '"from":"another engine"'))
  expect(await backtestInNewBuild()).toEqual(anew)
  const longer = { ...slowTrend, definition: { ...definition, values: { fast: 50, slow: 210 } } }
  expect(await backtestInNewBuild({ ...longer, minimumCents: 1000, name: 'Longer', slug })).toMatchObject({
    definition: { values: { slow: 210 } },
  })
  expect(await backtestInNewBuild()).toEqual(anew)
})
