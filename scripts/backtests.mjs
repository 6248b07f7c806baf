// Computes the backtests that are not cached yet. `build.mjs` runs it while Astro bundles, to save time.
import { CATALOGUE } from '../engine/catalogue.ts'
import { backtestOf } from '../src/pages/_investing/strategies/backtestOf.ts'

for (const offered of CATALOGUE) backtestOf(offered)
