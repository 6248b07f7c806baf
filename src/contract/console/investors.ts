import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines, requiredText } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { KYC_STATUSES } from '../identity/kyc.ts'
import { filtersInOrder, noBody, personFilters, queuePage, REASON, reasonBody } from './cases.ts'
import { risk, riskField, riskQuery } from './risk.ts'

/** `frozen` by an operator, `locked` by the owner, `unlocking`: an owner asks to unlock it, `reported`: a report of a lost second factor is open. */
const ACCOUNT_FILTERS = ['active', 'frozen', 'locked', 'unlocking', 'reported', 'closed'] as const
export const IDENTITY_STATUSES = ['none', ...KYC_STATUSES] as const

export const operatorInvestor = z.object({
  _id: z.string(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  createdAt: isoTime,
  emailVerified: z.boolean(),
  kyc: z.enum(IDENTITY_STATUSES),
  frozen: z.boolean(),
  frozenReason: z.nullable(z.string()),
  /** When its owner locked it by mail link. Unlocking takes two operators. */
  lockedAt: z.nullable(isoTime),
  /** The first of the two approvals of an unlock. */
  firstUnlock: z.optional(
    z.object({ by: z.string(), byId: z.string(), at: isoTime, reason: z.nullable(z.string()) }),
  ),
  awaiting: z.optional(z.literal('second_operator')),
  closedAt: z.nullable(isoTime),
  /** Since when the investor has withdrawals paid only to saved destinations. Only they can end it. */
  savedDestinationsSince: z.optional(isoTime),
  /** A silent freeze blocks decisions on the account. The person is not told, nor is support. */
  isReserved: z.optional(z.literal(true)),
  /** Only for operators with the role of the settings, compliance and auditors. */
  silentFreeze: z.optional(z.object({ at: isoTime, by: z.string(), reason: z.string() })),
  balances: z.optional(
    z.object({
      available: z.number(),
      deposits: z.number(),
      withdrawals: z.number(),
      bonus: z.number(),
      profits: z.number(),
      pendingDeposits: z.number(),
      pendingWithdrawals: z.number(),
      totalBalance: z.number(),
      owed: z.number(),
    }),
  ),
})

export type OperatorInvestor = z.output<typeof operatorInvestor>

const { person: _, ...investorFilters } = personFilters

/** A row of the list. Support gets it without figures, risk and report. */
const listedInvestor = z.extend(operatorInvestor, {
  /** USD. */
  totalBalance: z.optional(z.number()),
  /** Of the last month; otherwise null. */
  lastSignInAt: z.nullable(isoTime),
  /** A report of a lost second factor is open. */
  isReported: z.optional(z.literal(true)),
  risk: riskField,
})
export type ListedInvestor = z.output<typeof listedInvestor>

export const listInvestors = endpoint('GET', '/operator/investors', 'operator:investors.read', {
  summary:
    'Investors, newest first. `query` is the beginning of a name, one of its words, an e-mail address, a phone number or a reference, or a complete id, including a transaction’s. If none or too many match, or with `anywhere`, the newest 10,000 accounts are also searched for any part of name, address and number. `account` is active, frozen, locked, unlocking (its owner asks to unlock it), reported (a lost second factor) or closed. `kyc` is the identity status. `order` is newest, oldest, balance or active (the last sign-in) among the newest 10,000 that match, or risk. Risk is the highest of the account and its open cases. It judges accounts with a freeze, a lock, a report, a debt or a pending request, and the newest 200. Support gets no figures and no file',
  query: z
    .object({
      ...queuePage,
      ...investorFilters,
      ...riskQuery,
      order: filter(
        'order',
        ['newest', 'oldest', 'risk', 'balance', 'active'],
        'order is newest, oldest, risk, balance or active',
      ),
      anywhere: z.optional(z.enum(['true', 'false', ''], { error: 'anywhere is true or false' })),
      account: filter('account', ACCOUNT_FILTERS),
      kyc: filter('kyc', IDENTITY_STATUSES),
    })
    .check(filtersInOrder),
  answer: z.array(listedInvestor),
  findsPeopleBy: 'query',
  audit: ['investors.exported'],
})

export const getInvestor = endpoint('GET', '/operator/investors/:id', 'operator:investors.read', {
  summary: 'One investor with their figures. Views are recorded, at most once an hour',
  answer: operatorInvestor,
  audit: ['investor.viewed'],
})

/** Former requests and notes are counted up to here. */
export const SUMMARY_COUNT_LIMIT = 100

const former = z.object({
  /** Credited or paid requests. */
  done: z.number(),
  /** Their sum in USD, without reversed ones. */
  amount: z.number(),
  rejected: z.number(),
})

/**
 * An operator's note. Never shown to the investor. An ordinary one is part of their data export, without its author; a
 * confidential one is not.
 */
export const investorNote = z.object({
  _id: z.string(),
  at: isoTime,
  by: z.string(),
  text: z.string(),
  confidential: z.optional(z.literal(true)),
})
export type InvestorNote = z.output<typeof investorNote>

export const LONGEST_NOTE = 2000

/** This many of the newest notes are in a summary. */
export const LATEST_NOTES = 3

export const investorSummary = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: isoTime,
  closedAt: z.nullable(isoTime),
  kyc: z.enum(['none', ...KYC_STATUSES]),
  kycDecidedAt: z.nullable(isoTime),
  /** As the investor gave it. */
  country: z.string(),
  /** On the identity document, as a reviewer read it; null if it was not recorded. */
  bornOn: z.nullable(z.string()),
  /** Identity documents that were sent, up to the limit, and the newest decision about one; null if none was decided. */
  identityAttempts: z.object({
    count: z.number(),
    last: z.nullable(z.object({ status: z.enum(KYC_STATUSES), reason: z.nullable(z.string()), at: isoTime })),
  }),
  /** Their cases that wait for operators: the newest ten of each kind. A report of a lost second factor has no reference. */
  open: z.array(
    z.object({
      kind: z.enum(['deposit', 'withdrawal', 'kyc', 'message', 'recovery']),
      _id: z.string(),
      ref: z.string(),
      createdAt: isoTime,
      /** USD; null for a case without an amount. */
      amount: z.nullable(z.number()),
      /** A message has none. */
      risk: riskField,
    }),
  ),
  secondFactor: z.enum(['none', 'app', 'passkey', 'both']),
  available: z.number(),
  totalBalance: z.number(),
  bonus: z.number(),
  owed: z.number(),
  deposits: former,
  withdrawals: former,
  lastSignInAt: z.nullable(isoTime),
  /** The number of operators' notes, and the newest of them. */
  notes: z.number(),
  latestNotes: z.array(investorNote),
  /** The last day of the approved identity document; null if none was recorded. */
  documentExpiresOn: z.nullable(z.string()),
  /** Of the account as it is now, whatever it files. */
  risk,
  frozenAt: z.nullable(isoTime),
  frozenReason: z.nullable(z.string()),
  /** A silent freeze blocks decisions. Only some operators may know why: see `investors/:id`. */
  reserved: z.optional(z.enum(['silent_freeze', 'role'])),
})

export type InvestorSummary = z.output<typeof investorSummary>

export const getInvestorSummary = endpoint(
  'GET',
  '/operator/investors/:id/known',
  'operator:investors.money',
  {
    summary: `A summary of an investor, shown beside each of their cases. Earlier requests and notes are counted up to ${SUMMARY_COUNT_LIMIT}`,
    answer: investorSummary,
  },
)

export const freezeInvestor = endpoint(
  'POST',
  '/operator/investors/:id/freeze',
  'operator:investors.freeze',
  {
    summary: 'Freeze an account: it can be read, but no money moves',
    body: reasonBody,
    answer: operatorInvestor,
    idempotent: true,
    audit: ['investor.frozen'],
  },
)

export const freezeSilently = endpoint(
  'POST',
  '/operator/investors/:id/silent-freeze',
  'operator:investors.confidential',
  {
    summary:
      'Begin or renew a silent freeze: the person sees and files everything as usual, and nothing is decided. Takes the role that the settings name',
    body: z.object({ reason: requiredLines(REASON, LONGEST_NOTE) }),
    answer: operatorInvestor,
    idempotent: true,
    refusals: ['conflict'],
    audit: ['investor.silently_frozen', 'investor.silent_freeze_renewed'],
  },
)

export const endSilentFreeze = endpoint(
  'POST',
  '/operator/investors/:id/silent-freeze/end',
  'operator:investors.confidential',
  {
    summary: 'End a silent freeze. Takes the role that the settings name',
    body: noBody,
    answer: operatorInvestor,
    idempotent: true,
    refusals: ['already_decided', 'conflict'],
    audit: ['investor.silent_freeze_ended'],
  },
)

export const unfreezeInvestor = endpoint(
  'POST',
  '/operator/investors/:id/unfreeze',
  'operator:investors.write',
  {
    summary:
      'Unfreeze an account, with the reason. An account locked by its owner takes two operators: 202 until the second one approves',
    statusAwaiting: 202,
    body: z.extend(reasonBody, factorFields),
    answer: operatorInvestor,
    idempotent: true,
    asksFactor: true,
    refusals: [...FACTOR_REFUSALS, 'second_operator_required', 'conflict'],
    audit: ['investor.unfrozen', 'investor.unlock_first'],
  },
)

export const endInvestorSessions = endpoint(
  'POST',
  '/operator/investors/:id/end-sessions',
  'operator:investors.write',
  {
    summary: 'End every session of an investor and notify them by mail',
    body: noBody,
    answer: operatorInvestor,
    idempotent: true,
    audit: ['investor.sessions_ended'],
  },
)

const flag = (fallback: boolean, problem: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.boolean(), z.enum(['true', 'false'])], { error: problem }))),
    z.transform((value) =>
      value === undefined || value === null ? fallback : value === true || value === 'true',
    ),
  )

const notification = {
  title: requiredText('Please give a title', 200),
  content: requiredLines('Please give the content', 16_384),
}

export const notifyInvestor = endpoint(
  'POST',
  '/operator/investors/:id/notification',
  'operator:investors.contact',
  {
    summary: 'Show an investor a notification. Its HTML is sanitised on arrival',
    status: 201,
    body: z.object({
      ...notification,
      persistent: flag(false, 'persistent is true or false'),
    }),
    answer: operatorInvestor,
    idempotent: true,
    refusals: ['too_many_notifications'],
    audit: ['investor.notified'],
  },
)

export const previewNotification = endpoint(
  'POST',
  '/operator/notifications/preview',
  'operator:investors.contact',
  {
    summary: 'Preview the sanitised HTML of a notification. Nothing is stored',
    body: z.object({ content: notification.content }),
    answer: z.object({ content: z.string(), bytes: z.number() }),
    isQuery: true,
  },
)

export const addInvestorNote = endpoint('POST', '/operator/investors/:id/notes', 'operator:investors.note', {
  summary:
    'Add a note about an investor, for other operators. A confidential one takes compliance or the role that the settings name, which read it too',
  status: 201,
  body: z.object({
    text: requiredLines('Please write the note', LONGEST_NOTE),
    confidential: z.optional(z.boolean({ error: 'confidential is true or false' })),
  }),
  answer: investorNote,
  idempotent: true,
  refusals: ['conflict'],
  audit: ['investor.noted', 'investor.noted_confidentially'],
})
