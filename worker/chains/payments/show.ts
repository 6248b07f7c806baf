import { type SQL, sql } from 'drizzle-orm'
import type { listPayments as endpoint } from '../../../src/contract/money/ownPayments.ts'
import {
  CHAIN_NETWORKS,
  describePaymentProgress,
  type PAYMENT_RULES,
  type Payment,
  type PaymentState,
  type ProvedNetwork,
  type ProvedPayment,
} from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findTokenContract } from '../servers/configuration.ts'
import { WHOLE_PROOF } from './wholeProof.ts'

/** A payment with what its words need. */
export interface PaymentRow {
  readonly seq: number
  readonly id: string
  readonly network: ProvedNetwork
  readonly reference: string
  readonly address: string
  readonly quantity: string
  readonly state: PaymentState
  readonly reason: string | null
  readonly confirmations: number
  readonly needed: number
  readonly amount: number | null
  readonly rate: string | null
  readonly rule: (typeof PAYMENT_RULES)[number] | null
  readonly height: number | null
  readonly hash: string | null
  readonly seenAt: number
  readonly finalAt: number | null
  readonly creditedAt: number | null
  readonly request: string | null
  readonly ref: string | null
  readonly isFrozen: 0 | 1
  readonly proof: string | null
  /** The quantity in the coin's smallest unit of custody. */
  readonly units: string
}

/** The actor's payments, newest first. */
export async function listPayments(call: CallOf<typeof endpoint>): Promise<Answer<Payment[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [found] = await readTogether(
    call.db,
    readPayments(
      sql`p.investor = ${call.actor.id} AND ${after === null ? sql`1` : sql`p.seq < ${after.seq}`}`,
      limit + 1,
      sql`NULL`,
    ),
  )
  const { rows, headers } = takePage(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(toPayment), headers)
}

/** Payments `p` under a condition, newest first. Lists leave out the proofs, which may be long. */
export function readPayments(where: SQL, limit: number, proof: SQL = WHOLE_PROOF): RowQuery<PaymentRow> {
  return buildQuery(sql`
    SELECT p.seq, p.id, p.network, p.reference, p.address, p.quantity, p.state, p.reason, p.confirmations, p.needed, p.amount,
           p.rate, p.rule, p.height, p.block_hash AS hash, p.seen_at AS seenAt, p.final_at AS finalAt,
           p.credited_at AS creditedAt, p.request, r.ref, u.frozen_at IS NOT NULL AS isFrozen, ${proof} AS proof,
           CAST(p.units AS TEXT) AS units
    FROM payments p JOIN users u ON u.id = p.investor LEFT JOIN requests r ON r.id = p.request
    WHERE ${where} ORDER BY p.seq DESC LIMIT ${limit}`)
}

function toPayment(row: PaymentRow): Payment {
  const { network, state, confirmations, needed, reason, amount, height, hash, request, ref } = row
  const awaitsOperators = state === 'final' && request !== null
  return {
    _id: row.id,
    network,
    reference: row.reference,
    address: row.address,
    quantity: formatUnits(row.quantity, CHAIN_NETWORKS[network].decimals),
    state,
    confirmations,
    needed,
    words: describePaymentProgress({
      network,
      state,
      confirmations,
      needed,
      reason,
      awaitsOperators,
      isFrozen: row.isFrozen === 1,
    }),
    amount: amount === null ? null : toUsd(amount),
    rate: row.rate,
    rule: row.rule,
    block: height === null || hash === null ? null : { height, hash },
    seenAt: toIso(row.seenAt),
    finalAt: toIsoOrNull(row.finalAt),
    creditedAt: toIsoOrNull(row.creditedAt),
    deposit: request === null || ref === null ? null : { _id: request, ref },
  }
}

/** The same with its proof and the token's contract, which the browser can check again. */
export function toProvedPayment(env: Env, row: PaymentRow): ProvedPayment {
  return { ...toPayment(row), proof: row.proof, contract: findTokenContract(env, row.network) }
}

/** An integer of smallest units as an exact decimal, without needless zeros. */
export function formatUnits(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
