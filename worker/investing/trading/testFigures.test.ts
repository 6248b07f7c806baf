import { expect, it } from 'vitest'
import { TESTED_ENDINGS } from '../../../data/testedEndings.ts'
import { REAL_BANDS, TESTED_FIGURES, TESTED_FILES } from './testedFigures.ts'
import { testAll, testEndings } from './testFigures.ts'

it('the stored figures equal those of a test now: else run `npm run tested-figures`', () => {
  const { figures, bands, files } = testAll()
  expect(TESTED_FIGURES).toEqual(figures)
  expect(REAL_BANDS).toEqual(bands)
  expect(TESTED_FILES).toEqual(files)
}, 120_000)

it('the stored figures without a way back in equal those of a test now, in a sample', () => {
  const sample = testEndings(['breakout-basket', 'slow-trend-ether'])
  expect(Object.keys(sample)).toHaveLength(2)
  expect(TESTED_ENDINGS).toMatchObject(sample)
}, 60_000)
