import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { deriveTreasuryAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import {
  buildPayout,
  type PayoutOrder,
  replacePayout,
  type UnsignedPayout,
} from '../../../src/chain/ethereum/payout.ts'
import type { Token } from '../../../src/chain/ethereum/tokens.ts'
import { COIN_SYMBOLS, getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  formatPaymentQuantity,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { type Database, parseStored } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { payouts, payoutTransactions } from '../../lib/tables/payouts.ts'
import type { EthereumConfiguration } from '../servers/configuration.ts'
import { createJsonRpc, type JsonRpc } from '../servers/jsonRpc.ts'
import { CallBudget, ServerFault } from '../servers/server.ts'
import { refuseChainErrors } from './chainRefusal.ts'
import { type AccountState, estimateGas, fetchAccount } from './ethereumServer.ts'
import { type CancelledPayout, readCancelled } from './replacedPayouts.ts'
import { storedInteger } from './stored.ts'

const CALLS = 6
/** A transfer uses 21,000 units of gas, one of a token up to 100,000. A server that says more is not believed. */
const MOST_GAS = 300_000n
const GWEI = 1_000_000_000n

/** A transaction with everything that is stored of it. */
export interface BuiltEthereum {
  readonly payout: UnsignedPayout
  readonly order: PayoutOrder
  /** The most that the network can take, in gwei, rounded up. */
  readonly feeGwei: bigint
}

/**
 * Builds one unsigned transaction from the treasury: the wallet's change address 1/0. Both servers are asked for its nonce and balance. After
 * a cancelled payout of the same withdrawal it has that one's nonce, because it may have been signed: then only one of both can be mined.
 * @param feeGwei the most for one unit of gas
 */
export async function buildEthereumPayout(
  db: Database,
  configuration: EthereumConfiguration,
  descriptor: string,
  {
    request,
    network,
    to,
    quantity,
  }: {
    readonly request: string
    readonly network: ProvedNetwork
    readonly to: string
    readonly quantity: bigint
  },
  feeGwei: number,
): Promise<BuiltEthereum> {
  const token = network === 'eth' ? null : requireToken(configuration, network)
  const from = deriveTreasuryAddress(parseAccountKey(descriptor))
  const budget = new CallBudget(CALLS)
  const clients = configuration.servers.map((server) => createJsonRpc(server, budget))
  const state = await fetchCarefulState(clients, configuration.chainId, from, token)
  const promised = await readPromised(db, token)
  const cancelled = [...(await readCancelled(db, [request])).values()]
  const [wei, tokens] = [state.balance - promised.wei, state.tokens - promised.tokens]
  if (token !== null && tokens < quantity)
    refuse('not_enough_coins', {
      msg: `The treasury ${from} has ${formatTokenUnits(network, clampToZero(tokens))} to pay with. ${formatTokenUnits(network, quantity)} are needed. Move coins from the deposit addresses to it first.`,
    })
  const maxFeePerGas = toWei(feeGwei)
  const draft: PayoutOrder = {
    chainId: configuration.chainId,
    nonce: pickNonce(promised, state.nonce, cancelled),
    from,
    to,
    asset: token ?? 'ether',
    quantity,
    gasLimit: MOST_GAS,
    maxFeePerGas,
    maxPriorityFeePerGas: pickSmaller(state.priorityFee, maxFeePerGas),
  }
  if (token === null && wei < quantity) refuseEther(from, wei, quantity)
  const gasLimit = await fetchGasLimit(
    clients,
    refuseChainErrors(() => buildPayout(draft)),
  )
  const order = { ...draft, gasLimit }
  const needed = gasLimit * maxFeePerGas + (token === null ? quantity : 0n)
  if (wei < needed) refuseEther(from, wei, needed)
  return toBuiltEthereum(
    order,
    refuseChainErrors(() => buildPayout(order)),
  )
}

/** The same payment and nonce with higher fees. */
export function replaceEthereumPayout(previous: PayoutOrder, feeGwei: number): BuiltEthereum {
  const maxFeePerGas = toWei(feeGwei)
  const raised = (previous.maxPriorityFeePerGas * 9n + 7n) / 8n
  const maxPriorityFeePerGas =
    raised > previous.maxPriorityFeePerGas ? raised : previous.maxPriorityFeePerGas + 1n
  const fees = { maxFeePerGas, maxPriorityFeePerGas: pickSmaller(maxPriorityFeePerGas, maxFeePerGas) }
  return toBuiltEthereum(
    { ...previous, ...fees },
    refuseChainErrors(() => replacePayout(previous, fees)),
  )
}

/** The token that is taken on a network. */
function requireToken({ tokens, chainId }: EthereumConfiguration, network: ProvedNetwork): Token {
  const contract = Object.keys(tokens).find((address) => tokens[address] === network)
  if (contract === undefined) return refuse('network_not_proved')
  const symbol = COIN_SYMBOLS[getCoinOfNetwork(network)]
  return { chainId, contract, symbol, decimals: CHAIN_NETWORKS[network].decimals }
}

/** A token's units are those of custody. */
function formatTokenUnits(network: ProvedNetwork, units: bigint): string {
  return formatPaymentQuantity(network, formatQuantity(getCoinOfNetwork(network), units))
}

function toBuiltEthereum(order: PayoutOrder, payout: UnsignedPayout): BuiltEthereum {
  return { payout, order, feeGwei: (order.gasLimit * order.maxFeePerGas + GWEI - 1n) / GWEI }
}

async function fetchCarefulState(
  clients: readonly JsonRpc[],
  chainId: number,
  address: string,
  token: Token | null,
): Promise<AccountState> {
  const states: AccountState[] = []
  for (const client of clients) {
    try {
      states.push(await fetchAccount(client, { chainId, address, token: token?.contract ?? null }))
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
    }
  }
  const [first, second] = states
  if (first === undefined || second === undefined)
    return refuse('unavailable', {
      msg: 'One of the two Ethereum servers does not answer. Please try again shortly.',
    })
  return {
    nonce: Math.max(first.nonce, second.nonce),
    balance: pickSmaller(first.balance, second.balance),
    tokens: pickSmaller(first.tokens, second.tokens),
    priorityFee: pickSmaller(first.priorityFee, second.priorityFee),
  }
}

interface PromisedFunds {
  readonly nonces: ReadonlySet<number>
  /** Wei, and units of the token, that payouts will take that are in no block yet. */
  readonly wei: bigint
  readonly tokens: bigint
}

/** What open payouts use already. */
async function readPromised(db: Database, token: Token | null): Promise<PromisedFunds> {
  const rows = await db
    .select({ details: payoutTransactions.details, height: payouts.height })
    .from(payouts)
    .innerJoin(payoutTransactions, eq(payoutTransactions.payout, payouts.id))
    .where(sql`${payouts.chain} = 'ethereum' AND ${payouts.state} IN ('built', 'released')
      AND ${payoutTransactions.version} = (
        SELECT max(version) FROM payout_transactions WHERE payout = ${payouts.id})`)
  const nonces = new Set<number>()
  let [wei, tokens] = [0n, 0n]
  for (const { details, height } of rows) {
    const { nonce, asset, quantity, gasLimit, maxFeePerGas } = decodeEthereumOrder(details)
    nonces.add(nonce)
    if (height !== null) continue
    wei += gasLimit * maxFeePerGas + (asset === 'ether' ? quantity : 0n)
    if (asset !== 'ether' && asset.contract === token?.contract) tokens += quantity
  }
  return { nonces, wei, tokens }
}

/** The lowest number from this one that no open payout uses; that of a cancelled payout of the same withdrawal, if there is one. */
function pickNonce({ nonces }: PromisedFunds, from: number, cancelled: readonly CancelledPayout[]): number {
  const [first] = cancelled
  if (first !== undefined) {
    const { ref, nonce } = first
    if (
      nonce === null ||
      nonce < from ||
      nonces.has(nonce) ||
      cancelled.some((payout) => payout.nonce !== nonce)
    )
      return refuse('conflict', {
        msg: `${ref} was in a cancelled payout, which whoever has its file could still send. It can be paid once another transaction with the nonce ${cancelled.map((payout) => payout.nonce).join(' or ')} is final.`,
      })
    return nonce
  }
  let nonce = from
  while (nonces.has(nonce)) nonce++
  return nonce
}

/** A quarter more than a server estimates. */
async function fetchGasLimit(
  clients: readonly JsonRpc[],
  { transaction, from }: UnsignedPayout,
): Promise<bigint> {
  const { to, value, data } = transaction
  for (const client of clients) {
    try {
      const gas = await estimateGas(client, {
        from,
        to: String(to),
        value: String(value),
        data: String(data),
      })
      if (gas <= MOST_GAS) return pickSmaller((gas * 5n + 3n) / 4n, MOST_GAS)
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
    }
  }
  return refuseField(
    'withdrawals',
    'Both servers say that this payment would fail, or use far more gas than a transfer. Its receiver may be a contract that refuses it. Reject the withdrawal, or try again later.',
  )
}

function refuseEther(from: string, free: bigint, needed: bigint): never {
  return refuse('not_enough_coins', {
    msg: `The treasury ${from} has ${formatEther(clampToZero(free))} ETH to pay with. With the network fee ${formatEther(needed)} are needed. Move coins from the deposit addresses to it first.`,
  })
}

function formatEther(wei: bigint): string {
  return formatQuantity('ethereum', wei / GWEI)
}

function toWei(gwei: number): bigint {
  return BigInt(Math.round(gwei * 1e9))
}

function clampToZero(value: bigint): bigint {
  return value > 0n ? value : 0n
}

function pickSmaller(first: bigint, second: bigint): bigint {
  return first < second ? first : second
}

/** The stored form of an Ethereum transaction: `payout_transactions.details`. */
const storedOrder = z.object({
  chainId: z.number(),
  nonce: z.number(),
  from: z.string(),
  to: z.string(),
  asset: z.union([
    z.literal('ether'),
    z.object({ chainId: z.number(), contract: z.string(), symbol: z.string(), decimals: z.number() }),
  ]),
  quantity: storedInteger,
  gasLimit: storedInteger,
  maxFeePerGas: storedInteger,
  maxPriorityFeePerGas: storedInteger,
})

export function decodeEthereumOrder(details: string): PayoutOrder {
  return parseStored(storedOrder, details)
}
