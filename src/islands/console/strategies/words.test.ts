import { expect, test } from 'vitest'
import {
  describeAftermath,
  describeBand,
  describeDrawdown,
  describeEnding,
  describePendingOrders,
  describeResumeObstacle,
  describeStrategyStatus,
} from './words.ts'

const none = { count: 0, amount: 0 }

test('a strategy that is late or waits says so, also while it is active', () => {
  const said = (status: 'active' | 'suspended' | 'stopped', behind = false, isLacking = false) =>
    describeStrategyStatus({ status, behind, lacking: isLacking ? { since: '', finding: null } : null })
  expect(said('active')).toEqual({ status: 'active' })
  expect(said('active', true, true).label).toBe('Late')
  expect(said('active', false, true).label).toBe('Waiting for prices')
  expect(said('suspended', true).label).toBe('Suspended, late')
  expect([said('suspended'), said('stopped', true)]).toEqual([{ status: 'suspended' }, { status: 'stopped' }])
})

test('what was suspended says by whom or what, and whether it can be resumed', () => {
  const status = 'suspended'
  const by = { _id: 'a', name: 'Ana Torres' }
  expect(describeEnding({ status, by, rule: null })).toBe('Suspended by Ana Torres')
  expect(describeEnding({ status, by: null, rule: 'drawdown' })).toBe('Suspended: it hit its drawdown limit')
  expect(describeEnding({ status, by: null, rule: 'band' })).toContain('left the band of its test')
  expect(describeEnding({ status: 'stopped', by, rule: null })).toBe(
    'Stopped for good, approved by Ana Torres',
  )
  expect(describeResumeObstacle({ rule: 'drawdown', proposed: null })).toContain(
    'only its own rule resumes it',
  )
  expect(describeResumeObstacle({ rule: 'band', proposed: null })).toBeUndefined()
  const proposed = {
    _id: 'p',
    action: 'stop' as const,
    by: { _id: 'a', name: 'Ana Torres' },
    at: '2026-01-31T09:30:00.000Z',
  }
  expect(describeResumeObstacle({ rule: null, proposed })).toMatch(
    /^A proposal to stop it for good is already waiting/,
  )
})

test('what waits is told by way and amount; an order of all has none', () => {
  expect(describePendingOrders({ ordersIn: none, ordersOut: none })).toBe('None')
  expect(
    describePendingOrders({ ordersIn: { count: 3, amount: 120 }, ordersOut: { count: 1, amount: 0 } }),
  ).toBe('3 in, $120.00; 1 out')
})

test('where it stands by its own rules is told in words', () => {
  expect(describeDrawdown({ drawdown: null, maximumDrawdown: 0.35 })).toBeNull()
  expect(describeDrawdown({ drawdown: 0, maximumDrawdown: null })).toBe('At its highest close')
  expect(describeDrawdown({ drawdown: 0.0321, maximumDrawdown: 0.35 })).toBe(
    '3.2% below its highest close. It is suspended at 35.0%',
  )
  const band = { lower: 90, median: 101, upper: 120 }
  expect(describeBand({ unitPrice: 98, band })).toBe('Within it: between $90.00 and $120.00, median $101.00')
  expect(describeBand({ unitPrice: 89.99, band })).toMatch(/^Below it/)
  expect(describeBand({ unitPrice: 121, band })).toMatch(/^Above it/)
  expect(describeBand({ unitPrice: 98, band: null })).toBeNull()
})

test('what is out of the market says whether it is sold already', () => {
  const since = '2026-11-21T09:30:00.000Z'
  const said = (lastStep: string | null, units = 3) =>
    describeAftermath({ status: 'suspended', since, lastStep, units })
  expect(
    [said(null), said('2026-11-21')].every((words) => words.endsWith('sold at its next open, 00:00 UTC.')),
  ).toBe(true)
  expect(said('2026-11-22')).toContain('its holdings are sold')
  expect(said('2026-11-22', 0)).toContain('No investor has money in it')
  expect(describeAftermath({ status: 'stopped', since, lastStep: null, units: 3 })).toContain('never trades')
})
