import * as z from 'zod/mini'
import {
  RISK_LINKS,
  RISK_RULE_NAMES,
  type Risk,
  type RiskLinkKind,
  type RiskRule,
  type RiskSignal,
} from '../../../src/contract/console/risk.ts'
import type { StoredSettings } from '../../../src/contract/console/settingValues.ts'
import { findCountryCode } from '../../../src/contract/countries.ts'
import { formatCents, toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { toIso } from '../../http/paging.ts'
import { parseStored, type RowOf } from '../../lib/database.ts'
import { isSamePerson } from '../../lib/foldName.ts'
import { getEffectiveSetting } from '../../platform/settings/values.ts'
import type { readRiskFacts } from './facts.ts'
import { findSharedTraits } from './referral.ts'

// Thresholds of the rules. Signals are advice: they refuse nothing.

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
/** This many amounts just under a limit within `UNDER_LIMIT_MS`, including this one, are several… */
export const SEVERAL_UNDER_LIMIT = 2
export const UNDER_LIMIT_MS = 7 * DAY_MS
/** …and an amount of at least this share of the limit is just under it. */
export const UNDER_LIMIT_SHARE = 0.8
/** A report of a lost factor that has ended counts for this long. */
export const LOST_FACTOR_MS = 30 * DAY_MS

export const RISK_KINDS = ['deposits', 'withdrawals', 'kyc', 'recoveries', 'payments', 'investors'] as const
export type RiskKind = (typeof RISK_KINDS)[number]

/** The facts of one case. Amounts in cents, times in epoch milliseconds. */
export type RiskFacts = RowOf<typeof readRiskFacts>

/** The case or person that a rule refers to, as SQL makes it with `json_object`. */
const linkedFact = z.object({
  kind: z.enum(RISK_LINKS),
  id: z.string(),
  text: z.string(),
  count: z.optional(z.number()),
  at: z.optional(z.number()),
  cents: z.optional(z.number()),
  paid: z.optional(z.number()),
  isCredited: z.optional(z.number()),
})
/** Several of them. */
const linkedFacts = z.array(linkedFact)

type Finding = Partial<Omit<RiskSignal, 'rule' | 'weight'>>
type Rule = (facts: RiskFacts, settings: StoredSettings) => Finding | null

const REQUESTS: readonly RiskKind[] = ['deposits', 'withdrawals']
const WITHDRAWALS: readonly RiskKind[] = ['withdrawals']
const RECOVERIES: readonly RiskKind[] = ['recoveries']
const MONEY: readonly RiskKind[] = [...REQUESTS, 'payments']

/** The kinds of case that each rule applies to, and its finding; null if there is none. */
export const RULES: Readonly<Record<RiskRule, readonly [kinds: readonly RiskKind[], Rule]>> = {
  account_locked: [RISK_KINDS, ({ isOpen, lockedAt }) => (isOpen === 1 ? findSince(lockedAt) : null)],
  account_frozen: [
    RISK_KINDS,
    // A lock freezes at the same moment, and is said by its own rule.
    ({ isOpen, frozenNowAt, lockedAt, frozenReason: note }) =>
      isOpen === 1 && frozenNowAt !== null && frozenNowAt !== lockedAt
        ? { ...findSince(frozenNowAt), ...(note !== null && { note }) }
        : null,
  ],
  silently_frozen: [RISK_KINDS, ({ isOpen, silentAt }) => (isOpen === 1 ? findSince(silentAt) : null)],
  screening: [RISK_KINDS, ({ sanctionsHit }) => findLinked(sanctionsHit)],
  listed_country: [
    RISK_KINDS,
    ({ country, bankCountry }, settings) => {
      const listed = (getEffectiveSetting(settings, 'risk.countries') as readonly string[]).map(
        findCountryCode,
      )
      const note = [country, bankCountry].find(
        (name) => name && listed.includes(findCountryCode(name) ?? name),
      )
      return note ? { note } : null
    },
  ],
  debt: [
    [...MONEY, 'investors'],
    ({ isOpen, owedCents }) => (isOpen === 1 && owedCents > 0 ? toAmount(owedCents) : null),
  ],
  shared_destination: [WITHDRAWALS, ({ destinationShared }) => findLinked(destinationShared)],
  withdrawal_after_report: [RECOVERIES, ({ withdrawnAfterReport }) => findLinked(withdrawnAfterReport)],
  lost_factor_open: [
    RISK_KINDS,
    ({ isOpen, lostFactorOpen }) => (isOpen === 1 ? findLinked(lostFactorOpen) : null),
  ],
  receipt_credited: [['deposits'], ({ receiptSentBefore }) => findReceipt(receiptSentBefore, 1)],
  same_receipt: [['deposits'], ({ receiptSentBefore }) => findReceipt(receiptSentBefore, 0)],
  same_document: [RISK_KINDS, ({ documentShared }) => findLinked(documentShared)],
  account_recovered: [RISK_KINDS, (facts) => findRecentChange(facts.recoveredAt, facts)],
  signed_in_after_report: [RECOVERIES, ({ signedInAfterReport }) => findLinked(signedInAfterReport)],
  identity_not_approved: [MONEY, ({ identityApprovedAt }) => (identityApprovedAt === null ? {} : null)],
  holder_differs: [
    WITHDRAWALS,
    ({ holderName, displayName, documentName }) =>
      holderName === null || isSamePerson(holderName, documentName ?? displayName) ? null : {},
  ],
  reference_used: [['deposits', 'payments'], ({ referenceUsed }) => findLinked(referenceUsed)],
  lost_factor_lately: [
    RISK_KINDS,
    ({ lostFactorEnded, filedAt, untilMs }) => {
      const found = findLinked(lostFactorEnded)
      const atMs = Date.parse(found?.since ?? '')
      return atMs > filedAt - LOST_FACTOR_MS && atMs <= untilMs ? found : null
    },
  ],
  invitee_of_own: [
    RISK_KINDS,
    ({ isOpen, invitedByOwn }) => (isOpen === 1 ? findLinked(invitedByOwn) : null),
  ],
  referral_shared: [RISK_KINDS, ({ referralTraits, investor }) => findSharedTraits(referralTraits, investor)],
  under_limit: [
    REQUESTS,
    ({ underLimitCount, underLimitCents, underLimitOthers }) => {
      if (underLimitCount < SEVERAL_UNDER_LIMIT) return null
      const [link = null, ...moreLinks] = parseStored(linkedFacts, underLimitOthers)
      return { count: underLimitCount, ...toAmount(underLimitCents), link, moreLinks }
    },
  ],
  second_factor_changed: [RISK_KINDS, (facts) => findRecentChange(facts.factorChangedAt, facts)],
  same_device: [RISK_KINDS, ({ deviceShared }) => findLinked(deviceShared)],
  in_and_out: [
    WITHDRAWALS,
    ({ creditedCents, creditedAt, amountCents }) =>
      creditedAt !== null && creditedCents >= amountCents * IN_AND_OUT_SHARE
        ? { ...findSince(creditedAt), ...toAmount(creditedCents) }
        : null,
  ],
  email_changed: [RISK_KINDS, (facts) => findRecentChange(facts.emailChangedAt, facts)],
  password_changed: [RISK_KINDS, (facts) => findRecentChange(facts.passwordChangedAt, facts)],
  name_changed: [RISK_KINDS, (facts) => findRecentChange(facts.nameChangedAt, facts)],
  new_device: [WITHDRAWALS, (facts) => (isNewDevice(facts) ? findSince(facts.deviceSeenAt) : null)],
  unusual_amount: [
    WITHDRAWALS,
    ({ paidBefore, paidMostCents, amountCents }) =>
      paidBefore >= USUAL_FROM && amountCents > paidMostCents * UNUSUAL_TIMES
        ? toAmount(paidMostCents)
        : null,
  ],
  several_in_a_day: [
    WITHDRAWALS,
    ({ dayCount, dayCents }) => (dayCount >= SEVERAL ? { count: dayCount, ...toAmount(dayCents) } : null),
  ],
  frozen_before: [
    RISK_KINDS,
    ({ isOpen, frozenNowAt, frozenAt, untilMs }) =>
      frozenAt !== null && frozenAt <= untilMs && (isOpen === 0 || frozenNowAt === null)
        ? findSince(frozenAt)
        : null,
  ],
  bonus_included: [
    WITHDRAWALS,
    // The remaining balance is less than the bonus, so part of the bonus leaves with this withdrawal.
    ({ isOpen, grantedCents, availableCents }) =>
      isOpen === 1 && grantedCents > 0 && availableCents < grantedCents ? toAmount(grantedCents) : null,
  ],
  new_destination: [
    WITHDRAWALS,
    ({ destinationUsedAt, destinationSavedAt }) =>
      destinationUsedAt === null ? (findSince(destinationSavedAt) ?? {}) : null,
  ],
  new_account: [
    [...MONEY, 'recoveries'],
    ({ accountOpenedAt, filedAt }) =>
      filedAt - accountOpenedAt < NEW_ACCOUNT_MS ? findSince(accountOpenedAt) : null,
  ],
  whole_balance: [
    WITHDRAWALS,
    ({ isOpen, amountCents, availableCents }) =>
      isOpen === 1 && amountCents >= (availableCents + amountCents) * WHOLE_SHARE
        ? toAmount(availableCents)
        : null,
  ],
  address_changed: [
    RISK_KINDS,
    // A new destination has its own rule.
    (facts) =>
      facts.addressChangedAt === facts.destinationSavedAt
        ? null
        : findRecentChange(facts.addressChangedAt, facts),
  ],
  on_hold: [
    WITHDRAWALS,
    ({ isOpen, heldUntil, untilMs }) =>
      isOpen === 1 && heldUntil !== null && heldUntil > untilMs ? findSince(heldUntil) : null,
  ],
  identity_new: [
    MONEY,
    // The identity of a new account is always new.
    ({ identityApprovedAt, accountOpenedAt, filedAt }) =>
      identityApprovedAt !== null &&
      filedAt - identityApprovedAt < NEW_IDENTITY_MS &&
      filedAt - accountOpenedAt >= NEW_ACCOUNT_MS
        ? findSince(identityApprovedAt)
        : null,
  ],
  first_withdrawal: [WITHDRAWALS, ({ paidBefore }) => (paidBefore === 0 ? {} : null)],
  first_deposit: [['deposits'], ({ creditedBefore }) => (creditedBefore === 0 ? {} : null)],
}

/** The risk of a case under these settings. A rule with a weight of 0 finds nothing. */
export function deriveRisk(kind: RiskKind, facts: RiskFacts, settings = parseRiskSettings(facts)): Risk {
  const signals = RISK_RULE_NAMES.flatMap((rule) => {
    const [kinds, find] = RULES[rule]
    const weight = Number(getEffectiveSetting(settings, `risk.${rule}`))
    const found = weight > 0 && kinds.includes(kind) ? find(facts, settings) : null
    return found === null ? [] : [{ rule, weight, link: null, ...found }]
  }).toSorted((firstSignal, secondSignal) => secondSignal.weight - firstSignal.weight)
  const score = signals.reduce((sum, { weight }) => sum + weight, 0)
  const isAtLeast = (level: 'highFrom' | 'mediumFrom') =>
    score >= Number(getEffectiveSetting(settings, `risk.${level}`))
  return {
    score,
    level: isAtLeast('highFrom') ? 'high' : isAtLeast('mediumFrom') ? 'medium' : 'low',
    signals,
  }
}

/** The risk of each of these cases by its id, or its investor's. */
export function deriveRisks(
  judged: Readonly<Partial<Record<RiskKind, readonly RiskFacts[]>>>,
): ReadonlyMap<string, Risk> {
  return new Map(
    RISK_KINDS.flatMap((kind) =>
      (judged[kind] ?? []).map((facts) => [facts.id, deriveRisk(kind, facts)] as const),
    ),
  )
}

function parseRiskSettings({ settings }: RiskFacts): StoredSettings {
  // Only `storeSetting` writes them, with values that passed the contract's schema.
  return settings === null ? {} : { risk: JSON.parse(settings) }
}

function findSince(at: number | null) {
  return at === null ? null : { since: toIso(at) }
}

function toAmount(cents: number) {
  return { amount: toUsd(cents) }
}

function findLinked(json: string | null): (Finding & { link: { kind: RiskLinkKind } }) | null {
  if (json === null) return null
  const { count, at, cents, paid = 0, isCredited: _, ...link } = parseStored(linkedFact, json)
  return {
    link,
    ...(count !== undefined && { count }),
    ...(at !== undefined && { since: toIso(at) }),
    ...(cents !== undefined && toAmount(cents)),
    ...(paid > 0 && { note: `${formatCents(paid)} of it is paid` }),
  }
}

/** The other deposits with the same receipt. Null unless `isCredited` says whether one of them was credited. */
function findReceipt(json: string | null, isCredited: 0 | 1) {
  return json !== null && parseStored(linkedFact, json).isCredited === isCredited ? findLinked(json) : null
}

/** Reports a change made shortly before the case was filed, or since. */
function findRecentChange(at: number | null, { filedAt, untilMs }: RiskFacts) {
  return at !== null && at > filedAt - CHANGED_WITHIN_MS && at <= untilMs ? findSince(at) : null
}

/** Reports a browser first seen shortly before the request, unless the account is as new. */
function isNewDevice({ deviceSeenAt, filedAt, accountOpenedAt }: RiskFacts): boolean {
  return (
    deviceSeenAt !== null && deviceSeenAt > filedAt - NEW_DEVICE_MS && deviceSeenAt > accountOpenedAt + DAY_MS
  )
}
