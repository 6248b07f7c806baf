import { describe, expect, test } from 'vitest'
import { SEVERITIES, SIGNALS } from '../../../../src/contract/console/withdrawals.ts'
import { DAY_MS } from '../../../../src/time.ts'
import { isSamePerson } from '../../../lib/foldName.ts'
import {
  CHANGED_WITHIN_MS,
  deriveSignals,
  IN_AND_OUT_SHARE,
  NEW_ACCOUNT_MS,
  NEW_DEVICE_MS,
  NEW_IDENTITY_MS,
  type RiskFacts,
  SEVERAL,
  UNUSUAL_TIMES,
  USUAL_FROM,
  WHOLE_SHARE,
} from './signals.ts'

const FILED = Date.UTC(2026, 0, 31)
const iso = (at: number) => new Date(at).toISOString()

/** An ordinary withdrawal: a known destination, the usual amount, a known device. */
const ordinary: RiskFacts = {
  amountCents: 100_00,
  filedAt: FILED,
  isOpen: true,
  heldUntil: null,
  untilMs: FILED + DAY_MS,
  destinationUsedAt: FILED,
  destinationSavedAt: FILED - 90 * DAY_MS,
  destinationShared: 0,
  displayName: 'Ana Maria Torres',
  documentName: null,
  holderName: 'Torres, A.',
  passwordChangedAt: null,
  emailChangedAt: null,
  factorChangedAt: null,
  recoveredAt: null,
  deviceSeenAt: FILED - 300 * DAY_MS,
  accountOpenedAt: FILED - 400 * DAY_MS,
  identityApprovedAt: FILED - 399 * DAY_MS,
  paidBefore: 5,
  paidMostCents: 120_00,
  availableCents: 2_000_00,
  grantedCents: 0,
  creditedCents: 0,
  creditedAt: null,
  dayCount: 1,
  dayCents: 100_00,
  frozenAt: null,
  owedCents: 0,
}

const LATELY = FILED - CHANGED_WITHIN_MS + 1
const LONG_AGO = FILED - CHANGED_WITHIN_MS

/** For each signal: facts that cause it, its text, and facts just short of it. */
const CASES: Readonly<Record<(typeof SIGNALS)[number], [Partial<RiskFacts>, object, Partial<RiskFacts>]>> = {
  account_recovered: [{ recoveredAt: LATELY }, { since: iso(LATELY) }, { recoveredAt: LONG_AGO }],
  shared_destination: [{ destinationShared: 2 }, { count: 2 }, { destinationShared: 0 }],
  in_and_out: [
    { creditedCents: 100_00 * IN_AND_OUT_SHARE, creditedAt: FILED - 5 },
    { since: iso(FILED - 5), amount: 50 },
    { creditedCents: 100_00 * IN_AND_OUT_SHARE - 1, creditedAt: FILED - 5 },
  ],
  identity_not_approved: [{ identityApprovedAt: null }, {}, {}],
  holder_differs: [{ documentName: 'Ben Torres' }, {}, { holderName: null }],
  password_changed: [
    { passwordChangedAt: FILED + 5 },
    { since: iso(FILED + 5) },
    { passwordChangedAt: LONG_AGO },
  ],
  email_changed: [{ emailChangedAt: LATELY }, { since: iso(LATELY) }, { emailChangedAt: LONG_AGO }],
  second_factor_changed: [{ factorChangedAt: LATELY }, { since: iso(LATELY) }, { factorChangedAt: LONG_AGO }],
  new_destination: [
    { destinationUsedAt: null },
    { since: iso(FILED - 90 * DAY_MS) },
    { destinationUsedAt: FILED, destinationSavedAt: null },
  ],
  on_hold: [
    { heldUntil: FILED + 2 * DAY_MS },
    { since: iso(FILED + 2 * DAY_MS) },
    { heldUntil: FILED + DAY_MS },
  ],
  new_device: [
    { deviceSeenAt: FILED - NEW_DEVICE_MS + 1 },
    { since: iso(FILED - NEW_DEVICE_MS + 1) },
    { deviceSeenAt: FILED - NEW_DEVICE_MS },
  ],
  unusual_amount: [
    { paidBefore: USUAL_FROM, paidMostCents: 10_00, amountCents: UNUSUAL_TIMES * 10_00 + 1 },
    { amount: 10 },
    { paidBefore: USUAL_FROM, paidMostCents: 10_00, amountCents: UNUSUAL_TIMES * 10_00 },
  ],
  several_in_a_day: [
    { dayCount: SEVERAL, dayCents: 300_00 },
    { count: SEVERAL, amount: 300 },
    { dayCount: SEVERAL - 1, dayCents: 300_00 },
  ],
  new_account: [
    { accountOpenedAt: FILED - NEW_ACCOUNT_MS + 1 },
    { since: iso(FILED - NEW_ACCOUNT_MS + 1) },
    { accountOpenedAt: FILED - NEW_ACCOUNT_MS },
  ],
  debt: [{ owedCents: 4_000_00 }, { amount: 4000 }, { owedCents: 0 }],
  bonus_included: [{ grantedCents: 2_000_01 }, { amount: 2000.01 }, { grantedCents: 2_000_00 }],
  frozen_before: [
    { frozenAt: FILED - 200 * DAY_MS },
    { since: iso(FILED - 200 * DAY_MS) },
    { frozenAt: FILED + 2 * DAY_MS },
  ],
  whole_balance: [
    { amountCents: 100_00 * WHOLE_SHARE, availableCents: 100_00 - 100_00 * WHOLE_SHARE },
    { amount: 5 },
    { amountCents: 100_00 * WHOLE_SHARE - 1, availableCents: 100_01 - 100_00 * WHOLE_SHARE },
  ],
  identity_new: [
    { identityApprovedAt: FILED - NEW_IDENTITY_MS + 1 },
    { since: iso(FILED - NEW_IDENTITY_MS + 1) },
    { identityApprovedAt: FILED - NEW_IDENTITY_MS },
  ],
  first_withdrawal: [{ paidBefore: 0, paidMostCents: 0 }, {}, { paidBefore: 1 }],
}

test('an ordinary withdrawal has no signals', () => {
  expect(deriveSignals(ordinary)).toEqual([])
})

describe('each signal', () => {
  test.each(SIGNALS)('a signal appears with its facts, and not just short of its rule: %s', (signal) => {
    const [facts, says, short] = CASES[signal]
    expect(deriveSignals({ ...ordinary, ...facts })).toEqual([
      { signal, severity: expect.stringMatching(/^(?:high|medium|low)$/), ...says },
    ])
    expect(deriveSignals({ ...ordinary, ...short })).toEqual([])
  })

  test('signals are ordered, gravest first', () => {
    const all = Object.assign({}, ...SIGNALS.map((signal) => CASES[signal][0]))
    const found = deriveSignals({ ...ordinary, ...all, paidBefore: 0 })
    const ranks = found.map(({ severity }) => SEVERITIES.indexOf(severity))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    const order = found.map(({ signal }) => SIGNALS.indexOf(signal))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(found.length).toBeGreaterThan(12)
  })
})

test('events after the decision are ignored, and open withdrawals are judged by the current time', () => {
  const ended = { ...ordinary, isOpen: false, untilMs: FILED + 5 }
  expect(deriveSignals({ ...ended, passwordChangedAt: FILED + 6, frozenAt: FILED + 6 })).toEqual([])
  expect(
    deriveSignals({ ...ended, availableCents: 0, grantedCents: 5_00, heldUntil: FILED + DAY_MS }),
  ).toEqual([])
})

test('a browser that came with the account is not a new one', () => {
  const opened = FILED - NEW_ACCOUNT_MS
  expect(deriveSignals({ ...ordinary, accountOpenedAt: opened, deviceSeenAt: opened + DAY_MS })).toEqual([])
  expect(deriveSignals({ ...ordinary, deviceSeenAt: null })).toEqual([])
})

test('a name is the same person’s with fewer words, initials, a title or other accents, and not with other words', () => {
  const name = 'Ana María Torres'
  for (const same of [
    'ANA TORRES',
    'Torres, A.',
    'Ms Ana Maria Torres',
    'A. M. Torres',
    'Ana Maria Torres & Ben Torres',
  ])
    expect([same, isSamePerson(same, name)]).toEqual([same, true])
  for (const other of ['Ben Torres', 'Eve Marlow', 'A. M.', 'Ms', '', 'Ana Torrez'])
    expect([other, isSamePerson(other, name)]).toEqual([other, false])
})
