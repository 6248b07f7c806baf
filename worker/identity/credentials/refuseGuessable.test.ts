import { expect, test } from 'vitest'
import leakedPasswords from '../../../data/leakedPasswords.json' with { type: 'json' }
import { site } from '../../../src/site.ts'
import { Refusal } from '../../lib/errors.ts'
import { refuseGuessable } from './refuseGuessable.ts'

const owner = ['Ana Torres', 'ana.torres@example.com']
const isRefused = (password: string) => {
  try {
    refuseGuessable('password', password, owner)
    return false
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.details.fields).toEqual({ password: expect.stringContaining('Please choose another') })
    return true
  }
}

test('no password may be among the 3,000 most common leaked ones of sufficient length, in upper or lower case', () => {
  // Together with the 292 in the contract's list, 5,000.
  expect(new Set(leakedPasswords).size).toBe(4708)
  for (const password of leakedPasswords) expect([password, password.length >= 8]).toEqual([password, true])
  for (const password of ['baseball', 'JENNIFER', 'letmein1', '13071985', 'manchester', 'Qwertyuiop'])
    expect([password, isRefused(password)]).toEqual([password, true])
})

test('no password may be a word of this site or the owner’s name or address, with any digits and signs around it', () => {
  for (const password of [
    `${site.brand.toLowerCase()}2024!`,
    site.brand.toUpperCase(),
    'bitcoin-2026',
    'anatorres1990',
    'Ana.Torres!',
    'ana.torres@example.com',
    '++AnaTorres++',
  ])
    expect([password, isRefused(password)]).toEqual([password, true])
})

test('a password of one’s own is taken, also one that holds a name among other words', () => {
  for (const password of [
    'correct-horse-battery-staple',
    'ana rows to the lighthouse',
    `${site.brand} in calm water`,
    '48 15 16 23 42 1',
    '🌊🌊⛵🌊🌊🌙🌊🌊',
  ])
    expect([password, isRefused(password)]).toEqual([password, false])
})
