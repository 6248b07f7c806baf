import { type SQL, sql } from 'drizzle-orm'
import {
  listOperatorPayments as endpoint,
  type OperatorPayment,
} from '../../../src/contract/console/watchWallets.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  type PaymentState,
  type ProvedNetwork,
  paymentWords,
  queueReason,
} from '../../../src/contract/money/payments.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { decimalOfUnits } from '../../money/payments/show.ts'
import { queue } from '../cases/queue.ts'

interface PaymentFacts {
  readonly seq: number
  readonly id: string
  /** Null for a receipt that is no payment. */
  readonly network: ProvedNetwork | null
  readonly chain: Chain
  readonly reference: string
  readonly address: string
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
  readonly quantity: string
  readonly contract: string | null
  readonly state: PaymentState
  readonly reason: string | null
  readonly amount: number | null
  readonly confirmations: number | null
  readonly needed: number | null
  readonly height: number | null
  readonly hash: string | null
  readonly seenAt: number
  readonly request: string | null
  readonly ref: string | null
  readonly isFrozen: 0 | 1
}

export const { route: listOperatorPayments } = queue(endpoint, {
  read: async ({ db, query: { state } }, after, rows) => {
    const isAfter = (column: SQL) => (after === null ? sql`1` : sql`${column} < ${after.seq}`)
    return (
      await readTogether(
        db,
        state === 'unknown'
          ? readReceipts(isAfter(sql`p.seq`), rows)
          : readPayments(
              sql`${state === undefined ? sql`p.state IN ('queued', 'undone')` : sql`p.state = ${state}`} AND ${isAfter(sql`p.seq`)}`,
              rows,
            ),
      )
    )[0]
  },
  row: paymentRow,
})

function readPayments(where: SQL, limit: number): Read<PaymentFacts> {
  return reading(sql`
    SELECT p.seq, p.id, p.network, n.chain, p.reference, p.address, p.investor, u.display_name AS investorName,
           u.email AS investorEmail, p.quantity, NULL AS contract, p.state, p.reason, p.amount, p.confirmations, p.needed,
           p.height, p.block_hash AS hash, p.seen_at AS seenAt, p.request, r.ref, u.frozen_at IS NOT NULL AS isFrozen
    FROM payments p JOIN chain_networks n ON n.network = p.network JOIN users u ON u.id = p.investor
      LEFT JOIN requests r ON r.id = p.request
    WHERE ${where} ORDER BY p.seq DESC LIMIT ${limit}`)
}

function readReceipts(where: SQL, limit: number): Read<PaymentFacts> {
  return reading(sql`
    SELECT p.seq, p.id, NULL AS network, p.chain, p.reference, p.address, p.investor, u.display_name AS investorName,
           u.email AS investorEmail, p.quantity, p.contract, 'queued' AS state, p.kind AS reason, NULL AS amount,
           NULL AS confirmations, NULL AS needed, p.height, NULL AS hash, p.seen_at AS seenAt, NULL AS request, NULL AS ref,
           u.frozen_at IS NOT NULL AS isFrozen
    FROM unknown_receipts p JOIN users u ON u.id = p.investor
    WHERE ${where} ORDER BY p.seq DESC LIMIT ${limit}`)
}

/** Ether that a contract sent is written in ether, an unknown token in its own smallest unit. */
function quantityOfReceipt({ reason, quantity }: PaymentFacts): string {
  return reason === 'internal' ? decimalOfUnits(quantity, CHAIN_NETWORKS.eth.decimals) : quantity
}

function paymentRow(facts: PaymentFacts): OperatorPayment {
  const { network, amount, height, request, ref } = facts
  return {
    _id: facts.id,
    network,
    chain: facts.chain,
    reference: facts.reference,
    address: facts.address,
    investor: { _id: facts.investor, name: facts.investorName, email: facts.investorEmail },
    quantity:
      network === null
        ? quantityOfReceipt(facts)
        : decimalOfUnits(facts.quantity, CHAIN_NETWORKS[network].decimals),
    contract: facts.contract,
    state: facts.state,
    reason: facts.reason,
    words: wordsOf(facts),
    amount: amount === null ? null : usdOf(amount),
    confirmations: facts.confirmations,
    needed: facts.needed,
    block: height === null ? null : { height, hash: facts.hash },
    seenAt: iso(facts.seenAt),
    deposit: request === null || ref === null ? null : { _id: request, ref },
  }
}

const UNDONE =
  'A reorganisation removed this payment after its credit. The amount is frozen, and a reversal is prepared under Proposals. If the payment comes back, its credit counts again.'

function wordsOf({ network, state, reason, confirmations, needed, isFrozen, request }: PaymentFacts): string {
  if (state === 'undone') return UNDONE
  if (state === 'queued') return queueReason(reason)?.operator ?? 'Look at this payment with an explorer.'
  if (network === null) return ''
  const progress = { network, state, reason, confirmations: confirmations ?? 0, needed: needed ?? 0 }
  return paymentWords({
    ...progress,
    awaitsOperators: state === 'final' && request !== null,
    isFrozen: isFrozen === 1,
  })
}
