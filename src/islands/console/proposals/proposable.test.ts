import { expect, test } from 'vitest'
import { PROPOSABLE, proposableBy } from './proposable.ts'

test('a treasurer proposes what moves money, an administrator what is mailed to many, and nobody else anything', () => {
  expect(proposableBy(['treasurer'])).toEqual(['bonus', 'reversal'])
  expect(proposableBy(['administrator'])).toEqual(['announcement'])
  expect(proposableBy(['treasurer', 'administrator'])).toEqual(PROPOSABLE)
  expect(proposableBy(['reviewer', 'auditor'])).toEqual([])
})
