import { expect, test } from 'vitest'
import { PROPOSABLE, proposableBy } from './proposable.ts'

test('a treasurer proposes what moves money, and nobody else does', () => {
  expect(proposableBy(['treasurer'])).toEqual(PROPOSABLE)
  expect(proposableBy(['reviewer', 'administrator', 'auditor'])).toEqual([])
})
