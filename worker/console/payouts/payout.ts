import { sql } from 'drizzle-orm'
import { combinePayouts } from '../../../src/chain/bitcoin/signedPayout.ts'
import { buildPayout as buildEthereum } from '../../../src/chain/ethereum/payout.ts'
import {
  getPayout,
  listPayouts,
  type OperatorPayout,
  type PayoutProgress,
  type PayoutRow,
  payoutWords,
} from '../../../src/contract/console/payouts.ts'
import { coinOfNetwork } from '../../../src/contract/money/coins.ts'
import { type Chain, CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, ok, routeOf } from '../../http/call.ts'
import { iso, isoOrNull } from '../../http/paging.ts'
import { quantityOf } from '../../ledger/custody.ts'
import { readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { bitcoinOf } from '../../money/chainServers/configuration.ts'
import { confirmationsOf } from '../../money/payments/payoutOf.ts'
import { bitcoinPayoutOf, changeOf } from '../../money/payouts/bitcoinDetails.ts'
import { ethereumOrderOf } from '../../money/payouts/buildEthereum.ts'
import {
  newestOf,
  type PayoutFacts,
  readPayout,
  readPayouts,
  type VersionFacts,
  type WholePayout,
} from '../../money/payouts/read.ts'
import { queue } from '../cases/queue.ts'

export const { route: showPayouts } = queue(listPayouts, {
  read: async ({ db, query: { state } }, after, rows) => {
    const isAfter = after === null ? sql`1` : sql`p.seq < ${after.seq}`
    const where = sql`${state === undefined ? sql`1` : sql`p.state = ${state}`} AND ${isAfter}`
    return (await readTogether(db, readPayouts(where, rows)))[0]
  },
  row: (facts) => payoutRow(facts),
})

export async function loadPayout({ db, params }: ActorCall): Promise<WholePayout> {
  return (await readPayout(db, params.id ?? '')) ?? refuse('not_found')
}

export const showPayout = routeOf(getPayout, loadPayout, async ({ env }, payout) =>
  ok(payoutDetail(env, payout)),
)

function payoutRow(facts: PayoutFacts, signatures = needsOf(facts)): PayoutRow {
  const { chain, state, problem, height, hash } = facts
  const needed = CONFIRMATIONS_NEEDED[chain]
  const confirmations = confirmationsOf(facts)
  const progress: PayoutProgress = {
    chain,
    state,
    problem,
    isInBlock: height !== null,
    confirmations,
    needed,
    signatures,
  }
  return {
    _id: facts.id,
    chain,
    state,
    words: payoutWords(progress),
    problem,
    amount: usdOf(facts.amount),
    withdrawals: facts.withdrawals,
    createdAt: iso(facts.builtAt),
    builtBy: { _id: facts.builtBy, name: facts.builtByName },
    releasedAt: isoOrNull(facts.releasedAt),
    releasedBy: personOf(facts.releasedBy, facts.releasedByName),
    txid: facts.txid,
    fee: feeOf(chain, facts.fee),
    confirmations,
    needed,
    block: height === null || hash === null ? null : { height, hash },
    confirmedAt: isoOrNull(facts.confirmedAt),
    replacedBy: facts.replacedBy,
  }
}

/** A payout with everything that an operator compares before signing. */
export function payoutDetail(env: Env, payout: WholePayout): OperatorPayout {
  const { chain, descriptor, items, versions } = payout
  const newest = newestOf(payout)
  const bitcoin =
    chain === 'bitcoin' ? bitcoinPayoutOf(newest, descriptor, bitcoinOf(env)?.network ?? 'mainnet') : null
  const change = bitcoin === null ? null : changeOf(bitcoin)
  const signatures =
    newest.txid !== null
      ? { have: needsOf(payout).need, need: needsOf(payout).need }
      : signaturesOf(payout, bitcoin)
  return {
    ...payoutRow(payout, signatures),
    items: items.map((item) => ({
      _id: item.request,
      ref: item.ref,
      investor: { _id: item.investor, name: item.investorName, email: item.investorEmail },
      network: item.network,
      address: item.address,
      quantity: quantityOf(coinOfNetwork(item.network), BigInt(item.units)),
      amount: usdOf(item.amount),
      rate: item.rate,
    })),
    change:
      change === null ? null : { address: change.address, quantity: quantityOf('bitcoin', change.value) },
    coins: (bitcoin?.inputs ?? []).map(({ txid, vout, value }) => ({
      coin: `${txid}:${vout}`,
      quantity: quantityOf('bitcoin', value),
    })),
    versions: versions.map((version) => versionOf(chain, version)),
    unsigned: newest.txid === null ? newest.unsigned : null,
    shown: chain === 'ethereum' ? buildEthereum(ethereumOrderOf(newest.details)).summary : null,
    signatures,
  }
}

function versionOf(chain: Chain, facts: VersionFacts) {
  return {
    version: facts.version,
    fee: feeOf(chain, facts.fee),
    createdAt: iso(facts.builtAt),
    builtBy: { _id: facts.builtBy, name: facts.builtByName },
    txid: facts.txid,
    releasedAt: isoOrNull(facts.releasedAt),
    releasedBy: personOf(facts.releasedBy, facts.releasedByName),
  }
}

function personOf(id: string | null, name: string | null) {
  return id === null ? null : { _id: id, name: name ?? '' }
}

function feeOf(chain: Chain, fee: number): string {
  return quantityOf(chain, BigInt(fee))
}

/** Signatures by the wallet's rule. The row counts the handed-in files, of which each adds one. */
function needsOf({ descriptor, signatures, txid }: PayoutFacts): { have: number; need: number } {
  const threshold = Number(/sortedmulti\((\d+),/.exec(descriptor)?.[1] ?? 1)
  return { have: txid === null ? Math.min(signatures, threshold - 1) : threshold, need: threshold }
}

function signaturesOf(
  { signed, ...facts }: WholePayout,
  bitcoin: ReturnType<typeof bitcoinPayoutOf> | null,
): { have: number; need: number } {
  const { need } = needsOf(facts)
  if (bitcoin === null || signed.length === 0) return { have: 0, need }
  const combined = combinePayouts(signed, bitcoin)
  return {
    have: combined.status === 'complete' ? need : Math.min(...combined.inputs.map(({ have }) => have)),
    need,
  }
}
