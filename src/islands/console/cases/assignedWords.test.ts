import { expect, it } from 'vitest'
import { describeAssignment } from './assignedWords.ts'

it('an assignment names the operator, or says you, and its age', () => {
  const since = '2026-01-31T09:30:00.000Z'
  const assigned = { _id: 'o', name: 'Olga', since, until: '2026-01-31T11:30:00.000Z' }
  const nowMs = Date.parse(since) + 10 * 60_000
  expect(describeAssignment(assigned, { _id: 'o', roles: [] }, nowMs)).toBe('Assigned to you, 10 min ago')
  expect(describeAssignment(assigned, { _id: 's', roles: [] }, nowMs)).toBe('Assigned to Olga, 10 min ago')
  expect(describeAssignment(assigned, null, nowMs)).toBe('Assigned to Olga, 10 min ago')
})
