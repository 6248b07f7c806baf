import { eq, type SQL, sql } from 'drizzle-orm'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import { formatArrivedQuantity, PAYMENT_LABELS } from '../../../src/contract/console/paymentWords.ts'
import {
  type closeOperatorPayment as closing,
  listOperatorPayments as endpoint,
  type OperatorPayment,
} from '../../../src/contract/console/watchWallets.ts'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  describePaymentProgress,
  findQueueReason,
  formatPaymentQuantity,
  type PaymentState,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { toCustodyUnits } from '../../chains/follow/record.ts'
import { isRepresentative, selectTransactionDust } from '../../chains/payments/dust.ts'
import { findReceiptNetwork } from '../../chains/payments/receipts.ts'
import { formatUnits } from '../../chains/payments/show.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { formatDecimal } from '../../http/csv.ts'
import { matchEveryFilter, matchNetwork } from '../../http/filters.ts'
import { type Position, toIso } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { buildDecisionColumns, toStep } from '../../http/steps.ts'
import { formatQuantity, keepInCustody } from '../../ledger/custody.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { unknownReceipts } from '../../lib/tables/payments.ts'
import { matchTransactionSql } from '../../money/requests/references.ts'
import { matchAddressSql, selectMatchingInvestors } from '../cases/search.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'

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
  readonly isReversed: 0 | 1 | null
  readonly isFrozen: 0 | 1
  readonly closedBy: string | null
  readonly closedByName: string | null
  readonly closedAt: number | null
  readonly closing: string | null
}

const RECEIPT_KINDS = ['token', 'internal', 'oversized'] as const

export const paymentQueue = createQueue(endpoint, {
  read: async (call, after, rows) => {
    const { db, env } = call
    const filtered = matchEveryFilter(call.query, {
      id: sql`f.id`,
      at: sql`f.seenAt`,
      investor: sql`f.investor`,
      amount: sql`f.amount`,
      isOfCoin: (coin) => matchNetwork(coin, sql`f.network`),
    })
    const { state, query } = call.query
    const matches = sql`${matchStateSql(state)} AND ${filtered} AND ${query === undefined ? sql`1` : matchQuerySql(query)}`
    const page = await readByRisk<PaymentFacts>(call, 'payments', after, rows, {
      select: ({ order, after, rows, also }) => {
        const [beyond, by] = order === 'oldest' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
        const isAfter = after === null ? sql`1` : sql`(f.seenAt, f.seq) ${beyond} (${after.at}, ${after.seq})`
        const facts = buildFacts(sql`${matches} AND ${isAfter} AND ${also}`)
        return sql`SELECT id FROM (${facts} ORDER BY f.seenAt ${by}, f.seq ${by} LIMIT ${rows})`
      },
      isOpen: matchStateSql(undefined),
      read: (ids, risks) => readTogether(db, readFacts(sql`f.id IN (${ids})`, rows), risks),
      position: toPosition,
    })
    return page.map((row) => withAsset(env, row))
  },
  row: (payment) => ({ ...toPaymentRow(payment), risk: payment.risk }),
  position: toPosition,
  file: {
    name: 'payments',
    columns: {
      Id: (row) => row.id,
      'Seen (UTC)': (row) => toIso(row.seenAt),
      Status: (row) => (row.closedAt === null ? PAYMENT_LABELS[row.state] : 'Handled'),
      'What happened': describePaymentState,
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      Arrived: (row) => formatArrivedQuantity(toPaymentRow(row)),
      'Amount (USD)': (row) => (row.amount === null ? '' : formatDecimal(row.amount)),
      Transaction: (row) => row.reference,
      Address: (row) => row.address,
      Deposit: (row) => row.ref ?? '',
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toPaymentSteps),
      Note: (row) => row.closing ?? '',
    },
  },
})

function matchQuerySql(query: string): SQL {
  return sql`(
    f.investor IN (${selectMatchingInvestors(query)}) OR ${matchAddressSql(query, sql`f.address`)} OR f.id = ${query}
    OR ${matchTransactionSql(query, sql`f.reference`)})`
}

function matchStateSql(state: PaymentState | 'unknown' | undefined): SQL {
  if (state === undefined)
    return sql`((f.state = 'undone' AND r.status = 'approved') OR (f.state = 'queued' AND f.closedAt IS NULL))`
  return state === 'unknown' ? sql`f.network IS NULL` : sql`f.state = ${state} AND f.network IS NOT NULL`
}

/** Payments and receipts of unknown tokens under a condition on the columns of `buildFacts`, newest first. */
function readFacts(where: SQL, limit: number): RowQuery<PaymentFacts> {
  return buildQuery(sql`${buildFacts(where)} ORDER BY f.seenAt DESC, f.seq DESC LIMIT ${limit}`)
}

function buildFacts(where: SQL): SQL {
  return sql`
    SELECT f.*, u.display_name AS investorName, u.email AS investorEmail, r.ref, r.status = 'reversed' AS isReversed, u.frozen_at IS NOT NULL AS isFrozen,
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
    WHERE ${where}`
}

function toPosition({ seenAt, seq }: PaymentFacts): Position {
  return { at: seenAt, seq }
}

/** SQL: a figure of all dust of the transaction, or the payment's own one. */
function selectDustOrOwn(all: SQL, own: SQL): SQL {
  return sql`iif(p.state = 'queued' AND p.reason = 'dust', (SELECT ${all} FROM ${selectTransactionDust(sql`p.reference`)}), ${own})`
}

export async function loadPayment({ db, env, params }: ActorCall): Promise<AssetFacts> {
  const [[payment]] = await readTogether(db, readFacts(sql`f.id = ${params.id ?? ''}`, 1))
  return payment === undefined ? refuse('not_found') : withAsset(env, payment)
}

/** With the network of the coin that arrived; null for an unknown token. */
type AssetFacts = PaymentFacts & { readonly arrived: ProvedNetwork | null }

function withAsset<Facts extends PaymentFacts>(env: Env, facts: Facts): Facts & AssetFacts {
  const { network, reason, chain, contract } = facts
  const kind = RECEIPT_KINDS.find((known) => known === reason)
  const arrived = network ?? (kind === undefined ? null : findReceiptNetwork(env, { chain, kind, contract }))
  return { ...facts, arrived }
}

/** What custody gains if it stays in the wallet. Null for a token, and for what was credited by hand. */
function findCustody({ arrived, quantity, state, reason, closedAt }: AssetFacts) {
  if (arrived === null || state !== 'queued' || closedAt !== null || reason === 'reference_used') return null
  const asset = getCoinOfNetwork(arrived)
  const units = toCustodyUnits(arrived, BigInt(quantity))
  return units === 0n ? null : { asset, words: formatPaymentQuantity(arrived, formatQuantity(asset, units)) }
}

/**
 * Closes a queued payment or receipt that needs no more work, and adds it to custody if it is kept. Refuses a payment that is not queued,
 * and a second closing.
 */
export async function closeOperatorPayment(call: CallOf<typeof closing>, payment: AssetFacts) {
  const { db, actor, nowMs, body } = call
  const { id, state, network, investor, closedAt } = payment
  if (state !== 'queued' || closedAt !== null) refuse('already_decided')
  const closed = { closedBy: actor.id, closedAt: nowMs, closing: body.note }
  const kept = body.keep === true ? findCustody(payment) : null
  if (body.keep === true && kept === null) refuseField('keep', 'This cannot be added to custody')
  const together = sql`
    SELECT ${id} UNION SELECT d.id FROM payments p, ${selectTransactionDust(sql`p.reference`)} AND p.id = ${id} AND p.reason = 'dust'`
  return call.commit({
    statements: [
      network === null
        ? db.update(unknownReceipts).set(closed).where(eq(unknownReceipts.id, id))
        : sql`
            UPDATE payments SET closed_by = ${actor.id}, closed_at = ${nowMs}, closing = ${body.note}
            WHERE closed_at IS NULL AND id IN (${together})`,
      ...(kept === null ? [] : [keepInCustody(together, kept.asset, nowMs)]),
    ],
    audit: [
      {
        action: 'payment.closed',
        subject: investor,
        detail: { payment: id, ...(kept !== null && { kept: kept.words }) },
      },
    ],
    answer: ok(toPaymentRow({ ...payment, ...closed, closedByName: actor.displayName })),
  })
}

function toPaymentRow(facts: AssetFacts): OperatorPayment {
  const { arrived, amount, height, request, ref } = facts
  return {
    _id: facts.id,
    network: arrived,
    chain: facts.chain,
    reference: facts.reference,
    address: facts.address,
    investor: { _id: facts.investor, name: facts.investorName, email: facts.investorEmail },
    // An unknown token in its own smallest unit.
    quantity:
      arrived === null ? facts.quantity : formatUnits(facts.quantity, CHAIN_NETWORKS[arrived].decimals),
    contract: facts.contract,
    state: facts.state,
    reason: facts.reason,
    words: describePaymentState(facts),
    amount: amount === null ? null : toUsd(amount),
    confirmations: facts.confirmations,
    needed: facts.needed,
    block: height === null ? null : { height, hash: facts.hash },
    createdAt: toIso(facts.seenAt),
    deposit: request === null || ref === null ? null : { _id: request, ref },
    custody: findCustody(facts)?.words ?? null,
    steps: toPaymentSteps(facts),
  }
}

function toPaymentSteps({ closedAt, closedBy, closedByName, closing }: PaymentFacts): CaseStep[] {
  return closedAt === null ? [] : [toStep('handled', closedAt, closedBy, closedByName, closing)]
}

const REVERSED =
  'A reorganisation removed this payment after its credit, and the credit was reversed. Nothing has to be done.'
const UNDONE =
  'A reorganisation removed this payment after its credit. The amount is frozen, and a reversal is prepared under Proposals. If the payment comes back, its credit counts again.'

function describePaymentState(payment: PaymentFacts): string {
  const { network, state, reason, confirmations, needed, isFrozen, request, transfers } = payment
  if (state === 'undone') return payment.isReversed === 1 ? REVERSED : UNDONE
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
    isReversed: payment.isReversed === 1,
  })
}
