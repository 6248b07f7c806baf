import type { Severity, Signal, SignalName } from '../../../../src/contract/console/withdrawals.ts'
import { toUsd } from '../../../../src/contract/money.ts'
import { DAY_MS } from '../../../../src/time.ts'
import { toIso } from '../../../http/paging.ts'
import { isSamePerson } from '../../../lib/foldName.ts'

// Thresholds of the rules. Signals are advice: they never refuse a withdrawal.

/** A change of password, e-mail address or second factor, or a recovery, counts within this time before the request. */
export const CHANGED_WITHIN_MS = 7 * DAY_MS
/** A browser is new if its first use was within this time before the request, and at least a day after the account was opened. */
export const NEW_DEVICE_MS = 7 * DAY_MS
/** An account is new for this long. */
export const NEW_ACCOUNT_MS = 14 * DAY_MS
/** An identity approval is recent for this long. */
export const NEW_IDENTITY_MS = 3 * DAY_MS
/** Money credited within this time before the request… */
export const IN_AND_OUT_MS = 3 * DAY_MS
/** …that is at least this share of the withdrawal counts as in and out. */
export const IN_AND_OUT_SHARE = 0.5
/** A withdrawal of at least this share of the available balance counts as all of it. */
export const WHOLE_SHARE = 0.95
/** An amount is unusual if it exceeds the largest earlier payout by this factor… */
export const UNUSUAL_TIMES = 3
/** …and at least this many payouts came before. */
export const USUAL_FROM = 3
/** This many withdrawals within a day, including this one, are several. */
export const SEVERAL = 3

/** Inputs of the signals. Amounts in cents, times in epoch milliseconds. */
export interface RiskFacts {
  readonly amountCents: number
  readonly filedAt: number
  /** Neither paid nor refused, so its money is still held. */
  readonly isOpen: boolean
  readonly heldUntil: number | null
  /** Now, or the end of the request: later events do not count. */
  readonly untilMs: number
  /** When a withdrawal later paid to this destination was last requested; null if there is none. */
  readonly destinationUsedAt: number | null
  /** When the destination was saved in the address book. */
  readonly destinationSavedAt: number | null
  /** Other investors who were paid there or saved it. */
  readonly destinationShared: number
  /** As the investor wrote it, which may change at any time. */
  readonly displayName: string
  /** On the identity document, as its reviewer read it; null if none was recorded. */
  readonly documentName: string | null
  /** The holder of the bank account. */
  readonly holderName: string | null
  readonly passwordChangedAt: number | null
  readonly emailChangedAt: number | null
  readonly factorChangedAt: number | null
  /** When a forgotten password was last reset by mail. */
  readonly recoveredAt: number | null
  /** When the browser of the request was first seen; null without a device cookie. */
  readonly deviceSeenAt: number | null
  readonly accountOpenedAt: number
  /** When an identity was approved; null if none is. */
  readonly identityApprovedAt: number | null
  /** Payouts before this request; the next field is the largest of the last ones. */
  readonly paidBefore: number
  readonly paidMostCents: number
  readonly availableCents: number
  readonly grantedCents: number
  /** Debt after a reversed credit. */
  readonly owedCents: number
  /** Amount credited within `IN_AND_OUT_MS` before the request. */
  readonly creditedCents: number
  readonly creditedAt: number | null
  /** Withdrawals filed within a day up to and including this one, without cancelled and rejected ones. */
  readonly dayCount: number
  readonly dayCents: number
  readonly frozenAt: number | null
}

type Rule = (facts: RiskFacts) => Omit<Signal, 'signal' | 'severity'> | null
const toSince = (at: number) => ({ since: toIso(at) })
const toAmount = (cents: number) => ({ amount: toUsd(cents) })

/** Reports a change made shortly before the request, or since. */
function findRecentChange(at: number | null, { filedAt, untilMs }: RiskFacts) {
  return at !== null && at > filedAt - CHANGED_WITHIN_MS && at <= untilMs ? toSince(at) : null
}

/** Reports a browser first seen shortly before the request, unless the account is as new. */
function isNewDevice(at: number | null, { filedAt, accountOpenedAt }: RiskFacts) {
  return at !== null && at > filedAt - NEW_DEVICE_MS && at > accountOpenedAt + DAY_MS ? toSince(at) : null
}

/** Severity and rule of each signal, most severe first. */
const RULES: readonly (readonly [SignalName, Severity, Rule])[] = [
  ['debt', 'high', ({ isOpen, owedCents }) => (isOpen && owedCents > 0 ? toAmount(owedCents) : null)],
  ['account_recovered', 'high', (facts) => findRecentChange(facts.recoveredAt, facts)],
  [
    'shared_destination',
    'high',
    ({ destinationShared }) => (destinationShared > 0 ? { count: destinationShared } : null),
  ],
  [
    'in_and_out',
    'high',
    ({ creditedCents, creditedAt, amountCents }) =>
      creditedAt !== null && creditedCents >= amountCents * IN_AND_OUT_SHARE
        ? { ...toSince(creditedAt), ...toAmount(creditedCents) }
        : null,
  ],
  ['identity_not_approved', 'high', ({ identityApprovedAt }) => (identityApprovedAt === null ? {} : null)],
  [
    'holder_differs',
    'high',
    ({ holderName, displayName, documentName }) =>
      holderName === null || isSamePerson(holderName, documentName ?? displayName) ? null : {},
  ],
  ['password_changed', 'medium', (facts) => findRecentChange(facts.passwordChangedAt, facts)],
  ['email_changed', 'medium', (facts) => findRecentChange(facts.emailChangedAt, facts)],
  ['second_factor_changed', 'medium', (facts) => findRecentChange(facts.factorChangedAt, facts)],
  [
    'new_destination',
    'medium',
    ({ destinationUsedAt, destinationSavedAt }) =>
      destinationUsedAt === null ? (destinationSavedAt === null ? {} : toSince(destinationSavedAt)) : null,
  ],
  [
    'on_hold',
    'medium',
    ({ isOpen, heldUntil, untilMs }) =>
      isOpen && heldUntil !== null && heldUntil > untilMs ? toSince(heldUntil) : null,
  ],
  ['new_device', 'medium', (facts) => isNewDevice(facts.deviceSeenAt, facts)],
  [
    'unusual_amount',
    'medium',
    ({ paidBefore, paidMostCents, amountCents }) =>
      paidBefore >= USUAL_FROM && amountCents > paidMostCents * UNUSUAL_TIMES
        ? toAmount(paidMostCents)
        : null,
  ],
  [
    'several_in_a_day',
    'medium',
    ({ dayCount, dayCents }) => (dayCount >= SEVERAL ? { count: dayCount, ...toAmount(dayCents) } : null),
  ],
  [
    'new_account',
    'medium',
    ({ accountOpenedAt, filedAt }) =>
      filedAt - accountOpenedAt < NEW_ACCOUNT_MS ? toSince(accountOpenedAt) : null,
  ],
  [
    'bonus_included',
    'medium',
    // The remaining balance is less than the bonus, so part of the bonus leaves with this withdrawal.
    ({ isOpen, grantedCents, availableCents }) =>
      isOpen && grantedCents > 0 && availableCents < grantedCents ? toAmount(grantedCents) : null,
  ],
  [
    'frozen_before',
    'medium',
    ({ frozenAt, untilMs }) => (frozenAt !== null && frozenAt <= untilMs ? toSince(frozenAt) : null),
  ],
  [
    'whole_balance',
    'medium',
    ({ isOpen, amountCents, availableCents }) =>
      isOpen && amountCents >= (availableCents + amountCents) * WHOLE_SHARE ? toAmount(availableCents) : null,
  ],
  [
    'identity_new',
    'low',
    ({ identityApprovedAt, filedAt }) =>
      identityApprovedAt !== null && filedAt - identityApprovedAt < NEW_IDENTITY_MS
        ? toSince(identityApprovedAt)
        : null,
  ],
  ['first_withdrawal', 'low', ({ paidBefore }) => (paidBefore === 0 ? {} : null)],
]

/** The signals of a withdrawal, most severe first; empty for an ordinary one. */
export function deriveSignals(facts: RiskFacts): Signal[] {
  return RULES.flatMap(([signal, severity, rule]) => {
    const found = rule(facts)
    return found === null ? [] : [{ signal, severity, ...found }]
  })
}
