import { expect, test } from 'vitest'
import { listProofReasons } from './decide.ts'

const NOW = Date.UTC(2026, 0, 31)
const trusted = {
  destinationKnown: true,
  deviceKnown: true,
  securityChangedAtMs: null as number | null,
  amountCents: 100_00,
  availableCents: 1000_00,
  filedCents: 0,
}
const reasons = (change: Partial<typeof trusted>) => {
  const facts = { ...trusted, ...change }
  return listProofReasons(facts, facts, facts.deviceKnown, NOW)
}

test('a known destination from a known device for a small share needs no proof', () => {
  expect(reasons({})).toEqual([])
})

test('each reason suffices alone', () => {
  expect(reasons({ destinationKnown: false })).toEqual(['new_destination'])
  expect(reasons({ deviceKnown: false })).toEqual(['new_device'])
  expect(reasons({ securityChangedAtMs: NOW - 1 })).toEqual(['recent_security_change'])
  expect(reasons({ amountCents: 900_00 })).toEqual(['large_share'])
})

test('a change of security is recent for 72 hours', () => {
  const hoursMs = 72 * 3_600_000
  expect(reasons({ securityChangedAtMs: NOW - hoursMs + 1 })).toEqual(['recent_security_change'])
  expect(reasons({ securityChangedAtMs: NOW - hoursMs })).toEqual([])
})

test('half of the filed and available money is not a large share, a cent more is', () => {
  expect(reasons({ amountCents: 500_00 })).toEqual([])
  expect(reasons({ amountCents: 500_01 })).toEqual(['large_share'])
  // 300 were filed and 700 are left: 200 more make half of the thousand.
  expect(reasons({ availableCents: 700_00, filedCents: 300_00, amountCents: 200_00 })).toEqual([])
  expect(reasons({ availableCents: 700_00, filedCents: 300_00, amountCents: 200_01 })).toEqual([
    'large_share',
  ])
})
