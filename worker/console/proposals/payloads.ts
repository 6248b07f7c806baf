import * as z from 'zod/mini'
import {
  KEY_METHODS,
  proposedAnnouncement,
  proposedRetirement,
  proposedWallet,
  proposedWatchWallet,
  STRATEGY_ACTIONS,
} from '../../../src/contract/console/proposals.ts'
import { CHAINS } from '../../../src/contract/money/payments.ts'
import { REQUEST_STATUSES, TRX_TYPES } from '../../../src/contract/money/transactions.ts'
import { monthPayload, treasuryPayload } from './treasury.ts'

/** The proposed values and the values at the time of the proposal, as `was`. Amounts in cents. */
export const settingsPayload = z.looseObject({ was: z.looseObject({}) })

export const walletPayload = proposedWallet

/** Quantities are 10⁻⁸. The database compares an approval with this payload. */
export const venuePayload = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['trade', 'cover']), venue: z.string(), strategy: z.string() }),
  z.object({ action: z.literal('resume'), venue: z.string(), scope: z.string() }),
  z.object({ action: z.literal('transfer'), venue: z.string(), asset: z.string(), quantity: z.number() }),
])
export type VenuePayload = z.output<typeof venuePayload>

/** Roles are separated by spaces. */
const operatorPayload = z.discriminatedUnion('action', [
  z.object({ action: z.literal('invite'), roles: z.string(), invitation: z.string() }),
  z.object({ action: z.literal('roles'), roles: z.string() }),
  z.object({ action: z.enum(['enable', 'reset_factor']) }),
])

const investor = { investor: z.string(), investorName: z.string(), investorEmail: z.string() }

/** What a proposal of each kind is about: its payload, and the person or request that it names. Amounts in cents. */
export const proposalSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bonus'), amount: z.number(), ...investor }),
  z.object({ kind: z.literal('wallet'), payload: walletPayload }),
  z.object({
    kind: z.literal('settings'),
    payload: settingsPayload,
    /** The current settings by key. */
    current: z.looseObject({}),
  }),
  z.object({
    kind: z.literal('reversal'),
    request: z.object({
      id: z.string(),
      ref: z.string(),
      kind: z.enum(TRX_TYPES),
      status: z.enum(REQUEST_STATUSES),
      amount: z.number(),
      ...investor,
    }),
  }),
  z.object({ kind: z.enum(['announcement', 'service_notice']), payload: proposedAnnouncement }),
  z.object({
    kind: z.literal('operator'),
    payload: operatorPayload,
    /** The operator whose access changes; null for an invitation. */
    operator: z.nullable(z.string()),
    /** Of the operator or the invited person, while the invitation is stored. */
    operatorName: z.nullable(z.string()),
    operatorEmail: z.nullable(z.string()),
  }),
  z.object({
    kind: z.literal('strategy'),
    payload: z.object({ strategy: z.string(), action: z.enum(STRATEGY_ACTIONS) }),
  }),
  z.object({
    kind: z.literal('reviewer_key'),
    payload: z.object({
      key: z.string(),
      recipient: z.string(),
      fingerprint: z.string(),
      method: z.enum(KEY_METHODS),
    }),
  }),
  z.object({ kind: z.literal('factor_recovery'), payload: z.object({ recovery: z.string() }), ...investor }),
  z.object({ kind: z.literal('watch_wallet'), payload: proposedWatchWallet }),
  z.object({ kind: z.literal('watch_wallet_retirement'), payload: proposedRetirement }),
  z.object({ kind: z.literal('venue'), payload: venuePayload }),
  z.object({ kind: z.literal('payout_resumption') }),
  z.object({ kind: z.literal('identity_reopening'), ...investor }),
  z.object({ kind: z.literal('treasury'), payload: treasuryPayload }),
  z.object({ kind: z.literal('month_close'), payload: monthPayload }),
  z.object({
    kind: z.literal('key_holders'),
    /** The view `key_holders` reads it. */
    payload: z.object({
      wallet: z.string(),
      chain: z.enum(CHAINS),
      keys: z.array(z.object({ keyName: z.string(), holder: z.nullable(z.string()) })),
    }),
    /** The names of the holders. */
    people: z.array(z.object({ _id: z.string(), name: z.string() })),
  }),
])
export type ProposalSubject = z.output<typeof proposalSubject>
