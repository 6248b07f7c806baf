// Computes the backtests that are not cached yet. `build.mjs` runs it while Astro bundles, to save time.
import { getBacktest } from '../src/pages/_investing/strategies/getBacktest.ts'
import { listAllTests } from '../src/pages/_investing/strategies/marketTests.ts'

for (const test of listAllTests()) getBacktest(test)
