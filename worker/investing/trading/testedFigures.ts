import tested from '../../../data/testedFigures.json' with { type: 'json' }
import type { AllTested } from './testFigures.ts'

/** The stored result of `testAll`. A test compares it with a new run. */
export const { figures: TESTED_FIGURES, bands: REAL_BANDS, files: TESTED_FILES } = tested as AllTested
