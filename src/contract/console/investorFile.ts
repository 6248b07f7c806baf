import * as z from 'zod/mini'
import { filter, formatQuery, isoTime, page, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { activityRow } from '../identity/activity.ts'
import { KYC_STATUSES, kycRecord } from '../identity/kyc.ts'
import { ledgerEntry } from '../money/statements.ts'
import { REQUEST_STATUSES, TRX_TYPES, transaction } from '../money/transactions.ts'
import { investorNote } from './investors.ts'

/** The parts of an investor's file, each fetched when it is opened. That an operator looked is recorded, once an hour for all of them. */
const LOOKED = 'investor.viewed'

/** The accounts of the books that an investor's figures are the balances of. */
export const BOOK_ACCOUNTS = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'owed'] as const
export type BookAccount = (typeof BOOK_ACCOUNTS)[number]

const operatorEntry = z.extend(ledgerEntry, {
  /** The accounts that the amount left and came to. */
  from: z.string(),
  to: z.string(),
  /** What caused it, and its id: a request, a proposal of two operators, or a bonus for somebody invited. */
  cause: z.enum(['deposit', 'withdrawal', 'proposal', 'referral']),
  causeId: z.string(),
  /** Why, where two operators decided it. */
  reason: z.nullable(z.string()),
  /** Who posted it: an operator's or the investor's name, or null for the system. */
  by: z.nullable(z.string()),
})
export type OperatorEntry = z.output<typeof operatorEntry>

export const listInvestorEntries = endpoint(
  'GET',
  '/operator/investors/:id/entries',
  'operator:investors.read',
  {
    summary:
      'An investor’s ledger entries, newest first, with what caused each; `account` is one of their accounts, `format=csv` is all of it as a file, oldest first, which is recorded',
    query: z.object({
      ...page,
      account: filter('account', BOOK_ACCOUNTS),
      format: formatQuery,
    }),
    answer: z.array(operatorEntry),
    audit: [LOOKED, 'investor.entries_exported'],
  },
)

export const listInvestorRequests = endpoint(
  'GET',
  '/operator/investors/:id/requests',
  'operator:investors.read',
  {
    summary: 'An investor’s deposits and withdrawals as the investor sees them, newest first',
    query: z.object({
      ...page,
      kind: filter('kind', TRX_TYPES),
      status: filter('status', REQUEST_STATUSES),
    }),
    answer: z.array(transaction),
    audit: [LOOKED],
  },
)

const operatorRecord = z.extend(kycRecord, {
  ref: z.string(),
  status: z.enum(KYC_STATUSES),
  decidedAt: z.nullable(isoTime),
  decidedBy: z.nullable(z.string()),
})
export type OperatorRecord = z.output<typeof operatorRecord>

export const listInvestorDocuments = endpoint(
  'GET',
  '/operator/investors/:id/documents',
  'operator:investors.read',
  {
    summary:
      'An investor’s identity documents, newest first, with who looked at each and when; the pictures are elsewhere',
    query: pageQuery,
    answer: z.array(operatorRecord),
    audit: [LOOKED],
  },
)

const operatorSession = z.object({
  _id: z.string(),
  createdAt: isoTime,
  lastSeenAt: isoTime,
  /** Until when it was used at the longest, or when it was ended. */
  endedAt: isoTime,
  isLive: z.boolean(),
  /** A withdrawal was confirmed from it. */
  isKnown: z.boolean(),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type OperatorSession = z.output<typeof operatorSession>

export const listInvestorSessions = endpoint(
  'GET',
  '/operator/investors/:id/sessions',
  'operator:investors.read',
  {
    summary: 'An investor’s sessions, newest first, ended ones as long as they are kept',
    query: pageQuery,
    answer: z.array(operatorSession),
    audit: [LOOKED],
  },
)

export const listInvestorActivity = endpoint(
  'GET',
  '/operator/investors/:id/activity',
  'operator:investors.read',
  {
    summary:
      'What happened with an investor’s account in the last 90 days, newest first; nothing where they keep no log',
    query: pageQuery,
    answer: z.array(activityRow),
    audit: [LOOKED],
  },
)

export const listInvestorNotes = endpoint('GET', '/operator/investors/:id/notes', 'operator:investors.read', {
  summary: 'What operators noted about an investor, newest first',
  query: pageQuery,
  answer: z.array(investorNote),
  audit: [LOOKED],
})

const shownNotification = z.object({
  title: z.string(),
  content: z.string(),
  persistent: z.boolean(),
  seen: z.boolean(),
  at: isoTime,
})
const told = z.object({
  /** The one that stands; earlier ones made room for it. */
  notification: z.nullable(shownNotification),
  /** When a notification was shown, and by whom: the newest hundred. */
  sent: z.array(z.object({ at: isoTime, by: z.string(), persistent: z.boolean() })),
  /** The newest hundred mails, without their texts. */
  mails: z.array(
    z.object({ _id: z.string(), at: isoTime, subject: z.string(), deliveredAt: z.nullable(isoTime) }),
  ),
})
export type Told = z.output<typeof told>

export const getInvestorTold = endpoint('GET', '/operator/investors/:id/told', 'operator:investors.read', {
  summary:
    'What an investor was told: the notification that stands, when there were others, and subjects of mails',
  answer: told,
  audit: [LOOKED],
})
