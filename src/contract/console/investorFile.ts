import * as z from 'zod/mini'
import { filter, formatQuery, isoTime, page, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { activityRow } from '../identity/activity.ts'
import { KYC_STATUSES, kycRecord } from '../identity/kyc.ts'
import { ledgerEntry } from '../money/statements.ts'
import { REQUEST_STATUSES, TRX_TYPES, transaction } from '../money/transactions.ts'
import { investorNote } from './investors.ts'

/** The audit action of viewing a part of an investor's file. Recorded once an hour for all parts together. */
const VIEWED = 'investor.viewed'

/** The ledger accounts behind an investor's figures. */
export const BOOK_ACCOUNTS = ['available', 'held', 'paid_in', 'granted', 'paid_out', 'owed'] as const
export type BookAccount = (typeof BOOK_ACCOUNTS)[number]

const operatorEntry = z.extend(ledgerEntry, {
  /** The accounts that the amount moved between. */
  from: z.string(),
  to: z.string(),
  /** The cause and its id: a request, an order for a strategy, a proposal by two operators, or a referral bonus. */
  cause: z.enum(['deposit', 'withdrawal', 'order', 'proposal', 'referral']),
  causeId: z.string(),
  /** The reason of a proposal. */
  reason: z.nullable(z.string()),
  /** The operator's or investor's name, or null for the system. */
  by: z.nullable(z.string()),
})
export type OperatorEntry = z.output<typeof operatorEntry>

export const listInvestorEntries = endpoint(
  'GET',
  '/operator/investors/:id/entries',
  'operator:investors.money',
  {
    summary:
      'An investor’s ledger entries with their causes, newest first. `account` selects one of their accounts. `format=csv` returns all matching entries as a file, oldest first. This is recorded',
    query: z.object({
      ...page,
      account: filter('account', BOOK_ACCOUNTS),
      format: formatQuery,
    }),
    answer: z.array(operatorEntry),
    audit: [VIEWED, 'investor.entries_exported'],
  },
)

export const listInvestorRequests = endpoint(
  'GET',
  '/operator/investors/:id/requests',
  'operator:investors.money',
  {
    summary: 'An investor’s deposits and withdrawals as the investor sees them, newest first',
    query: z.object({
      ...page,
      kind: filter('kind', TRX_TYPES),
      status: filter('status', REQUEST_STATUSES),
    }),
    answer: z.array(transaction),
    audit: [VIEWED],
  },
)

const investorDocument = z.extend(kycRecord, {
  ref: z.string(),
  status: z.enum(KYC_STATUSES),
  decidedAt: z.nullable(isoTime),
  decidedBy: z.nullable(z.string()),
})
export type InvestorDocument = z.output<typeof investorDocument>

export const listInvestorDocuments = endpoint(
  'GET',
  '/operator/investors/:id/documents',
  'operator:kyc.read',
  {
    summary:
      'An investor’s identity documents, newest first, with every view by a reviewer, but without the pictures',
    query: pageQuery,
    answer: z.array(investorDocument),
    audit: [VIEWED],
  },
)

const operatorSession = z.object({
  _id: z.string(),
  createdAt: isoTime,
  lastSeenAt: isoTime,
  /** When it was ended, or its latest possible use. */
  endedAt: isoTime,
  isLive: z.boolean(),
  /** A withdrawal was confirmed from this device. */
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
    summary: 'An investor’s sessions, newest first, including ended ones that are still stored',
    query: pageQuery,
    answer: z.array(operatorSession),
    audit: [VIEWED],
  },
)

export const listInvestorActivity = endpoint(
  'GET',
  '/operator/investors/:id/activity',
  'operator:investors.read',
  {
    summary:
      'Events of an investor’s account in the last 90 days, newest first. Empty if the activity log is off',
    query: pageQuery,
    answer: z.array(activityRow),
    audit: [VIEWED],
  },
)

export const listInvestorNotes = endpoint('GET', '/operator/investors/:id/notes', 'operator:investors.read', {
  summary: 'Operators’ notes about an investor, newest first',
  query: pageQuery,
  answer: z.array(investorNote),
  audit: [VIEWED],
})

const shownNotification = z.object({
  title: z.string(),
  content: z.string(),
  persistent: z.boolean(),
  seen: z.boolean(),
  at: isoTime,
})
const receivedMessages = z.object({
  /** The current one. A new one replaces it. */
  notification: z.nullable(shownNotification),
  /** When and by whom notifications were sent: the newest hundred. */
  sent: z.array(z.object({ at: isoTime, by: z.string(), persistent: z.boolean() })),
  /** The newest hundred mails, without bodies. */
  mails: z.array(
    z.object({ _id: z.string(), at: isoTime, subject: z.string(), deliveredAt: z.nullable(isoTime) }),
  ),
})
export type ReceivedMessages = z.output<typeof receivedMessages>

export const getReceivedMessages = endpoint(
  'GET',
  '/operator/investors/:id/notifications',
  'operator:investors.read',
  {
    summary:
      'What an investor received: the current notification, the dates of earlier ones, and subjects of mails',
    answer: receivedMessages,
    audit: [VIEWED],
  },
)
