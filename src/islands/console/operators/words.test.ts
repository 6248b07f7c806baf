import { expect, test } from 'vitest'
import { ROLES } from '../../../contract/roles.ts'
import { describeAccess, listPermissions } from './words.ts'

test('what each role may do is said by the list that the server decides by', () => {
  const may = Object.fromEntries(listPermissions().map(({ what, roles }) => [what, roles.join(' ')]))
  expect(may['Credit and reject deposits']).toBe('treasurer')
  expect(may['List operators']).toBe('administrator auditor')
  expect(may['Propose changes of operators, and decide others’ proposals']).toBe('administrator')
  const [first, ...others] = listPermissions()
  expect(first?.roles).toEqual(ROLES)
  expect(first?.what).toBe('Read My work, Investors, Messages and Settings')
  expect(others.every(({ roles }) => roles.length < ROLES.length)).toBe(true)
  expect(others[0]).toEqual({
    what: expect.stringMatching(/^Read Health, Deposits, .* and Trial balance$/),
    roles: ROLES.filter((role) => role !== 'support'),
  })
})

test('an auditor may do nothing but read and open documents', () => {
  const auditors = listPermissions().filter(({ roles }) => roles.includes('auditor'))
  expect(auditors.map(({ what }) => what).slice(2)).toEqual([
    'Open identity documents',
    'See whom the yearly report to tax authorities leaves out',
    'List operators',
  ])
})

test('somebody without a second factor is not called active', () => {
  expect(describeAccess({ disabledAt: null, secondFactor: false }).label).toBe('No second factor')
  expect(describeAccess({ disabledAt: '2026-01-01T00:00:00.000Z', secondFactor: true }).label).toBe(
    'Disabled',
  )
  expect(describeAccess({ disabledAt: null, secondFactor: true })).toEqual({ status: 'active' })
})
