import { expect, it } from 'vitest'
import { formatAge } from './age.ts'

it('an age is given in minutes, then hours, and from two days on in days', () => {
  const since = '2026-01-31T09:30:00.000Z'
  const after = (minutes: number) => formatAge(since, Date.parse(since) + minutes * 60_000)
  expect([after(-5), after(0.9), after(59), after(60), after(47 * 60 + 59), after(48 * 60)]).toEqual([
    '0 min',
    '0 min',
    '59 min',
    '1 h',
    '47 h',
    '2 days',
  ])
})
