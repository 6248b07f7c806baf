import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { amountField, optionalLines, optionalText, requiredLines, requiredText } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { NEWS_TOPICS } from '../identity/preferences.ts'
import { COINS, NETWORKS } from '../money/coins.ts'
import { internalNoteField, REASON } from './cases.ts'
import { invitationFields, rolesFields } from './operatorFields.ts'
import { proposal, STRATEGY_ACTIONS } from './proposals.ts'
import { someSettings } from './settingRules.ts'
import { VENUE_ACTIONS } from './venue.ts'
import { publicKeyField, requireNoPrivateKey, watchChain } from './watchFields.ts'

// The bodies of proposals. They are separate from the lists of proposals, because they need the rules of all settings.

const whom = { operator: requiredText('Please name the operator', 100) }
const why = { reason: requiredLines(REASON, 500) }

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

export const bonusProposal = z.object({
  kind: z.literal('bonus'),
  ...factorFields,
  investor: requiredText('Please choose the investor', 100),
  amount: amountField('Please input the amount in USD'),
  reason: requiredLines(REASON, 500),
})

export const walletProposal = z.object({
  kind: z.literal('wallet'),
  ...factorFields,
  walletName: z.enum(COINS, { error: 'Please choose a coin' }),
  type: z.optional(z.nullable(z.enum(COINS, { error: 'Please choose a coin' }))),
  network: z.enum(NETWORKS, { error: 'Please choose a network' }),
  address: requiredText('Please give the receiving address', 200),
  reason: optionalLines(500),
})

const settingsProposal = z.object({
  kind: z.literal('settings'),
  ...factorFields,
  settings: someSettings,
  reason: optionalLines(500),
})

export const reversalProposal = z.object({
  kind: z.literal('reversal'),
  ...factorFields,
  request: requiredText('Please name the request to reverse', 100),
  /** The message to the investor, who reads it once two operators agree. */
  reason: requiredLines(REASON, 500),
  internalNote: internalNoteField,
})

/** A mail to many. A blank line separates paragraphs. */
const mailFields = {
  subject: requiredLines('Please give the mail a subject', 120).check(
    z.refine((subject) => !/[\r\n\t]/.test(subject), 'A subject is one line'),
  ),
  text: requiredLines('Please write the mail', 10_000),
  reason: optionalLines(500),
}

/** To every investor subscribed to its topic. */
export const announcementProposal = z.object({
  kind: z.literal('announcement'),
  ...factorFields,
  topic: z.enum(NEWS_TOPICS, { error: 'topic is one of salesNews, features, tips' }),
  ...mailFields,
})

/** To every investor, whatever mails they chose, and also in their notifications. For news about the service only. */
export const serviceNoticeProposal = z.object({
  kind: z.literal('service_notice'),
  ...factorFields,
  ...mailFields,
})

/** Resumes a suspended strategy or stops it for good. One operator can suspend; these take two. */
export const strategyProposal = z.object({
  kind: z.literal('strategy'),
  ...factorFields,
  strategy: requiredText('Please choose the strategy', 60),
  action: z._default(z.enum(STRATEGY_ACTIONS, { error: 'action is one of resume, stop' }), 'resume'),
  reason: requiredLines(REASON, 500),
})

const SIGNATURES = 'Please give the signature of each key'

/** A watch-only wallet whose keys signed an issued message, in the order in which the challenge named them. */
export const watchWalletProposal = z.object({
  kind: z.literal('watch_wallet'),
  ...factorFields,
  chain: watchChain,
  descriptor: publicKeyField(),
  message: requireNoPrivateKey('Please give the message that was signed', 1_000),
  signatures: z
    .array(requireNoPrivateKey(SIGNATURES, 1_000), { error: SIGNATURES })
    .check(z.minLength(1, SIGNATURES), z.maxLength(15, SIGNATURES)),
  reason: requireNoPrivateKey(REASON, 500),
})

/** An act about trading at the exchange that takes two operators. */
export const venueProposal = z.object({
  kind: z.literal('venue'),
  ...factorFields,
  action: z.enum(VENUE_ACTIONS, { error: 'action is one of trade, transfer, resume, cover' }),
  /** `trade`, `cover`. */
  strategy: optionalText(60),
  /** `resume`: the exchange, or "all". */
  scope: optionalText(20),
  /** `transfer`: `usd`, or a coin's id; negative if it left the exchange. Decimal text with at most eight decimals. */
  asset: optionalText(40),
  quantity: optionalText(30),
  reason: requiredLines(REASON, 500),
})
export type VenueProposal = z.output<typeof venueProposal>

/** Ends the pause of all payouts. */
const payoutResumption = z.object({
  kind: z.literal('payout_resumption'),
  ...factorFields,
  reason: requiredLines(REASON, 500),
})

/** Accepts another identity document after a final rejection. */
const identityReopening = z.object({
  kind: z.literal('identity_reopening'),
  ...factorFields,
  investor: requiredText('Please choose the investor', 100),
  reason: requiredLines(REASON, 500),
})

/** Names a month by the hash of its books. Later entries go to the next one. */
export const monthClose = z.object({
  kind: z.literal('month_close'),
  ...factorFields,
  month: requiredText('Please choose the month', 7),
  reason: requiredLines(REASON, 500),
})

const HOLDERS = 'Please name the holder of each key, or null'

/** Who holds each key of a watch-only wallet, in the order of its keys; null: nobody yet. */
export const keyHoldersProposal = z.object({
  kind: z.literal('key_holders'),
  ...factorFields,
  wallet: requiredText('Please name the wallet', 100),
  holders: z
    .array(z.nullable(z.string(HOLDERS).check(z.regex(/^[\w-]{1,64}$/, HOLDERS))), { error: HOLDERS })
    .check(z.maxLength(15, HOLDERS)),
  reason: requiredLines(REASON, 500),
})

export const proposalBody = z.discriminatedUnion(
  'kind',
  [
    bonusProposal,
    walletProposal,
    settingsProposal,
    reversalProposal,
    announcementProposal,
    serviceNoticeProposal,
    operatorProposal,
    strategyProposal,
    watchWalletProposal,
    venueProposal,
    payoutResumption,
    identityReopening,
    monthClose,
    keyHoldersProposal,
  ],
  {
    error:
      'kind is one of bonus, wallet, settings, reversal, announcement, service_notice, operator, strategy, watch_wallet, venue, payout_resumption, identity_reopening, month_close, key_holders',
  },
)

export type ProposalBody = z.output<typeof proposalBody>

export const propose = endpoint('POST', '/operator/proposals', 'operator:proposals.write', {
  summary:
    'Propose a bonus, a receiving wallet, settings, a reversal, an announcement by mail to everyone subscribed to its topic, a service notice to every investor, a change of operators, resuming or stopping a suspended strategy, a watch-only wallet, an action about trading at the exchange, resuming payouts, closing a month, or who holds the keys of a watch-only wallet',
  status: 201,
  body: proposalBody,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: [...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})
