import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { listPayments as endpoint } from '../../../src/contract/money/ownPayments.ts'
import {
  CHAIN_NETWORKS,
  describePaymentProgress,
  type Payment,
  type ProvedPayment,
} from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso, toIsoOrNull } from '../../http/paging.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { payments } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
import { findTokenContract } from '../servers/configuration.ts'
import { WHOLE_PROOF } from './wholeProof.ts'

/** The actor's payments, newest first. */
export async function listPayments(call: CallOf<typeof endpoint>): Promise<Answer<Payment[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [found] = await readTogether(
    call.db,
    readPayments(
      sql`p.investor = ${call.actor.id} AND ${after === null ? sql`1` : sql`p.seq < ${after.seq}`}`,
      limit + 1,
      sql<null>`NULL`,
    ),
  )
  const { rows, headers } = takePage(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(toPayment), headers)
}

/** Payments `p` under a condition, newest first. Lists leave out the proofs, which may be long. */
export function readPayments(where: SQL, limit: number, proof: SQL<string | null> = WHOLE_PROOF) {
  const p = alias(payments, 'p')
  const { seq, id, network, reference, address, quantity, state, reason, confirmations, needed } = p
  const { amount, rate, rule, height, blockHash, seenAt, finalAt, creditedAt, request } = p
  return selectRows({
    ...{ seq, id, network, reference, address, quantity, state, reason, confirmations, needed },
    ...{ amount, rate, rule, height, hash: blockHash, seenAt, finalAt, creditedAt, request, proof },
    ref: requests.ref,
    status: requests.status,
    isFrozen: sql<0 | 1>`${users.frozenAt} IS NOT NULL`,
    /** The quantity in the coin's smallest unit of custody. */
    units: sql<string>`CAST(${p.units} AS TEXT)`,
  })
    .from(p)
    .innerJoin(users, eq(users.id, p.investor))
    .leftJoin(requests, eq(requests.id, request))
    .where(where)
    .orderBy(desc(seq))
    .limit(limit)
}

export type PaymentRow = RowOf<typeof readPayments>

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
      isReversed: row.status === 'reversed',
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
