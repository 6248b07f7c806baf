import { describe, expect, test } from 'vitest'
import { RISK_RULE_NAMES, type RiskRule } from '../../../src/contract/console/risk.ts'
import { DAY_MS } from '../../../src/time.ts'
import { isSamePerson } from '../../lib/foldName.ts'
import {
  CHANGED_WITHIN_MS,
  deriveRisk,
  IN_AND_OUT_SHARE,
  LOST_FACTOR_MS,
  NEW_ACCOUNT_MS,
  NEW_DEVICE_MS,
  NEW_IDENTITY_MS,
  type RiskFacts,
  RULES,
  SEVERAL,
  SEVERAL_UNDER_LIMIT,
  UNUSUAL_TIMES,
  USUAL_FROM,
  WHOLE_SHARE,
} from './rules.ts'

const FILED = Date.UTC(2026, 0, 31)
const iso = (at: number) => new Date(at).toISOString()

/** An ordinary withdrawal: a known destination, the usual amount, a known device. */
const ordinary: RiskFacts = {
  id: 'w1',
  seq: 1,
  ref: 'WDR-1',
  settings: null,
  country: 'Switzerland',
  bankCountry: null,
  sanctionsHit: null,
  lockedAt: null,
  frozenNowAt: null,
  frozenReason: null,
  silentAt: null,
  lostFactorOpen: null,
  lostFactorEnded: null,
  withdrawnAfterReport: null,
  signedInAfterReport: null,
  nameChangedAt: null,
  addressChangedAt: null,
  deviceShared: null,
  invitedByOwn: null,
  investor: 'ana',
  referralTraits: null,
  documentShared: null,
  underLimitCount: 1,
  underLimitCents: 100_00,
  underLimitOthers: '[]',
  creditedBefore: 1,
  receiptSentBefore: null,
  referenceUsed: null,
  amountCents: 100_00,
  filedAt: FILED,
  isOpen: 1,
  heldUntil: null,
  untilMs: FILED + DAY_MS,
  destinationUsedAt: FILED,
  destinationSavedAt: FILED - 90 * DAY_MS,
  destinationShared: null,
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

const BEN = { kind: 'investor', id: 'u2', text: 'Ben Torres' }
const PERSON = JSON.stringify({ ...BEN, count: 2 })
const WITHDRAWAL = { kind: 'withdrawal', id: 'w2', text: 'WDR-2' }
const DEPOSIT = { kind: 'deposit', id: 'd2', text: 'DEP-2' }
const toReceipt = (isCredited: 0 | 1) => JSON.stringify({ ...DEPOSIT, count: 2, isCredited })
const REPORT = { kind: 'recovery', id: 'l1', text: 'the report' }
const toReport = (at: number) => JSON.stringify({ ...REPORT, at })

/** For each rule: facts that cause it, its finding, and facts just short of it. */
const CASES: Readonly<Record<RiskRule, [Partial<RiskFacts>, object, Partial<RiskFacts>]>> = {
  account_locked: [
    { lockedAt: FILED, frozenNowAt: FILED },
    { since: iso(FILED) },
    { lockedAt: FILED, frozenNowAt: FILED, isOpen: 0 },
  ],
  account_frozen: [
    { frozenNowAt: FILED, frozenReason: 'Odd' },
    { since: iso(FILED), note: 'Odd' },
    { frozenNowAt: FILED, isOpen: 0 },
  ],
  silently_frozen: [{ silentAt: FILED }, { since: iso(FILED) }, { silentAt: FILED, isOpen: 0 }],
  lost_factor_open: [
    { lostFactorOpen: toReport(FILED) },
    { since: iso(FILED), link: REPORT },
    { lostFactorOpen: toReport(FILED), isOpen: 0 },
  ],
  lost_factor_lately: [
    { lostFactorEnded: toReport(FILED - LOST_FACTOR_MS + 1) },
    { since: iso(FILED - LOST_FACTOR_MS + 1), link: REPORT },
    { lostFactorEnded: toReport(FILED - LOST_FACTOR_MS) },
  ],
  withdrawal_after_report: [
    {
      withdrawnAfterReport: JSON.stringify({
        ...WITHDRAWAL,
        count: 2,
        at: FILED + 5,
        cents: 2_500_00,
        paid: 500_00,
      }),
    },
    { link: WITHDRAWAL, count: 2, since: iso(FILED + 5), amount: 2_500, note: '$500.00 of it is paid' },
    {},
  ],
  signed_in_after_report: [
    { signedInAfterReport: JSON.stringify({ ...BEN, count: 1, at: FILED + 5 }) },
    { link: BEN, count: 1, since: iso(FILED + 5) },
    {},
  ],
  same_receipt: [
    { receiptSentBefore: toReceipt(0) },
    { count: 2, link: DEPOSIT },
    { receiptSentBefore: null },
  ],
  receipt_credited: [{ receiptSentBefore: toReceipt(1) }, { count: 2, link: DEPOSIT }, {}],
  referral_shared: [
    {
      referralTraits: JSON.stringify([buildTraits('ana', '2001:db8::1'), buildTraits('ben', '2001:db8::2')]),
    },
    {
      count: 1,
      note: 'a network, as families and offices do',
      link: { kind: 'investor', id: 'ben', text: 'ben' },
    },
    { referralTraits: JSON.stringify([buildTraits('ana', '192.0.2.1'), buildTraits('ben', '192.0.2.2')]) },
  ],
  same_document: [{ documentShared: PERSON }, { count: 2, link: BEN }, {}],
  reference_used: [{ referenceUsed: PERSON }, { count: 2, link: BEN }, {}],
  same_device: [{ deviceShared: PERSON }, { count: 2, link: BEN }, {}],
  invitee_of_own: [{ invitedByOwn: JSON.stringify(BEN) }, { link: BEN }, { invitedByOwn: PERSON, isOpen: 0 }],
  address_changed: [
    { addressChangedAt: LATELY },
    { since: iso(LATELY) },
    { addressChangedAt: LATELY, destinationSavedAt: LATELY },
  ],
  name_changed: [{ nameChangedAt: LATELY }, { since: iso(LATELY) }, { nameChangedAt: LONG_AGO }],
  under_limit: [
    {
      underLimitCount: SEVERAL_UNDER_LIMIT,
      underLimitCents: 900_00,
      underLimitOthers: JSON.stringify([WITHDRAWAL, DEPOSIT]),
    },
    { count: SEVERAL_UNDER_LIMIT, amount: 900, link: WITHDRAWAL, moreLinks: [DEPOSIT] },
    { underLimitCount: SEVERAL_UNDER_LIMIT - 1 },
  ],
  first_deposit: [{ creditedBefore: 0 }, {}, {}],
  account_recovered: [{ recoveredAt: LATELY }, { since: iso(LATELY) }, { recoveredAt: LONG_AGO }],
  shared_destination: [{ destinationShared: PERSON }, { count: 2, link: BEN }, {}],
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
  screening: [{ sanctionsHit: PERSON }, { count: 2, link: BEN }, {}],
  listed_country: [{ country: 'IR' }, { note: 'IR' }, { country: 'France' }],
  first_withdrawal: [{ paidBefore: 0, paidMostCents: 0 }, {}, { paidBefore: 1 }],
}

function buildTraits(id: string, ip: string) {
  return { id, name: id, network: [ip], destination: [''], receipt: [null], document: [] }
}

/** The signals of these facts, as a case of the first kind in which the rule looks. */
function deriveSignals(facts: Partial<RiskFacts>, rule: RiskRule = 'debt') {
  const kinds = RULES[rule][0]
  const kind = kinds.includes('withdrawals') ? 'withdrawals' : (kinds[0] ?? 'deposits')
  return deriveRisk(kind, { ...ordinary, ...facts }).signals
}

test('an ordinary withdrawal has no signals and a low risk', () => {
  expect(deriveRisk('withdrawals', ordinary)).toEqual({ score: 0, level: 'low', signals: [] })
})

describe('each rule', () => {
  test.each(RISK_RULE_NAMES)('finds its facts, and nothing just short of them: %s', (rule) => {
    const [facts, says, short] = CASES[rule]
    expect(deriveSignals(facts, rule)).toEqual([{ rule, weight: expect.any(Number), link: null, ...says }])
    expect(deriveSignals(short, rule)).toEqual([])
  })

  test('the score is the sum of weights, heaviest first, and two administrators may set them', () => {
    const facts = { ...ordinary, owedCents: 1, paidBefore: 0, emailChangedAt: LATELY }
    expect(deriveRisk('withdrawals', facts)).toMatchObject({ score: 100, level: 'high' })
    const settings = JSON.stringify({
      debt: 0,
      email_changed: 3,
      first_withdrawal: 6,
      mediumFrom: 9,
      highFrom: 10,
    })
    const risk = deriveRisk('withdrawals', { ...facts, settings })
    expect(risk).toMatchObject({ score: 9, level: 'medium' })
    expect(risk.signals.map(({ rule, weight }) => [rule, weight])).toEqual([
      ['first_withdrawal', 6],
      ['email_changed', 3],
    ])
  })
})

test('events after the decision are ignored, and open withdrawals are judged by the current time', () => {
  const ended = { isOpen: 0, untilMs: FILED + 5 } as const
  expect(deriveSignals({ ...ended, passwordChangedAt: FILED + 6, frozenAt: FILED + 6 })).toEqual([])
  expect(
    deriveSignals({ ...ended, availableCents: 0, grantedCents: 5_00, heldUntil: FILED + DAY_MS }),
  ).toEqual([])
})

test('the identity of a new account is no sign of its own', () => {
  const opened = FILED - NEW_ACCOUNT_MS + 1
  const signals = deriveSignals({ accountOpenedAt: opened, identityApprovedAt: FILED - 1 })
  expect(signals.map(({ rule }) => rule)).toEqual(['new_account'])
})

test('a deposit whose receipt was credited before is of high risk by that alone', () => {
  const facts = { ...ordinary, receiptSentBefore: toReceipt(1) }
  expect(deriveRisk('deposits', facts)).toMatchObject({ level: 'high', signals: [{ link: DEPOSIT }] })
  expect(deriveRisk('deposits', { ...facts, receiptSentBefore: toReceipt(0) }).level).toBe('medium')
})

test('a browser that came with the account is not a new one', () => {
  const opened = FILED - NEW_ACCOUNT_MS
  expect(deriveSignals({ accountOpenedAt: opened, deviceSeenAt: opened + DAY_MS })).toEqual([])
  expect(deriveSignals({ deviceSeenAt: null })).toEqual([])
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

test('a country on the list of the settings, of the person or of the bank, is a sign in any of its names', () => {
  const settings = JSON.stringify({ countries: ['Germany'] })
  const listed = { rule: 'listed_country' }
  expect(deriveSignals({ settings, country: 'Germany (Deutschland)' })).toMatchObject([listed])
  expect(deriveSignals({ settings, bankCountry: 'DE' })).toMatchObject([{ ...listed, note: 'DE' }])
  expect(deriveSignals({ settings, country: 'IR' })).toEqual([])
})
