import * as z from 'zod/mini'
import { choice, filed, isoTime, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { amountField, optionalText, requiredText, sampleField } from '../fields.ts'
import { COINS, NETWORKS } from './coins.ts'
import { LONGEST_REFERENCE, parseReference } from './references.ts'

const type = choice(COINS, 'Please choose a coin')
const amount = amountField('Please input deposit amount in USD')
const txid = optionalText(LONGEST_REFERENCE)
const NETWORK_MISSING = 'Please choose a network'

/** The deposit form without the receipt, which is a file. The network determines the wallet to pay. */
export const depositForm = z
  .object({ type, amount, network: choice(NETWORKS, NETWORK_MISSING), txid })
  .check((context) => {
    const { network, txid } = context.value
    if (txid === undefined) return
    const { problem } = parseReference(network, txid)
    if (problem !== null)
      context.issues.push({ code: 'custom', message: problem, path: ['txid'], input: txid })
  })

const depositRequest = z.object({
  type,
  amount,
  paymentTo: requiredText('Please choose the wallet you paid to', 200),
  /** Needed where wallets on several networks share an address; blank means "not given". */
  network: z.optional(z.union([z.enum(NETWORKS), z.literal('')], { error: NETWORK_MISSING })),
  txid,
  sample: sampleField,
})

export const RECEIPT_MISSING = 'Please upload the receipt of your payment'

/**
 * What to pay to an own address: paid in time and within 1 %, it is priced at the rate. The coin, rounded up, so that its value is at
 * least the amount; USD for one coin.
 */
export const paymentQuote = z.object({ quantity: z.string(), rate: z.string(), until: isoTime })

const announced = z.extend(filed, { quote: z.optional(paymentQuote) })
export type PaymentQuote = z.output<typeof paymentQuote>
export type AnnouncedDeposit = z.output<typeof announced>

export const requestDeposit = endpoint('POST', '/deposits', 'signed-in', {
  summary:
    'Announce a payment. A payment to a receiving wallet needs a receipt, and an operator credits it. The chain proves a payment to your own address',
  status: 201,
  accepts: 'form',
  files: { image: RECEIPT_MISSING },
  optionalFiles: { image: 'paymentTo' },
  body: depositRequest,
  answer: announced,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: { name: 'uploads', per: 'account', max: 120, windowSeconds: 3600 },
  refusals: ['too_many_open'],
})

export const cancelDeposit = endpoint('POST', '/deposits/:id/cancel', 'signed-in', {
  summary: 'Cancel a pending deposit request',
  answer: message,
  idempotent: true,
  refusals: ['not_pending'],
})
