// Computes the backtests of all strategies that are not kept yet. `build.mjs` runs it while Astro bundles, so that pages need not wait.
import { CATALOGUE } from '../engine/catalogue.ts'
import { backtestOf } from '../src/pages/_investing/strategies/backtestOf.ts'

for (const offered of CATALOGUE) backtestOf(offered)
