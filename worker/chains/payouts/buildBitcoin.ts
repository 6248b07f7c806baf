import { parseDescriptor } from '../../../src/chain/bitcoin/descriptor.ts'
import {
  buildPayout,
  type Payment,
  replacePayout,
  type UnsignedPayout,
} from '../../../src/chain/bitcoin/payout.ts'
import type { Coin } from '../../../src/chain/bitcoin/psbt.ts'
import type { Database } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { readCoins } from '../follow/coins.ts'
import type { BitcoinConfiguration } from '../servers/configuration.ts'
import { CallBudget, ServerFault } from '../servers/server.ts'
import { createPayoutEsplora, type PayoutEsplora } from './bitcoinServer.ts'
import { refuseChainErrors } from './chainRefusal.ts'
import { type CancelledPayout, readCancelled } from './replacedPayouts.ts'

/** Calls to servers for one payout: one for each coin, and some for coins that turn out to be spent. */
const CALLS = 40
/** A fee is at most a tenth of the payments, or this many satoshi if that is more. */
const LEAST_CAP = 50_000n

export interface WatchedWallet {
  readonly id: string
  readonly descriptor: string
}

/**
 * Builds one unsigned transaction from the wallet's coins: final payments and the change of confirmed payouts that no other payout holds.
 * A server confirms that each chosen coin is unspent. The change goes to the wallet's next change address. A coin of each cancelled payout
 * of these withdrawals is spent too, because that payout may have been signed: then only one of both can be mined.
 */
export async function buildBitcoinPayout(
  db: Database,
  configuration: BitcoinConfiguration,
  wallet: WatchedWallet,
  payments: readonly Payment[],
  withdrawals: readonly string[],
  feeRate: number,
): Promise<UnsignedPayout> {
  const [{ coins, changeIndex }, cancelled] = await Promise.all([
    readCoins(db, wallet.id),
    readCancelled(db, withdrawals),
  ])
  const descriptor = parseDescriptor(wallet.descriptor, configuration.network)
  const maximumFee = computeFeeCap(payments)
  return withUnspent(configuration, coins, [], (unspent) => {
    const required = pickCancelledCoins(cancelled, unspent)
    const others = unspent.filter((coin) => !required.includes(coin))
    return buildPayout({ descriptor, coins: others, required, payments, changeIndex, feeRate, maximumFee })
  })
}

/** The same payments and inputs with a higher fee, which is taken from the change, then from further coins. */
export async function replaceBitcoinPayout(
  db: Database,
  configuration: BitcoinConfiguration,
  wallet: WatchedWallet,
  previous: UnsignedPayout,
  feeRate: number,
): Promise<UnsignedPayout> {
  const { coins } = await readCoins(db, wallet.id)
  const maximumFee = computeFeeCap(previous.outputs.filter(({ kind }) => kind === 'payment'))
  return withUnspent(configuration, coins, previous.inputs, (unspent) =>
    replacePayout(previous, { feeRate, maximumFee, coins: unspent }),
  )
}

/** The largest of these coins that each cancelled payout spends. Refuses if there is none: then its transaction may still be mined. */
function pickCancelledCoins(
  cancelled: ReadonlyMap<string, CancelledPayout>,
  coins: readonly Coin[],
): readonly Coin[] {
  const chosen = [...cancelled.values()].map(
    ({ ref, spends }) =>
      coins.find((coin) => spends.includes(formatCoinId(coin))) ??
      refuse('conflict', {
        msg: `${ref} was in a cancelled payout, which whoever has its file could still send. It can be paid once another transaction has spent one of these coins: ${spends.join(', ')}.`,
      }),
  )
  return [...new Set(chosen)]
}

/** Builds again without the coins that turn out to be spent, until all new ones are unspent. */
async function withUnspent(
  { servers }: BitcoinConfiguration,
  coins: readonly Coin[],
  known: readonly Coin[],
  build: (coins: readonly Coin[]) => UnsignedPayout,
): Promise<UnsignedPayout> {
  const budget = new CallBudget(CALLS)
  const clients = servers.map((server) => createPayoutEsplora(server, budget))
  const checked = new Set(known.map(formatCoinId))
  let usable = [...coins]
  for (;;) {
    const payout = refuseChainErrors(() => build(usable))
    const unchecked = payout.inputs.filter((coin) => !checked.has(formatCoinId(coin)))
    if (unchecked.length === 0) return payout
    if (unchecked.length > budget.left)
      refuse('not_enough_coins', {
        msg: 'This payout would spend too many small coins at once. Please pay fewer withdrawals, or combine coins in the wallet first.',
      })
    const spent = new Set<string>()
    for (const coin of unchecked) {
      checked.add(formatCoinId(coin))
      if (await isSpent(clients, coin)) spent.add(formatCoinId(coin))
    }
    if (spent.size > 0) usable = usable.filter((coin) => !spent.has(formatCoinId(coin)))
  }
}

/** Whether a coin cannot be spent: it is spent, or no server knows its transaction any more. */
async function isSpent(clients: readonly PayoutEsplora[], { txid, vout }: Coin): Promise<boolean> {
  let isUnknown = false
  for (const client of clients) {
    try {
      const spent = await client.isSpent(txid, vout)
      if (spent !== null) return spent
      isUnknown = true
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
    }
  }
  if (isUnknown) return true
  return refuse('unavailable', {
    msg: 'No Bitcoin server says whether the coins of the wallet are unspent. Please try again shortly.',
  })
}

function formatCoinId({ txid, vout }: Pick<Coin, 'txid' | 'vout'>): string {
  return `${txid}:${vout}`
}

function computeFeeCap(payments: readonly { readonly value: bigint }[]): bigint {
  const tenth = payments.reduce((sum, { value }) => sum + value, 0n) / 10n
  return tenth > LEAST_CAP ? tenth : LEAST_CAP
}
