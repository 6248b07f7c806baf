import { eq, type SQL, sql } from 'drizzle-orm'
import {
  type closeOperatorPayment as closing,
  listOperatorPayments as endpoint,
  type OperatorPayment,
} from '../../../src/contract/console/watchWallets.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  describePaymentProgress,
  findQueueReason,
  type PaymentState,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { isRepresentative, selectTransactionDust } from '../../chains/payments/dust.ts'
import { formatUnits } from '../../chains/payments/show.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { unknownReceipts } from '../../lib/tables/payments.ts'

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
  /** Transfers of a receipt. */
  readonly transfers: number
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
  readonly closedBy: string | null
  readonly closedByName: string | null
  readonly closedAt: number | null
  readonly closing: string | null
}

export const payments = createQueue(endpoint, {
  read: async ({ db, query: { state } }, after, rows) => {
    const isAfter = after === null ? sql`1` : sql`(f.seenAt, f.seq) < (${after.at}, ${after.seq})`
    return (await readTogether(db, readFacts(sql`${matchStateSql(state)} AND ${isAfter}`, rows)))[0]
  },
  row: toPaymentRow,
  position: ({ seenAt, seq }) => ({ at: seenAt, seq }),
  waiting: {
    payments: {
      from: sql`(
        SELECT seen_at AS created_at FROM payments WHERE state = 'queued' AND closed_at IS NULL AND ${isRepresentative()}
        UNION ALL SELECT seen_at FROM payments WHERE state = 'undone'
        UNION ALL SELECT seen_at FROM unknown_receipts WHERE closed_at IS NULL)`,
      oldestFirst: sql`created_at`,
    },
  },
})

function matchStateSql(state: PaymentState | 'unknown' | undefined): SQL {
  if (state === undefined) return sql`(f.state = 'undone' OR (f.state = 'queued' AND f.closedAt IS NULL))`
  return state === 'unknown' ? sql`f.network IS NULL` : sql`f.state = ${state} AND f.network IS NOT NULL`
}

/** Payments and receipts of unknown tokens under a condition on the columns of this query, newest first. */
function readFacts(where: SQL, limit: number): RowQuery<PaymentFacts> {
  return buildQuery(sql`
    SELECT f.*, u.display_name AS investorName, u.email AS investorEmail, r.ref, u.frozen_at IS NOT NULL AS isFrozen,
           o.display_name AS closedByName
    FROM (
      -- Odd and even, so that each row has a number of its own.
      SELECT 2 * p.seq AS seq, p.id, p.network, n.chain, p.reference, p.address, p.investor,
             ${selectDustOrOwn(sql`CAST(sum(CAST(d.quantity AS INTEGER)) AS TEXT)`, sql`p.quantity`)} AS quantity, NULL AS contract,
             ${selectDustOrOwn(sql`count(*)`, sql`1`)} AS transfers, p.state,
             p.reason, p.amount, p.confirmations, p.needed, p.height, p.block_hash AS hash, p.seen_at AS seenAt, p.request,
             p.closed_by AS closedBy, p.closed_at AS closedAt, p.closing
      FROM payments p JOIN chain_networks n ON n.network = p.network WHERE ${isRepresentative('p')}
      UNION ALL
      SELECT 2 * seq + 1, id, NULL, chain, reference, address, investor, quantity, contract, transfers, 'queued', kind, NULL, NULL, NULL, height,
             NULL, seen_at, NULL, closed_by, closed_at, closing
      FROM unknown_receipts
    ) f JOIN users u ON u.id = f.investor LEFT JOIN requests r ON r.id = f.request LEFT JOIN users o ON o.id = f.closedBy
    WHERE ${where} ORDER BY f.seenAt DESC, f.seq DESC LIMIT ${limit}`)
}

/** SQL: a figure of all dust of the transaction, or the payment's own one. */
function selectDustOrOwn(all: SQL, own: SQL): SQL {
  return sql`iif(p.state = 'queued' AND p.reason = 'dust', (SELECT ${all} FROM ${selectTransactionDust(sql`p.reference`)}), ${own})`
}

export async function loadPayment({ db, params }: ActorCall): Promise<PaymentFacts> {
  const [[payment]] = await readTogether(db, readFacts(sql`f.id = ${params.id ?? ''}`, 1))
  return payment ?? refuse('not_found')
}

/** Closes a queued payment or receipt that needs no more work. Refuses one that is not queued or is already closed. */
export async function closeOperatorPayment(call: CallOf<typeof closing>, payment: PaymentFacts) {
  const { db, actor, nowMs, body } = call
  const { id, state, network, investor, closedAt } = payment
  if (state !== 'queued' || closedAt !== null) refuse('already_decided')
  const closed = { closedBy: actor.id, closedAt: nowMs, closing: body.note }
  return call.commit({
    statements:
      network === null
        ? [db.update(unknownReceipts).set(closed).where(eq(unknownReceipts.id, id))]
        : [
            sql`
              UPDATE payments SET closed_by = ${actor.id}, closed_at = ${nowMs}, closing = ${body.note}
              WHERE id = ${id} OR (closed_at IS NULL AND id IN (
                SELECT d.id FROM payments p, ${selectTransactionDust(sql`p.reference`)} AND p.id = ${id} AND p.reason = 'dust'))`,
          ],
    audit: [{ action: 'payment.closed', subject: investor, detail: { payment: id } }],
    answer: ok(toPaymentRow({ ...payment, ...closed, closedByName: actor.displayName })),
  })
}

/** Ether that a contract sent is written in ether, an unknown token in its own smallest unit. */
function formatReceiptQuantity({ reason, quantity }: PaymentFacts): string {
  return reason === 'internal' ? formatUnits(quantity, CHAIN_NETWORKS.eth.decimals) : quantity
}

function toPaymentRow(facts: PaymentFacts): OperatorPayment {
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
        ? formatReceiptQuantity(facts)
        : formatUnits(facts.quantity, CHAIN_NETWORKS[network].decimals),
    contract: facts.contract,
    state: facts.state,
    reason: facts.reason,
    words: describePaymentState(facts),
    amount: amount === null ? null : toUsd(amount),
    confirmations: facts.confirmations,
    needed: facts.needed,
    block: height === null ? null : { height, hash: facts.hash },
    seenAt: toIso(facts.seenAt),
    deposit: request === null || ref === null ? null : { _id: request, ref },
    closed: toClosing(facts),
  }
}

function toClosing({ closedBy, closedByName, closedAt, closing }: PaymentFacts): OperatorPayment['closed'] {
  if (closedBy === null || closedAt === null) return null
  return { by: { _id: closedBy, name: closedByName ?? '' }, at: toIso(closedAt), note: closing ?? '' }
}

const UNDONE =
  'A reorganisation removed this payment after its credit. The amount is frozen, and a reversal is prepared under Proposals. If the payment comes back, its credit counts again.'

function describePaymentState(payment: PaymentFacts): string {
  const { network, state, reason, confirmations, needed, isFrozen, request, transfers } = payment
  if (state === 'undone') return UNDONE
  if (state === 'queued') {
    const words = findQueueReason(reason)?.operator ?? 'Look at this payment with an explorer.'
    return transfers === 1 ? words : `${words} It stands for ${transfers} transfers in one transaction.`
  }
  if (network === null) return ''
  const progress = { network, state, reason, confirmations: confirmations ?? 0, needed: needed ?? 0 }
  return describePaymentProgress({
    ...progress,
    awaitsOperators: state === 'final' && request !== null,
    isFrozen: isFrozen === 1,
  })
}
