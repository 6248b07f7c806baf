import { expect, test } from 'vitest'
import { formatInitials } from './referrals.ts'

test.each([
  ['Ana María Núñez', 'A. N.'],
  ['ana', 'A.'],
  ['  élodie   d’Arc ', 'É. D.'],
  ['李 小龍', '李. 小.'],
  ['3 Musketeers', 'M.'],
  ['1234', '–'],
  ['', '–'],
])('of %j nothing but initials is told', (name, initials) => {
  expect(formatInitials(name)).toBe(initials)
})
