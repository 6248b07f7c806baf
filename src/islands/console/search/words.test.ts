import { expect, it } from 'vitest'
import { listResults } from './words.ts'

it('results lead to the case, the wallet or the person, and say who and how much', () => {
  const results = listResults({
    people: [{ _id: 'p', name: 'Ana Torres', email: 'ana@example.com' }],
    cases: [
      {
        _id: 'c',
        kind: 'deposit',
        ref: 'DEP-1',
        status: 'pending',
        amount: 7200,
        person: 'Ana Torres',
        createdAt: '2026-01-31T09:30:00.000Z',
      },
    ],
    wallets: [{ _id: 'w', chain: 'bitcoin', active: false, keyNames: ['d34db33f', '0badcafe'] }],
    operators: [{ _id: 'o', name: 'Olga Bello', email: 'olga@example.com' }],
  })
  expect(results).toEqual([
    {
      href: '/operator/deposits?status=&query=DEP-1&open=c',
      title: 'Deposit DEP-1, $7,200.00',
      detail: 'Ana Torres · pending',
    },
    {
      href: '/operator/wallets?watch=w',
      title: 'Watch-only wallet on Bitcoin',
      detail: 'd34db33f, 0badcafe · retired',
    },
    { href: '/operator/investors?open=p', title: 'Ana Torres', detail: 'ana@example.com' },
    {
      href: '/operator/audit-log?actor=o',
      title: 'Olga Bello in the audit log',
      detail: 'olga@example.com · operator',
    },
  ])
})
