// Makes the tests of all strategies, or finds them kept. `build.mjs` runs it beside the bundling, so that pages need not wait for them.
import { CATALOGUE } from '../engine/catalogue.ts'
import { backtestOf } from '../src/pages/_investing/strategies/backtestOf.ts'

for (const offered of CATALOGUE) backtestOf(offered)
