import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalLines } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { COINS, NETWORKS } from '../money/coins.ts'
import { CHAINS } from '../money/payments.ts'
import { TRX_TYPES } from '../money/transactions.ts'
import { ANNOUNCEMENT_TOPICS } from '../outreach/announcements.ts'
import { ROLES } from '../roles.ts'
import {
  assignedFilter,
  filtersInOrder,
  investorBrief,
  personFilters,
  queuePage,
  reasonBody,
  stepsField,
  workFields,
} from './cases.ts'
import { riskField, riskQuery, riskReasonField } from './risk.ts'
import { proposedTreasuryAct } from './treasuryActs.ts'
import { proposedVenueAct } from './venue.ts'

/** How a reviewer unlocks their key: a passphrase, or a passkey. */
export const KEY_METHODS = ['passphrase', 'passkey'] as const

export const OPERATOR_ACTIONS = ['invite', 'roles', 'enable', 'reset_factor'] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

/** Kinds proposed through this endpoint. Reviewer keys, factor recoveries and retirements of watch-only wallets have their own. */
const PROPOSAL_KINDS = [
  'bonus',
  'wallet',
  'settings',
  'reversal',
  'announcement',
  'service_notice',
  'operator',
  'strategy',
  'watch_wallet',
  'venue',
  'payout_resumption',
  'identity_reopening',
  'month_close',
  'key_holders',
] as const

export const STRATEGY_ACTIONS = ['resume', 'stop'] as const
export type StrategyAction = (typeof STRATEGY_ACTIONS)[number]

export const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected'] as const

/** The effect of a reversal on one account if it is approved now. Amounts in USD. */
const reversalEffect = z.object({
  /** `bonus`: the referral bonus that the reversed deposit earned another investor is taken back. */
  kind: z.enum(['credit', 'payout', 'bonus']),
  investor: investorBrief,
  /** The amount taken back; for a payout, the amount that comes back. */
  amount: z.number(),
  /** The part of it that the available balance gives, or for a payout gets. */
  balance: z.number(),
  /** The investor's debt afterwards. */
  debt: z.number(),
  /** The part of a new debt that orders already filed will bring back. */
  orders: z.number(),
  /** The redemptions that are filed for the rest of it, at the newest prices. */
  redemptions: z.array(
    z.object({
      strategy: z.object({ _id: z.string(), name: z.string() }),
      amount: z.number(),
      isWhole: z.boolean(),
    }),
  ),
})
export type ReversalEffect = z.output<typeof reversalEffect>

export const proposedWallet = z.object({
  walletName: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
})

/** A mail to everyone subscribed to its topic, or a service notice to every investor. */
export const proposedAnnouncement = z.object({
  topic: z.enum(ANNOUNCEMENT_TOPICS),
  subject: z.string(),
  text: z.string(),
})

/** A watch-only wallet, and the message that its keys signed. */
export const proposedWatchWallet = z.object({
  chain: z.enum(CHAINS),
  descriptor: z.string(),
  message: z.string(),
  signatures: z.array(z.string()),
})

/** The watch-only wallet to retire. */
export const proposedRetirement = z.object({
  wallet: z.string(),
  chain: z.enum(CHAINS),
  descriptor: z.string(),
})

/** Who holds each key of a watch-only wallet, in the order of the keys. */
const proposedKeyHolders = z.object({
  wallet: z.string(),
  chain: z.enum(CHAINS),
  keys: z.array(
    z.object({
      /** The fingerprint of its master key, or the address with which it signs. */
      keyName: z.string(),
      holder: z.nullable(z.object({ _id: z.string(), name: z.string() })),
    }),
  ),
})

export const proposal = z.object({
  _id: z.string(),
  kind: z.enum([...PROPOSAL_KINDS, 'reviewer_key', 'factor_recovery', 'watch_wallet_retirement', 'treasury']),
  status: z.enum(PROPOSAL_STATUSES),
  createdAt: isoTime,
  proposedBy: z.object({ _id: z.string(), name: z.string() }),
  steps: stepsField,
  reason: z.nullable(z.string()),
  rejection: z.nullable(z.string()),
  investor: z.optional(investorBrief),
  amount: z.optional(z.number()),
  request: z.optional(
    z.object({
      _id: z.string(),
      ref: z.string(),
      trxType: z.enum(TRX_TYPES),
      amount: z.number(),
      investor: investorBrief,
    }),
  ),
  /** Only for a single pending reversal: whose books it changes, and how. */
  effects: z.optional(z.array(reversalEffect)),
  /** Only for a single pending statement: the books of its place at its time, and the statement less the books. */
  comparison: z.optional(z.object({ books: z.string(), difference: z.string() })),
  wallet: z.optional(z.extend(proposedWallet, { simulated: z.boolean() })),
  settings: z.optional(z.looseObject({})),
  /** The changes as text. `before` is the current value, after the decision the value at the time of the proposal. */
  changes: z.optional(
    z.array(
      z.object({
        setting: z.string(),
        label: z.string(),
        before: z.string(),
        after: z.string(),
      }),
    ),
  ),
  announcement: z.optional(proposedAnnouncement),
  /** Only for a single approved announcement or service notice: how many mails were written, and when the last one was. */
  sending: z.optional(z.object({ mails: z.number(), finishedAt: z.nullable(isoTime) })),
  /** The invited or changed operator; null if the invitation ended unused and was deleted. */
  operator: z.optional(
    z.object({
      action: z.enum(OPERATOR_ACTIONS),
      _id: z.nullable(z.string()),
      name: z.nullable(z.string()),
      email: z.nullable(z.string()),
      roles: z.optional(z.array(z.enum(ROLES))),
    }),
  ),
  /** The suspended strategy to resume or stop for good. */
  strategy: z.optional(z.object({ _id: z.string(), name: z.string(), action: z.enum(STRATEGY_ACTIONS) })),
  /** The change to trading at the exchange. */
  venue: z.optional(proposedVenueAct),
  watchWallet: z.optional(
    z.extend(proposedWatchWallet, {
      /** What may keep hardware from signing payouts of this wallet. */
      warnings: z.array(z.string()),
    }),
  ),
  retired: z.optional(proposedRetirement),
  keyHolders: z.optional(proposedKeyHolders),
  treasury: z.optional(proposedTreasuryAct),
  month: z.optional(z.object({ month: z.string(), hash: z.string() })),
  ...workFields,
  /** Only for a single pending removal of a lost second factor: its case, the phone number on file (or an empty text) and the approved document. */
  recovery: z.optional(
    z.object({
      _id: z.string(),
      phone: z.string(),
      document: z.nullable(z.object({ _id: z.string(), ref: z.string() })),
    }),
  ),
  /** Of a pending one about an investor: the risk of the account, and for a lost second factor that of its report. */
  risk: riskField,
  /** The proposer's key. */
  reviewerKey: z.optional(
    z.object({
      _id: z.string(),
      recipient: z.string(),
      fingerprint: z.string(),
      method: z.enum(KEY_METHODS),
    }),
  ),
})

export type Proposal = z.output<typeof proposal>

/** The kinds whose approval gives an investor something. At a high risk it takes a reason. */
export const KINDS_FOR_INVESTORS: ReadonlySet<Proposal['kind']> = new Set([
  'bonus',
  'factor_recovery',
  'identity_reopening',
])

export const PROPOSAL_LABELS: Record<Proposal['kind'], string> = {
  bonus: 'Bonus',
  wallet: 'Receiving wallet',
  settings: 'Settings',
  reversal: 'Reversal',
  reviewer_key: 'Document key',
  announcement: 'Announcement',
  service_notice: 'Service notice',
  operator: 'Operator',
  strategy: 'Strategy',
  factor_recovery: 'Lost second factor',
  watch_wallet: 'Watch-only wallet',
  venue: 'Exchange',
  watch_wallet_retirement: 'Retirement of a watch-only wallet',
  payout_resumption: 'Resuming payouts',
  identity_reopening: 'Another identity document',
  treasury: 'Treasury',
  month_close: 'Closing of a month',
  key_holders: 'Key holders of a watch-only wallet',
}

export const getProposal = endpoint('GET', '/operator/proposals/:id', 'operator:proposals.read', {
  summary:
    'One proposal. A pending reversal also says what it would change, a pending statement how it differs from the books, and the pending removal of a lost second factor its case',
  answer: proposal,
})

export const approveProposal = endpoint(
  'POST',
  '/operator/proposals/:id/approve',
  'operator:proposals.decide',
  {
    summary:
      'Approve another operator’s proposal. It takes effect at once. A bonus, the removal of a lost second factor and another identity document take `riskReason` at a high risk. For a lost second factor, the caller has opened the approved identity document since the request was filed, if there is one',
    /** With what the second reviewer of a lost second factor checked themselves, which is required for one. */
    body: z.optional(z.object({ reason: optionalLines(500), riskReason: riskReasonField, ...factorFields })),
    answer: proposal,
    idempotent: true,
    asksFactor: true,
    refusals: [
      'account_frozen',
      'already_decided',
      'case_assigned',
      ...FACTOR_REFUSALS,
      'second_operator_required',
      'document_not_opened',
      'conflict',
      'daily_credit_ceiling',
      'last_administrator',
      'reason_required',
    ],
    audit: ['proposal.approved', 'risk.accepted'],
  },
)

export const rejectProposal = endpoint(
  'POST',
  '/operator/proposals/:id/reject',
  'operator:proposals.decide',
  {
    summary: 'Reject a proposal with a reason',
    body: reasonBody,
    answer: proposal,
    idempotent: true,
    refusals: ['already_decided', 'case_assigned'],
    audit: ['proposal.rejected'],
  },
)

export const listProposals = endpoint('GET', '/operator/proposals', 'operator:proposals.read', {
  summary:
    'Proposals, newest first, or oldest first with `order=oldest`. `status=waiting` selects the pending ones without removals of second factors, which are decided in their case. `risk` and `order=risk` look at the oldest pending ones. `query` is a part of a name or e-mail address in the proposal, or the reference of the request to reverse. `assigned` selects the caller’s own, or unassigned ones. `format=csv` returns all matching ones as a file',
  query: z
    .object({
      ...queuePage,
      ...personFilters,
      status: filter('status', [...PROPOSAL_STATUSES, 'waiting']),
      assigned: assignedFilter,
      ...riskQuery,
    })
    .check(filtersInOrder),
  answer: z.array(proposal),
  audit: ['proposals.exported'],
  findsPeopleBy: 'query',
})
