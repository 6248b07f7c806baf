import { eq, sql } from 'drizzle-orm'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { formatPaymentQuantity } from '../../../src/contract/money/payments.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { recordAudit } from '../../http/audit.ts'
import { formatQuantity, recordNetworkFee, releaseFromCustody } from '../../ledger/custody.ts'
import { payOut } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { type Database, readTogether, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { withdrawalDetails } from '../../lib/tables/requests.ts'
import { SYSTEM } from '../credit/credit.ts'
import { type ItemFacts, readItems } from './read.ts'
import { updatePayout } from './statements.ts'

/** A payout whose transaction is deep enough in its chain. */
export interface MinedPayout {
  readonly id: string
  readonly chain: Chain
  /** The version that was mined. */
  readonly version: number
  readonly txid: string
  readonly height: number
  readonly hash: string
  /** The network fee: satoshi or gwei. */
  readonly fee: bigint
}

/**
 * Completes the withdrawals of a confirmed payout in one batch: the system is the actor, the approver the second operator, and the
 * transaction the reference. Custody falls by the amounts that the transaction paid; its fee is the company's cost.
 */
export async function completePayout(
  env: Env,
  db: Database,
  payout: MinedPayout,
  nowMs: number,
): Promise<void> {
  const [items] = await readTogether(db, readItems(payout.id))
  await runBatch(db, [
    endPayout(db, payout, 'confirmed', nowMs),
    ...items.flatMap((item) => settleWithdrawal(db, payout, item, nowMs)),
    recordNetworkFee(payout.id, payout.chain, payout.fee, nowMs),
    recordAudit(
      db,
      SYSTEM,
      {
        action: 'payout.confirmed',
        subject: payout.id,
        detail: { txid: payout.txid, height: payout.height },
      },
      nowMs,
    ),
    ...(await enqueueMails(
      env,
      items.map((item) => buildPaidMail(env, item, formatReference(payout, item))),
      nowMs,
    )),
  ])
}

/** Ends a payout whose transaction was mined and failed. Its fee was charged, and its withdrawal is still to be paid. */
export async function failPayout(db: Database, payout: MinedPayout, nowMs: number): Promise<void> {
  console.error(
    JSON.stringify({ level: 'alarm', payout: payout.id, problem: 'A payout was mined and failed.' }),
  )
  await runBatch(db, [
    // The search of finalised blocks has recorded it, unless a server hid its sender.
    sql`
      INSERT INTO treasury_transactions (wallet, nonce, txid, payload, height, block_hash, succeeded)
      SELECT p.wallet, json_extract(t.details, '$.nonce'), t.txid, t.unsigned, ${payout.height}, ${payout.hash}, 0
      FROM payouts p JOIN payout_transactions t ON t.payout = p.id AND t.version = ${payout.version} WHERE p.id = ${payout.id}
      ON CONFLICT (wallet, nonce) DO NOTHING`,
    endPayout(db, payout, 'failed', nowMs),
    recordNetworkFee(payout.id, payout.chain, payout.fee, nowMs),
    recordAudit(
      db,
      SYSTEM,
      { action: 'payout.failed', subject: payout.id, detail: { txid: payout.txid } },
      nowMs,
    ),
  ])
}

function endPayout(
  db: Database,
  { id, version, height, hash }: MinedPayout,
  state: 'confirmed' | 'failed',
  nowMs: number,
): Statement {
  const problem = state === 'failed' ? state : null
  const end = { state, version, height, blockHash: hash, confirmedAt: nowMs, checkedAt: nowMs, problem }
  return updatePayout(db, { id, state: 'released' }, end)
}

/** On Bitcoin the output, because one transaction pays several investors. */
function formatReference({ chain, txid }: MinedPayout, { output }: ItemFacts): string {
  return chain === 'bitcoin' ? `${txid}:${output}` : txid
}

function settleWithdrawal(db: Database, payout: MinedPayout, item: ItemFacts, nowMs: number): Statement[] {
  const { request, investor, amount: amountCents, network, rate, approver } = item
  const coin = getCoinOfNetwork(network)
  const units = BigInt(item.units)
  return [
    recordEvent(db, {
      request,
      investor,
      status: 'completed',
      actor: SYSTEM,
      atMs: nowMs,
      amountCents,
      reference: formatReference(payout, item),
      ...(approver !== null && { secondOperator: approver }),
    }),
    payOut(db, { id: request, investor, amountCents }, { actor: SYSTEM, nowMs }),
    db
      .update(withdrawalDetails)
      .set({ quantity: formatQuantity(coin, units), rate })
      .where(eq(withdrawalDetails.request, request)),
    releaseFromCustody({ request, asset: coin, units, nowMs }),
    recordAudit(
      db,
      SYSTEM,
      { action: 'withdrawal.completed', subject: request, detail: { amountCents, payout: payout.id } },
      nowMs,
    ),
  ]
}

function buildPaidMail(env: Env, item: ItemFacts, reference: string): Mail {
  const { ref, amount, network, investorEmail, investorName } = item
  const quantity = formatPaymentQuantity(
    network,
    formatQuantity(getCoinOfNetwork(network), BigInt(item.units)),
  )
  return composeNews(investorEmail, `Your withdrawal ${ref} was paid`, investorName, [
    `Your withdrawal ${ref} of ${formatCents(amount)} was paid: ${quantity}.`,
    `Its transaction: ${reference}`,
    {
      label: 'See it in your transaction history',
      href: buildLink(env, `/dashboard/transaction-history?open=${ref}`),
    },
  ])
}
