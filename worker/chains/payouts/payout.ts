import { type SQL, sql } from 'drizzle-orm'
import { combinePayouts } from '../../../src/chain/bitcoin/signedPayout.ts'
import { buildPayout as buildEthereum } from '../../../src/chain/ethereum/payout.ts'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import {
  describePayoutProgress,
  type getPayout,
  listPayouts,
  type OperatorPayout,
  type PayoutKey,
  type PayoutProgress,
  type PayoutRow,
} from '../../../src/contract/console/payouts.ts'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { type Chain, CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { matchEveryFilter, matchNetwork } from '../../http/filters.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { toStep } from '../../http/steps.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { findKeyHolder, getKeyName } from '../watchWallets/keyHolders.ts'
import { readWallet } from '../watchWallets/signers.ts'
import { decodeBitcoinPayout, findChange } from './bitcoinDetails.ts'
import { decodeEthereumOrder } from './buildEthereum.ts'
import {
  getNewestVersion,
  type PayoutFacts,
  readPayout,
  readPayouts,
  type VersionFacts,
  type WholePayout,
} from './read.ts'
import { countPayoutConfirmations } from './withdrawalPayout.ts'

export const showPayouts = createQueue(listPayouts, {
  read: async ({ db, query }, after, rows) => {
    const { state } = query
    const isAfter = after === null ? sql`1` : sql`${payouts.seq} < ${after.seq}`
    const pays = (condition: SQL) => sql`EXISTS (
      SELECT 1 FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = ${payouts.id} AND ${condition})`
    const filtered = matchEveryFilter(query, {
      at: sql`${payouts.builtAt}`,
      amount: sql`(SELECT sum(r.amount) FROM payout_items i JOIN requests r ON r.id = i.request WHERE i.payout = ${payouts.id})`,
      isOfCoin: (coin) => pays(matchNetwork(coin, sql`i.network`)),
      isAbout: (person) => pays(sql`r.investor = ${person}`),
    })
    const where = sql`${state === undefined ? sql`1` : sql`${payouts.state} = ${state}`} AND ${isAfter} AND ${filtered}`
    return (await readTogether(db, readPayouts(where, rows)))[0]
  },
  row: (facts) => toPayoutRow(facts),
})

export async function loadPayout({ db, params }: ActorCall): Promise<WholePayout> {
  return (await readPayout(db, params.id ?? '')) ?? refuse('not_found')
}

export async function showPayout({ env }: CallOf<typeof getPayout>, payout: WholePayout) {
  return ok(toPayoutDetail(env, payout))
}

function toPayoutRow(facts: PayoutFacts, signatures = countRowSignatures(facts)): PayoutRow {
  const { chain, state, problem, height, hash } = facts
  const needed = CONFIRMATIONS_NEEDED[chain]
  const confirmations = countPayoutConfirmations(facts)
  const progress: PayoutProgress = {
    chain,
    state,
    problem,
    isInBlock: height !== null,
    confirmations,
    needed,
    signatures,
    blockedByNonce: facts.blockedByNonce,
  }
  return {
    _id: facts.id,
    chain,
    state,
    words: describePayoutProgress(progress),
    problem,
    amount: toUsd(facts.amount),
    withdrawals: facts.withdrawals,
    createdAt: toIso(facts.builtAt),
    builtBy: { _id: facts.builtBy, name: facts.builtByName },
    releasedAt: toIsoOrNull(facts.releasedAt),
    releasedBy: toPerson(facts.releasedBy, facts.releasedByName),
    txid: facts.txid,
    fee: formatFee(chain, facts.fee),
    confirmations,
    needed,
    block: height === null || hash === null ? null : { height, hash },
    confirmedAt: toIsoOrNull(facts.confirmedAt),
    replacedBy: facts.replacedBy,
    blockedByNonce: facts.blockedByNonce,
  }
}

/** A payout with everything that an operator compares before signing. */
export function toPayoutDetail(env: Env, payout: WholePayout): OperatorPayout {
  const { chain, descriptor, items, versions } = payout
  const keys = listPayoutKeys(env, payout)
  const newest = getNewestVersion(payout)
  const bitcoin =
    chain === 'bitcoin'
      ? decodeBitcoinPayout(newest, descriptor, getBitcoinConfiguration(env)?.network ?? 'mainnet')
      : null
  const change = bitcoin === null ? null : findChange(bitcoin)
  const signatures =
    newest.txid !== null
      ? { have: countRowSignatures(payout).need, need: countRowSignatures(payout).need }
      : countFileSignatures(payout, bitcoin)
  return {
    ...toPayoutRow(payout, signatures),
    items: items.map((item) => ({
      _id: item.request,
      ref: item.ref,
      investor: { _id: item.investor, name: item.investorName, email: item.investorEmail },
      network: item.network,
      address: item.address,
      quantity: formatQuantity(getCoinOfNetwork(item.network), BigInt(item.units)),
      amount: toUsd(item.amount),
      rate: item.rate,
    })),
    change:
      change === null ? null : { address: change.address, quantity: formatQuantity('bitcoin', change.value) },
    coins: (bitcoin?.inputs ?? []).map(({ txid, vout, value }) => ({
      coin: `${txid}:${vout}`,
      quantity: formatQuantity('bitcoin', value),
    })),
    versions: versions.map((version) => toVersionRow(chain, version)),
    unsigned: newest.txid === null ? newest.unsigned : null,
    shown: chain === 'ethereum' ? buildEthereum(decodeEthereumOrder(newest.details)).summary : null,
    signatures,
    steps: toPayoutSteps(payout),
    keys,
    missing: listMissingSigners(payout, keys, signatures),
  }
}

/** Who built, signed, released and cancelled it, each version after the one that it replaces. */
function toPayoutSteps({ versions, signed, ...payout }: WholePayout): CaseStep[] {
  const steps = versions.flatMap((version, place) => [
    toStep('built', version.builtAt, version.builtBy, version.builtByName),
    ...(place === versions.length - 1
      ? signed.map(({ addedAt, addedBy, addedByName }) => toStep('signed', addedAt, addedBy, addedByName))
      : []),
    ...(version.releasedAt === null
      ? []
      : [toStep('released', version.releasedAt, version.releasedBy, version.releasedByName)]),
  ])
  const { cancelledAt, cancelledBy, cancelledByName } = payout
  return cancelledAt === null
    ? steps
    : [...steps, toStep('cancelled', cancelledAt, cancelledBy, cancelledByName)]
}

/** The keys of the payout's wallet, with their holders and their signatures of its newest version. */
export function listPayoutKeys(
  env: Env,
  { chain, descriptor, wallet, holders, keySignatures }: WholePayout,
): PayoutKey[] {
  return readWallet(env, chain, descriptor).signers.map(({ key, origin, address }) => {
    const signature = keySignatures.find((candidate) => candidate.key === key)
    return {
      key,
      keyName: getKeyName({ origin, address }),
      address,
      holder: findKeyHolder(holders, wallet, key),
      signed:
        signature === undefined
          ? null
          : { at: toIso(signature.signedAt), by: { _id: signature.signedBy, name: signature.signedByName } },
    }
  })
}

/**
 * Who can still hand in a signature: the holders of the keys that did not sign, and any treasurer for a key that nobody holds. An operator
 * who approved one of its withdrawals cannot give the last one.
 */
function listMissingSigners(
  { state, signed, treasurers, items, ...payout }: WholePayout,
  keys: readonly PayoutKey[],
  { have, need }: { readonly have: number; readonly need: number },
) {
  if ((state !== 'built' && state !== 'released') || getNewestVersion(payout).txid !== null) return []
  const open = keys.filter((key) => key.signed === null).map(({ holder }) => holder?._id)
  const isMissing = (id: string) =>
    open.includes(id) || (open.includes(undefined) && !signed.some(({ addedBy }) => addedBy === id))
  const isExcluded = (id: string) => need - have === 1 && items.some(({ approver }) => approver === id)
  return treasurers
    .filter(({ id }) => isMissing(id) && !isExcluded(id))
    .map(({ id: _id, name }) => ({ _id, name }))
}

function toVersionRow(chain: Chain, facts: VersionFacts) {
  return {
    version: facts.version,
    fee: formatFee(chain, facts.fee),
    createdAt: toIso(facts.builtAt),
    builtBy: { _id: facts.builtBy, name: facts.builtByName },
    txid: facts.txid,
    releasedAt: toIsoOrNull(facts.releasedAt),
    releasedBy: toPerson(facts.releasedBy, facts.releasedByName),
  }
}

function toPerson(id: string | null, name: string | null) {
  return id === null ? null : { _id: id, name: name ?? '' }
}

function formatFee(chain: Chain, fee: number): string {
  return formatQuantity(chain, BigInt(fee))
}

/** Signatures by the wallet's rule. The row counts the handed-in files, of which each adds one. */
function countRowSignatures({ descriptor, signatures, txid }: PayoutFacts): { have: number; need: number } {
  const threshold = Number(/sortedmulti\((\d+),/.exec(descriptor)?.[1] ?? 1)
  return { have: txid === null ? Math.min(signatures, threshold - 1) : threshold, need: threshold }
}

function countFileSignatures(
  { signed, ...facts }: WholePayout,
  bitcoin: ReturnType<typeof decodeBitcoinPayout> | null,
): { have: number; need: number } {
  const { need } = countRowSignatures(facts)
  if (bitcoin === null || signed.length === 0) return { have: 0, need }
  const combined = combinePayouts(
    signed.map(({ psbt }) => psbt),
    bitcoin,
  )
  return {
    have: combined.status === 'complete' ? need : Math.min(...combined.inputs.map(({ have }) => have)),
    need,
  }
}
