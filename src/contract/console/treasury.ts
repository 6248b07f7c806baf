import * as z from 'zod/mini'
import { filter, formatQuery, isoTime, page, period, periodInOrder } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, requiredLines } from '../fields.ts'
import { REASON, reasonBody } from './cases.ts'
import { payoutPauseField } from './payoutPause.ts'
import { proposal } from './proposals.ts'
import { ENTRY_CODES, PLACE_KINDS, TREASURY_ACTIONS } from './treasuryActs.ts'

const colleague = z.object({ _id: z.string(), name: z.string() })
/** An exact decimal of the asset. */
const quantity = z.string()

const place = z.object({
  _id: z.string(),
  kind: z.enum(PLACE_KINDS),
  name: z.string(),
  asset: z.string(),
  /** In the books. Below zero is an alarm. */
  quantity,
  /** At market prices. Null at an earlier time, and without a price. */
  valueUsd: z.nullable(z.number()),
  /** How it is proven: the chain, statements of two people, or the exchange itself. */
  proof: z.enum(['chain', 'statement', 'exchange']),
  /** The last reconciliation: the proof and the books at its time, `at`; null before the first proof. */
  reconciled: z.nullable(
    z.object({
      day: z.string(),
      at: isoTime,
      comparedAt: isoTime,
      books: quantity,
      proven: quantity,
      difference: quantity,
    }),
  ),
  /** A newer statement, the balance at `at`: it waits for its approval, or for the comparison, from `comparedFrom` on. */
  statement: z.nullable(z.object({ proposal: z.string(), at: isoTime, comparedFrom: z.nullable(isoTime) })),
})

const difference = z.object({
  _id: z.string(),
  place: z.string(),
  asset: z.string(),
  /** The proof less the books, or the balance below zero. */
  quantity,
  isNegative: z.boolean(),
  since: isoTime,
  cleared: z.nullable(z.object({ at: isoTime, by: colleague, reason: z.string() })),
})

const TREASURY_PROPOSALS = ['payout_resumption', 'month_close', 'treasury'] as const

const month = z.object({ month: z.string(), hash: z.string(), at: isoTime, proposal: z.string() })

export const operatorTreasury = z.object({
  /** The time of the quantities. */
  at: isoTime,
  pause: payoutPauseField,
  /** Their quantities add up to custody, apart from trades at exchanges. */
  places: z.array(place),
  /** Open ones first, oldest first. */
  differences: z.array(difference),
  /** Closed months, newest first. */
  months: z.array(month),
  /** The months that two people can close next, oldest first. */
  closable: z.array(z.string()),
  /** The next month to close, and the first moment after it; null before the first daily balances. */
  nextMonth: z.nullable(z.object({ month: z.string(), endsAt: isoTime })),
  /** The proposals about the treasury that wait for a second operator, oldest first. */
  waiting: z.array(
    z.object({ _id: z.string(), kind: z.enum(TREASURY_PROPOSALS), createdAt: isoTime, by: colleague }),
  ),
})
export type OperatorTreasury = z.output<typeof operatorTreasury>

export const getTreasury = endpoint('GET', '/operator/treasury', 'operator:treasury.read', {
  summary:
    'The pause of payouts, places of custody with their last reconciliation, differences and closed months. `at` gives the quantities of an earlier time',
  query: z.object({ at: period.to }),
  answer: operatorTreasury,
})

export const pausePayouts = endpoint('POST', '/operator/treasury/pause', 'operator:treasury.pause', {
  summary:
    'Pause every payout at once: nobody approves, pays, builds or releases one. Resuming takes two administrators',
  body: reasonBody,
  answer: z.object({ since: isoTime }),
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['payouts.paused'],
})

const ENTRY_CAUSES = ['deposit', 'withdrawal', 'payout', 'payment', 'proposal'] as const

/** A line of the journal. */
const entry = z.object({
  _id: z.string(),
  createdAt: isoTime,
  place: z.object({ _id: z.string(), name: z.string() }),
  asset: z.string(),
  quantity,
  /** Of the place, after it. */
  balance: quantity,
  code: z.enum(ENTRY_CODES),
  /** The proposal, request, payment or payout that caused it. */
  ref: z.string(),
  /** The same as a case, with its reference if it has one; null for an entry of an upgrade. */
  cause: z.nullable(
    z.object({ kind: z.enum(ENTRY_CAUSES), _id: z.string(), reference: z.nullable(z.string()) }),
  ),
})
export type TreasuryEntry = z.output<typeof entry>

export const listEntries = endpoint('GET', '/operator/treasury/entries', 'operator:treasury.read', {
  summary:
    'The journal: every change of every place by time, newest first, of one `place` or between `from` and `to`. `format=csv` returns all matching lines as a file for the accountant',
  query: z.object({ ...page, ...period, format: formatQuery, place: optionalText(100) }).check(periodInOrder),
  answer: z.array(entry),
  audit: ['treasury.exported'],
})

const DOCUMENT_MISSING = 'Please attach the document: a PDF or a picture'

export const proposeEntry = endpoint('POST', '/operator/treasury/entries', 'operator:treasury.write', {
  summary:
    'Propose an entry of the treasury with the document that proves it: a conversion, a fee, own funding or drawing, a move between places, the balance on a statement, or a new place',
  status: 201,
  accepts: 'form',
  files: { image: DOCUMENT_MISSING },
  takesPdf: true,
  body: z.object({
    action: z.enum(TREASURY_ACTIONS, { error: `action is one of ${TREASURY_ACTIONS.join(', ')}` }),
    /** The place and the quantity that leaves it, as a decimal. */
    from: optionalText(100),
    fromQuantity: optionalText(40),
    /** The place and the quantity that arrives there. For a statement: the balance. */
    to: optionalText(100),
    toQuantity: optionalText(40),
    /** The day of the statement's balance, at its end (UTC). */
    day: optionalText(10),
    /** For a new place. */
    name: optionalText(60),
    placeKind: filter('placeKind', PLACE_KINDS),
    asset: optionalText(20),
    reason: requiredLines(REASON, 500),
  }),
  answer: proposal,
  idempotent: true,
  limit: { name: 'uploads', per: 'account', max: 120, windowSeconds: 3600 },
  audit: ['proposal.created'],
})

export const getEntryDocument = endpoint(
  'GET',
  '/operator/treasury/entries/:id/document',
  'operator:treasury.read',
  {
    summary: 'The document of a treasury proposal, a picture or a PDF',
    answerType: 'image/*, application/pdf',
  },
)

export const clearDifference = endpoint(
  'POST',
  '/operator/treasury/differences/:id/clear',
  'operator:treasury.write',
  {
    summary:
      'Clear a difference with a reason. Not by somebody who proposed an entry or statement of its place in the last 31 days',
    body: reasonBody,
    answer: difference,
    idempotent: true,
    refusals: ['already_decided', 'second_operator_required'],
    audit: ['treasury.cleared'],
  },
)
