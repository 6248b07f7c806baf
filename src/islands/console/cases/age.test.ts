import { expect, it } from 'vitest'
import { formatAge, formatDue } from './age.ts'

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

it('the time of something due is what is left, then by how much it is overdue', () => {
  const dueAt = '2026-01-31T09:30:00.000Z'
  const at = (hours: number) => formatDue(dueAt, Date.parse(dueAt) + hours * 3_600_000)
  expect([at(-72), at(-2), at(-0.5), at(0), at(3), at(72)]).toEqual([
    '3 days left',
    '2 h left',
    '30 min left',
    'overdue by 0 min',
    'overdue by 3 h',
    'overdue by 3 days',
  ])
})
