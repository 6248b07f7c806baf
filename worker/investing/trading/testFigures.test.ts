import { expect, it } from 'vitest'
import { REAL_BANDS, TESTED_FIGURES, TESTED_FILES } from './testedFigures.ts'
import { testAll } from './testFigures.ts'

it('the stored figures equal those of a test now: else run `npm run tested-figures`', () => {
  const { figures, bands, files } = testAll()
  expect(TESTED_FIGURES).toEqual(figures)
  expect(REAL_BANDS).toEqual(bands)
  expect(TESTED_FILES).toEqual(files)
}, 120_000)
