import type { Severity, Signal, SignalName } from '../../../../src/contract/console/withdrawals.ts'
import { usdOf } from '../../../../src/contract/money.ts'
import { iso } from '../../../http/paging.ts'
import { DAY_MS } from '../../../lib/days.ts'

// Each rule's threshold. What they say of a withdrawal is advice: nothing is refused by them.

/** A new password, e-mail address or second factor, or a recovery, counts from so long before the request on. */
export const CHANGED_WITHIN_MS = 7 * DAY_MS
/** A browser is new if the account was first used from it within so long before the request, and a day or more after it was opened. */
export const NEW_DEVICE_MS = 7 * DAY_MS
/** An account is new for so long. */
export const NEW_ACCOUNT_MS = 14 * DAY_MS
/** An identity was approved lately. */
export const NEW_IDENTITY_MS = 3 * DAY_MS
/** Money that came in within so long before the request… */
export const IN_AND_OUT_MS = 3 * DAY_MS
/** …and makes up so large a part of what goes out, goes in and out. */
export const IN_AND_OUT_SHARE = 0.5
/** So large a part of what could be withdrawn is all of it. */
export const WHOLE_SHARE = 0.95
/** Unusual is more than so many times the largest one that was paid before… */
export const UNUSUAL_TIMES = 3
/** …where so many were: of fewer nothing is usual yet. */
export const USUAL_FROM = 3
/** So many within a day, this one among them, are several. */
export const SEVERAL = 3

/** What the signals are read from. Amounts in cents, times in epoch milliseconds. */
export interface RiskFacts {
  readonly amountCents: number
  readonly filedAt: number
  /** Open: neither paid nor refused, so that its money is still held. */
  readonly isOpen: boolean
  readonly heldUntil: number | null
  /** Now, or when it came to its end: what happened later says nothing about it. */
  readonly untilMs: number
  /** When one was last asked for that was paid to this destination; null where none was. */
  readonly destinationUsedAt: number | null
  /** Since when it stands in the address book. */
  readonly destinationSavedAt: number | null
  /** Others who were paid there or saved it. */
  readonly destinationShared: number
  readonly investorName: string
  /** Of a bank account. */
  readonly holderName: string | null
  readonly passwordChangedAt: number | null
  readonly emailChangedAt: number | null
  readonly factorChangedAt: number | null
  /** When a forgotten password was set anew by mail. */
  readonly recoveredAt: number | null
  /** When the browser it was filed from was first seen; null where it carries no cookie. */
  readonly deviceSeenAt: number | null
  readonly accountOpenedAt: number
  /** When an identity was approved; null where none is. */
  readonly identityApprovedAt: number | null
  /** Paid before this one, and the largest of the last ones. */
  readonly paidBefore: number
  readonly paidMostCents: number
  readonly availableCents: number
  readonly grantedCents: number
  /** A debt left by a reversed credit. */
  readonly owedCents: number
  /** Credited within `IN_AND_OUT_MS` before it. */
  readonly creditedCents: number
  readonly creditedAt: number | null
  /** Filed within a day before it and with it, cancelled and rejected ones aside. */
  readonly dayCount: number
  readonly dayCents: number
  readonly frozenAt: number | null
}

type Rule = (facts: RiskFacts) => Omit<Signal, 'signal' | 'severity'> | null
const since = (at: number) => ({ since: iso(at) })
const usd = (cents: number) => ({ amount: usdOf(cents) })

/** A change that was made shortly before the request, or since. */
function changed(at: number | null, { filedAt, untilMs }: RiskFacts) {
  return at !== null && at > filedAt - CHANGED_WITHIN_MS && at <= untilMs ? since(at) : null
}

/** First seen shortly before the request, and not with the account itself. */
function isNewDevice(at: number | null, { filedAt, accountOpenedAt }: RiskFacts) {
  return at !== null && at > filedAt - NEW_DEVICE_MS && at > accountOpenedAt + DAY_MS ? since(at) : null
}

const TITLES = ['mr', 'mrs', 'miss', 'ms', 'dr', 'prof']

function nameWords(name: string): string[] {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words.filter((word) => !TITLES.includes(word))
}

/** Whether two names may be one person's: each word of the shorter is one of the longer, or an initial, and one is whole. */
export function isSamePerson(one: string, other: string): boolean {
  const [few = [], many = []] = [nameWords(one), nameWords(other)].sort((a, b) => a.length - b.length)
  const isInitial = (a: string, b: string) => (a.length === 1 || b.length === 1) && a[0] === b[0]
  return (
    few.some((word) => word.length > 1 && many.includes(word)) &&
    few.every((word) => many.some((known) => word === known || isInitial(word, known)))
  )
}

/** Each signal's severity and rule, gravest first. */
const RULES: readonly (readonly [SignalName, Severity, Rule])[] = [
  ['debt', 'high', ({ isOpen, owedCents }) => (isOpen && owedCents > 0 ? usd(owedCents) : null)],
  ['account_recovered', 'high', (facts) => changed(facts.recoveredAt, facts)],
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
        ? { ...since(creditedAt), ...usd(creditedCents) }
        : null,
  ],
  ['identity_not_approved', 'high', ({ identityApprovedAt }) => (identityApprovedAt === null ? {} : null)],
  [
    'holder_differs',
    'high',
    ({ holderName, investorName }) =>
      holderName === null || isSamePerson(holderName, investorName) ? null : {},
  ],
  ['password_changed', 'medium', (facts) => changed(facts.passwordChangedAt, facts)],
  ['email_changed', 'medium', (facts) => changed(facts.emailChangedAt, facts)],
  ['second_factor_changed', 'medium', (facts) => changed(facts.factorChangedAt, facts)],
  [
    'new_destination',
    'medium',
    ({ destinationUsedAt, destinationSavedAt }) =>
      destinationUsedAt === null ? (destinationSavedAt === null ? {} : since(destinationSavedAt)) : null,
  ],
  [
    'on_hold',
    'medium',
    ({ isOpen, heldUntil, untilMs }) =>
      isOpen && heldUntil !== null && heldUntil > untilMs ? since(heldUntil) : null,
  ],
  ['new_device', 'medium', (facts) => isNewDevice(facts.deviceSeenAt, facts)],
  [
    'unusual_amount',
    'medium',
    ({ paidBefore, paidMostCents, amountCents }) =>
      paidBefore >= USUAL_FROM && amountCents > paidMostCents * UNUSUAL_TIMES ? usd(paidMostCents) : null,
  ],
  [
    'several_in_a_day',
    'medium',
    ({ dayCount, dayCents }) => (dayCount >= SEVERAL ? { count: dayCount, ...usd(dayCents) } : null),
  ],
  [
    'new_account',
    'medium',
    ({ accountOpenedAt, filedAt }) =>
      filedAt - accountOpenedAt < NEW_ACCOUNT_MS ? since(accountOpenedAt) : null,
  ],
  [
    'bonus_included',
    'medium',
    // Of what was there before, less than the bonus would be left: some of it goes out with this one.
    ({ isOpen, grantedCents, availableCents }) =>
      isOpen && grantedCents > 0 && availableCents < grantedCents ? usd(grantedCents) : null,
  ],
  [
    'frozen_before',
    'medium',
    ({ frozenAt, untilMs }) => (frozenAt !== null && frozenAt <= untilMs ? since(frozenAt) : null),
  ],
  [
    'whole_balance',
    'medium',
    ({ isOpen, amountCents, availableCents }) =>
      isOpen && amountCents >= (availableCents + amountCents) * WHOLE_SHARE ? usd(availableCents) : null,
  ],
  [
    'identity_new',
    'low',
    ({ identityApprovedAt, filedAt }) =>
      identityApprovedAt !== null && filedAt - identityApprovedAt < NEW_IDENTITY_MS
        ? since(identityApprovedAt)
        : null,
  ],
  ['first_withdrawal', 'low', ({ paidBefore }) => (paidBefore === 0 ? {} : null)],
]

/** What speaks against a withdrawal, gravest first; nothing of an ordinary one. */
export function signalsOf(facts: RiskFacts): Signal[] {
  return RULES.flatMap(([signal, severity, rule]) => {
    const found = rule(facts)
    return found === null ? [] : [{ signal, severity, ...found }]
  })
}
