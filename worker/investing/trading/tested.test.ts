import { expect, it } from 'vitest'
import { testAll } from './tested.ts'
import { TESTED_FIGURES } from './testedFigures.ts'

it('the figures that are answered are those that a test comes to now: else run `npm run tested-figures`', () => {
  expect(TESTED_FIGURES).toEqual(testAll())
}, 120_000)
