import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { amountField, emailField, optionalText, requiredText } from '../fields.ts'
import { FACTOR_REFUSALS, factorBody, factorFields } from '../identity/factors.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'
import { COINS, NETWORKS } from '../money/coins.ts'
import { CHAINS } from '../money/payments.ts'
import { TRX_TYPES } from '../money/transactions.ts'
import { ROLES } from '../roles.ts'
import { investorBrief, queuePage, REASON, reasonBody } from './cases.ts'
import { guardedSettings } from './settingRules.ts'
import { proposedVenueAct, venueProposal } from './venue.ts'
import { publicKeyField, watchChain, withoutPrivateKey } from './watchFields.ts'

/** How a reviewer unlocks their key: a passphrase, or a passkey. */
export const KEY_METHODS = ['passphrase', 'passkey'] as const

export const OPERATOR_ACTIONS = ['invite', 'roles', 'enable', 'reset_factor'] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

const ROLES_PROBLEM = 'Please choose at least one role of reviewer, treasurer, administrator, auditor'

/** At least one role; without duplicates, in the order of `ROLES`. */
const rolesField = z.pipe(
  z
    .array(z.enum(ROLES, { error: ROLES_PROBLEM }), { error: ROLES_PROBLEM })
    .check(z.minLength(1, ROLES_PROBLEM), z.maxLength(20, ROLES_PROBLEM)),
  z.transform((chosen) => ROLES.filter((role) => chosen.includes(role))),
)

const whom = { operator: requiredText('Please name the operator', 100) }
const why = { reason: requiredText(REASON, 500) }

export const invitationFields = {
  email: emailField(),
  name: requiredText('Please give the name', 100),
  roles: rolesField,
  reason: optionalText(500),
}
export const rolesFields = { roles: rolesField, ...why }

const KIND = { kind: z.literal('operator'), ...factorFields }

export const operatorProposal = z.discriminatedUnion(
  'action',
  [
    z.object({ ...KIND, action: z.literal('invite'), ...invitationFields }),
    z.object({ ...KIND, action: z.literal('roles'), ...whom, ...rolesFields }),
    z.object({ ...KIND, action: z.literal('enable'), ...whom, ...why }),
    z.object({ ...KIND, action: z.literal('reset_factor'), ...whom, ...why }),
  ],
  { error: 'action is one of invite, roles, enable, reset_factor' },
)
export type OperatorProposal = z.output<typeof operatorProposal>

/** Kinds proposed through this endpoint. Reviewer keys and factor recoveries have their own. */
const PROPOSAL_KINDS = [
  'bonus',
  'wallet',
  'settings',
  'reversal',
  'announcement',
  'operator',
  'strategy',
  'watch_wallet',
  'venue',
] as const

export const STRATEGY_ACTIONS = ['resume', 'stop'] as const
export type StrategyAction = (typeof STRATEGY_ACTIONS)[number]

export const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected'] as const

export const proposal = z.object({
  _id: z.string(),
  kind: z.enum([...PROPOSAL_KINDS, 'reviewer_key', 'factor_recovery']),
  status: z.enum(PROPOSAL_STATUSES),
  createdAt: isoTime,
  proposedBy: z.object({ _id: z.string(), name: z.string() }),
  decidedBy: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  decidedAt: z.nullable(isoTime),
  reason: z.nullable(z.string()),
  rejection: z.nullable(z.string()),
  investor: z.optional(investorBrief),
  amount: z.optional(z.number()),
  request: z.optional(
    z.object({ _id: z.string(), ref: z.string(), trxType: z.enum(TRX_TYPES), amount: z.number() }),
  ),
  wallet: z.optional(
    z.object({
      walletName: z.enum(COINS),
      network: z.enum(NETWORKS),
      address: z.string(),
      simulated: z.boolean(),
    }),
  ),
  settings: z.optional(z.looseObject({})),
  /** The changes as text. `before` is the current value, after the decision the value at the time of the proposal. */
  changes: z.optional(
    z.array(
      z.object({
        setting: z.string(),
        label: z.string(),
        before: z.optional(z.string()),
        after: z.string(),
      }),
    ),
  ),
  /** A mail to everyone subscribed to its topic. */
  announcement: z.optional(z.object({ topic: z.enum(NEWS_TOPICS), subject: z.string(), text: z.string() })),
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
  /** What it changes about trading at the exchange. */
  venue: z.optional(proposedVenueAct),
  /** A watch-only wallet, and the message that its keys signed. */
  watchWallet: z.optional(
    z.object({
      chain: z.enum(CHAINS),
      descriptor: z.string(),
      message: z.string(),
      signatures: z.array(z.string()),
    }),
  ),
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

export const bonusProposal = z.object({
  kind: z.literal('bonus'),
  ...factorFields,
  investor: requiredText('Please choose the investor', 100),
  amount: amountField('Please input the amount in USD'),
  reason: requiredText(REASON, 500),
})

export const walletProposal = z.object({
  kind: z.literal('wallet'),
  ...factorFields,
  walletName: z.enum(COINS, { error: 'Please choose a coin' }),
  type: z.optional(z.nullable(z.enum(COINS, { error: 'Please choose a coin' }))),
  network: z.enum(NETWORKS, { error: 'Please choose a network' }),
  address: requiredText('Please give the receiving address', 200),
  reason: optionalText(500),
})

const settingsProposal = z.object({
  kind: z.literal('settings'),
  ...factorFields,
  settings: guardedSettings,
  reason: optionalText(500),
})

export const reversalProposal = z.object({
  kind: z.literal('reversal'),
  ...factorFields,
  request: requiredText('Please name the request to reverse', 100),
  reason: requiredText(REASON, 500),
})

/** A mail to every investor subscribed to its topic. A blank line separates paragraphs. */
export const announcementProposal = z.object({
  kind: z.literal('announcement'),
  ...factorFields,
  topic: z.enum(NEWS_TOPICS, { error: 'topic is one of salesNews, features, tips' }),
  subject: requiredText('Please give the mail a subject', 120).check(
    z.refine((subject) => !/[\r\n\t]/.test(subject), 'A subject is one line'),
  ),
  text: requiredText('Please write the mail', 10_000),
  reason: optionalText(500),
})

/** Resumes a suspended strategy or stops it for good. One operator can suspend; these take two. */
export const strategyProposal = z.object({
  kind: z.literal('strategy'),
  ...factorFields,
  strategy: requiredText('Please choose the strategy', 60),
  action: z._default(z.enum(STRATEGY_ACTIONS, { error: 'action is one of resume, stop' }), 'resume'),
  reason: requiredText(REASON, 500),
})

const SIGNATURES = 'Please give the signature of each key'

/** A watch-only wallet whose keys signed an issued message, in the order in which the challenge named them. */
export const watchWalletProposal = z.object({
  kind: z.literal('watch_wallet'),
  ...factorFields,
  chain: watchChain,
  descriptor: publicKeyField(),
  message: withoutPrivateKey('Please give the message that was signed', 1_000),
  signatures: z
    .array(withoutPrivateKey(SIGNATURES, 1_000), { error: SIGNATURES })
    .check(z.minLength(1, SIGNATURES), z.maxLength(15, SIGNATURES)),
  reason: withoutPrivateKey(REASON, 500),
})

export const proposalBody = z.discriminatedUnion(
  'kind',
  [
    bonusProposal,
    walletProposal,
    settingsProposal,
    reversalProposal,
    announcementProposal,
    operatorProposal,
    strategyProposal,
    watchWalletProposal,
    venueProposal,
  ],
  {
    error:
      'kind is one of bonus, wallet, settings, reversal, announcement, operator, strategy, watch_wallet, venue',
  },
)

export type ProposalBody = z.output<typeof proposalBody>

export const propose = endpoint('POST', '/operator/proposals', 'operator:proposals.write', {
  summary:
    'Propose a bonus, a receiving wallet, settings, a reversal, an announcement by mail to everyone subscribed to its topic, a change of operators, resuming or stopping a suspended strategy, a watch-only wallet, or an act about trading at the exchange',
  status: 201,
  body: proposalBody,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: [...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const approveProposal = endpoint(
  'POST',
  '/operator/proposals/:id/approve',
  'operator:proposals.decide',
  {
    summary: 'Approve another operator’s proposal; it takes effect at once',
    body: factorBody,
    answer: proposal,
    idempotent: true,
    asksFactor: true,
    refusals: [
      'account_frozen',
      'already_decided',
      ...FACTOR_REFUSALS,
      'second_operator_required',
      'conflict',
      'last_administrator',
    ],
    audit: ['proposal.approved'],
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
    refusals: ['already_decided'],
    audit: ['proposal.rejected'],
  },
)

export const listProposals = endpoint('GET', '/operator/proposals', 'operator:proposals.read', {
  summary:
    'Proposals, newest first, or oldest first with `order=oldest`; `query` is a part of a name or e-mail address in it, or the reference of the request to reverse; `format=csv` returns all of them as a file',
  query: z.object({
    ...queuePage,
    status: filter('status', PROPOSAL_STATUSES),
  }),
  answer: z.array(proposal),
  audit: ['proposals.exported'],
})
