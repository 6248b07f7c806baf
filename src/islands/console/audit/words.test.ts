import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../contract/console/audit.ts'
import { buildLinkHref, listDetails } from './words.ts'

test('people and things lead to their pages', () => {
  expect(buildLinkHref({ kind: 'investor', id: 'i' })).toBe('/operator/investors?open=i')
  expect(buildLinkHref({ kind: 'deposit', id: 'd' })).toBe('/operator/deposits?status=&open=d')
  expect(buildLinkHref({ kind: 'setting', id: 'kycRequired' })).toBe('/operator/settings')
  expect(buildLinkHref({ kind: 'order', id: 'o' })).toBeNull()
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
    subject: 'd',
    detail: { amountCents: 50000, secondOperator: null },
    about: {
      kind: 'deposit',
      form: null,
      ref: 'DEP-7F3K',
      amount: 500,
      label: null,
      person: 'i',
      role: 'investor',
      name: 'Ana Torres',
    },
  }
  expect(listDetails(entry)).toEqual([
    { label: 'Action', value: 'deposit.credited' },
    { label: 'Reference', value: 'DEP-7F3K' },
    { label: 'Done by', value: 'o' },
    { label: 'About', value: 'd' },
    { label: 'Amount cents', value: '50000' },
    { label: 'Second operator', value: 'null' },
  ])
})
