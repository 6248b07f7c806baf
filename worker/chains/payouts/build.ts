import { sql } from 'drizzle-orm'
import type { buildPayout as endpoint } from '../../../src/contract/console/payouts.ts'
import { type Coin, getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { CHAIN_NETWORKS, isProvedNetwork } from '../../../src/contract/money/payments.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { type CallOf, created } from '../../http/call.ts'
import { computeQuantity, parseUnits } from '../../ledger/custody.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { findRate, readRates } from '../../lib/market/rates.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import { listProvedNetworks, type ProvedWallet, readWatchWallets } from '../addresses/addresses.ts'
import { getSmallestPerUnit } from '../follow/record.ts'
import { getBitcoinConfiguration, getEthereumConfiguration } from '../servers/configuration.ts'
import { readKeyHolders } from '../watchWallets/keyHolders.ts'
import { encodeBitcoinPayout } from './bitcoinDetails.ts'
import { buildBitcoinPayout } from './buildBitcoin.ts'
import { buildEthereumPayout } from './buildEthereum.ts'
import { assertPayable, type PaidItem, type Payable, readPayable } from './payable.ts'
import { toPayoutDetail } from './payout.ts'
import { readTreasurers, type WholePayout } from './read.ts'
import { canBeReleased, listSignerMails } from './signers.ts'
import { insertItem, insertTransaction, type NewTransaction } from './statements.ts'
import { encodeStored } from './stored.ts'

type BuildCall = CallOf<typeof endpoint>

/** Whoever builds must not choose an old price. The list comes every ten minutes, and after one failure five minutes later. */
const PAYOUT_PRICE_MS = 15 * 60_000

/** Builds the unsigned transaction for approved withdrawals. Their quantities follow from the believed prices of this moment. */
export async function buildPayout(call: CallOf<typeof endpoint>) {
  const { db, env, actor, nowMs, body } = call
  const { chain, withdrawals: ids } = body
  if (chain === 'ethereum' && ids.length > 1)
    refuseField('withdrawals', 'An Ethereum transaction pays one withdrawal. Please choose one.')
  const [found, market, watched, treasurers, holders] = await readTogether(
    db,
    readPayable(ids),
    readRates(db),
    readWatchWallets(),
    readTreasurers(),
    readKeyHolders(sql`1`),
  )
  const wallet = requireProvedWallet(call, watched)
  const items = ids.map((id) => {
    const withdrawal = found.find((payable) => payable.request === id)
    if (withdrawal === undefined)
      return refuseField('withdrawals', 'One of these withdrawals does not exist.')
    assertPayable(withdrawal, chain, nowMs)
    return priceWithdrawal(withdrawal, (coin) => findRate(market, coin, { env, nowMs }, PAYOUT_PRICE_MS))
  })
  const transaction = await buildTransaction(call, wallet, items)
  const payout = toBuiltPayout(call, wallet, items, transaction, { treasurers, holders })
  const detail = toPayoutDetail(env, payout)
  if (!canBeReleased(detail.keys, items))
    refuse('conflict', {
      msg: 'The holders of this wallet’s keys approved a withdrawal of this payout, so none of them could release it. Choose other withdrawals, or have somebody else approve them.',
    })
  return call.commit({
    statements: [
      db
        .insert(payouts)
        .values({ id: payout.id, chain, wallet: wallet.wallet, builtBy: actor.id, builtAt: nowMs }),
      ...items.map((item, output) => insertItem(db, payout.id, output, item)),
      ...insertTransaction(call, payout.id, 1, transaction),
    ],
    audit: [
      {
        action: 'payout.built',
        subject: payout.id,
        detail: { chain, withdrawals: items.length, amountCents: payout.amount },
      },
    ],
    mails: listSignerMails(call, payout, detail),
    answer: created(detail),
  })
}

function requireProvedWallet(
  { env, body: { chain } }: BuildCall,
  watched: readonly ProvedWallet[],
): ProvedWallet {
  const isProved = listProvedNetworks(env, watched).some((network) => CHAIN_NETWORKS[network].chain === chain)
  const wallet = watched.find((provedWallet) => provedWallet.chain === chain)
  return isProved && wallet !== undefined ? wallet : refuse('network_not_proved')
}

function priceWithdrawal(withdrawal: Payable, rateFor: (coin: Coin) => string | null): PaidItem {
  const { network, amount, ref } = withdrawal
  const coin = getCoinOfNetwork(network)
  const rate = rateFor(coin)
  if (rate === null)
    return refuse('unavailable', { msg: 'There is no market price now. Please try again shortly.' })
  const units = parseUnits(coin, computeQuantity(coin, amount, rate))
  if (units === null || !isProvedNetwork(network))
    return refuseField('withdrawals', `${ref} is too small to be paid on this network.`)
  return { ...withdrawal, network, units, quantity: units * getSmallestPerUnit(network), rate }
}

async function buildTransaction(
  { db, env, body: { chain, fee } }: BuildCall,
  { wallet: id, descriptor }: ProvedWallet,
  items: readonly PaidItem[],
): Promise<NewTransaction> {
  if (chain === 'bitcoin') {
    const configuration = getBitcoinConfiguration(env) ?? refuse('network_not_proved')
    const payments = items.map(({ address, quantity }) => ({ address, value: quantity }))
    const requests = items.map(({ request }) => request)
    return toBitcoinTransaction(
      await buildBitcoinPayout(db, configuration, { id, descriptor }, payments, requests, fee),
    )
  }
  const configuration = getEthereumConfiguration(env) ?? refuse('network_not_proved')
  const [item] = items
  if (item === undefined) return refuse('network_not_proved')
  const { request, network, address: to, quantity } = item
  return toEthereumTransaction(
    await buildEthereumPayout(db, configuration, descriptor, { request, network, to, quantity }, fee),
  )
}

export function toBitcoinTransaction(payout: Awaited<ReturnType<typeof buildBitcoinPayout>>): NewTransaction {
  return {
    unsigned: payout.psbt.base64,
    details: encodeBitcoinPayout(payout),
    fee: Number(payout.fee),
    coins: payout.inputs.map(({ txid, vout, value }) => ({ coin: `${txid}:${vout}`, value: Number(value) })),
  }
}

export function toEthereumTransaction({
  payout,
  order,
  feeGwei,
}: Awaited<ReturnType<typeof buildEthereumPayout>>): NewTransaction {
  return { unsigned: payout.unsigned, details: encodeStored(order), fee: Number(feeGwei), coins: [] }
}

/** The payout as it will be read after the commit. */
function toBuiltPayout(
  { actor, nowMs, body: { chain } }: BuildCall,
  { wallet, descriptor }: ProvedWallet,
  items: readonly PaidItem[],
  { unsigned, details, fee }: NewTransaction,
  people: Pick<WholePayout, 'treasurers' | 'holders'>,
): WholePayout {
  const built = { builtAt: nowMs, builtBy: actor.id, builtByName: actor.displayName }
  const open = { txid: null, releasedAt: null, releasedBy: null, releasedByName: null }
  return {
    seq: 0,
    id: newId(),
    chain,
    wallet,
    descriptor,
    state: 'built',
    problem: null,
    amount: sum(items.map(({ amount }) => amount)),
    withdrawals: items.length,
    version: null,
    height: null,
    hash: null,
    confirmedAt: null,
    replacedBy: null,
    blockedByNonce: null,
    tip: null,
    fee,
    signatures: 0,
    ...built,
    ...open,
    items: items.map((item, output) => ({ ...item, output, units: item.units.toString() })),
    versions: [{ version: 1, unsigned, details, fee, signed: null, ...built, ...open }],
    signed: [],
    keySignatures: [],
    ...people,
    cancelledAt: null,
    cancelledBy: null,
    cancelledByName: null,
  }
}
