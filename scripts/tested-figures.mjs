// Writes worker/investing/trading/testedFigures.ts: key figures of each strategy's backtest, for the API and for comparison with the
// record, the bands of backtests on real prices, which are frozen when such a strategy starts, and the hashes of the files that were
// tested. Run it after each change of the engine, the simulated market, the stored prices or the catalogue: `npm run tested-figures`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testAll } from '../worker/investing/trading/tested.ts'

const target = join(import.meta.dirname, '../worker/investing/trading/testedFigures.ts')
const { figures, bands, files } = testAll()
writeFileSync(
  target,
  `import type { Tested } from './tested.ts'

// Written by scripts/tested-figures.mjs: run that, don't edit this.

/** By slug. */
export const TESTED_FIGURES: Readonly<Record<string, Tested>> = ${JSON.stringify(figures)}

/** The forward bands of backtests on real prices as JSON, by slug. */
export const REAL_BANDS: Readonly<Record<string, string>> = ${JSON.stringify(bands)}

/** The SHA-256 of each asset's file of daily bars. */
export const TESTED_FILES: Readonly<Record<string, string>> = ${JSON.stringify(files)}
`,
)
execFileSync('biome', ['check', '--write', target], { stdio: 'inherit' })
