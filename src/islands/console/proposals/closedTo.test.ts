import { expect, test } from 'vitest'
import { closedTo } from './closedTo.ts'

const bonus = { kind: 'bonus', proposedBy: { _id: 'ana', name: 'Ana' } } as const

test('a proposal is decided by another operator with a role for its kind', () => {
  expect(closedTo({ _id: 'bo', roles: ['treasurer'] }, bonus)).toEqual({})
})

test('its own proposer may take it back, and not approve it', () => {
  const { approve, reject } = closedTo({ _id: 'ana', roles: ['treasurer'] }, bonus)
  expect(approve).toContain('another operator has to approve it')
  expect(reject).toBeUndefined()
})

test('who lacks the role for its kind reads which one it needs', () => {
  const needed = 'Needs the treasurer’s role.'
  expect(closedTo({ _id: 'bo', roles: ['reviewer'] }, bonus)).toEqual({ approve: needed, reject: needed })
})
