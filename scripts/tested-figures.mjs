// Writes data/testedFigures.json: key figures of each strategy's backtest, for the API and for comparison with the record, the bands
// of backtests on real prices, which are frozen when such a strategy starts, and the hashes of the files that were tested. Run it after
// each change of the engine, the simulated market, the stored prices or the catalogue: `npm run tested-figures`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_TESTS } from '../engine/backtest/realTests.ts'
import { testAll, testEndings } from '../worker/investing/trading/testFigures.ts'

const target = join(import.meta.dirname, '../data/testedFigures.json')
writeFileSync(
  target,
  `${JSON.stringify({ ...testAll(), endings: testEndings(REAL_TESTS.map(({ slug }) => slug)) }, null, 2)}\n`,
)
