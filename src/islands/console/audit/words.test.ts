import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../contract/console/audit.ts'
import { buildLinkHref, listDetails } from './words.ts'

test('people and things lead to their pages', () => {
  expect(buildLinkHref('investor', 'i')).toBe('/operator/investors?open=i')
  expect(buildLinkHref('deposit', 'd')).toBe('/operator/deposits?status=&open=d')
  expect(buildLinkHref('setting', 'kycRequired')).toBe('/operator/settings#kycRequired')
  expect(buildLinkHref('order', 'o')).toBeNull()
})

test('the details have the ids, and everything that was recorded', () => {
  const entry: AuditEntry = {
    _id: 'l',
    line: 7,
    at: '2026-01-31T09:00:00.000Z',
    actor: 'o',
    actorName: 'Mira Holt',
    actorRole: 'operator',
    action: 'deposit.credited',
    label: 'Credited a deposit',
    subject: 'd',
    reason: null,
    facts: [],
    detail: { amountCents: 50000, secondOperator: null },
    about: {
      kind: 'deposit',
      label: 'Deposit DEP-7F3K ($500.00)',
      person: { _id: 'i', role: 'investor', name: 'Ana Torres' },
    },
  }
  expect(listDetails(entry)).toEqual([
    { label: 'Action', value: 'deposit.credited' },
    { label: 'Done by', value: 'o' },
    { label: 'About', value: 'd' },
    { label: 'Amount cents', value: '50000' },
    { label: 'Second operator', value: 'null' },
  ])
})
