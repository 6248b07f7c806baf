// Computes the backtests that are not cached yet. `build.mjs` runs it while Astro bundles, to save time.
import { backtestOf } from '../src/pages/_investing/strategies/backtestOf.ts'
import { allTests } from '../src/pages/_investing/strategies/marketTests.ts'

for (const test of allTests()) backtestOf(test)
