// Writes worker/investing/trading/testedFigures.ts: key figures of each strategy's backtest, for the API and for comparison with the
// record. Run it after each change of the engine, the simulated market or the catalogue: `npm run tested-figures`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testAll } from '../worker/investing/trading/tested.ts'

const target = join(import.meta.dirname, '../worker/investing/trading/testedFigures.ts')
writeFileSync(
  target,
  `import type { Tested } from './tested.ts'

/** Written by scripts/tested-figures.mjs: run that, don't edit this. By slug. */
export const TESTED_FIGURES: Readonly<Record<string, Tested>> = ${JSON.stringify(testAll())}
`,
)
execFileSync('biome', ['check', '--write', target], { stdio: 'inherit' })
