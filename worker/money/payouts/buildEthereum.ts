import { sql } from 'drizzle-orm'
import { parseAccountKey, treasuryAddress } from '../../../src/chain/ethereum/account.ts'
import {
  buildPayout,
  type PayoutOrder,
  replacePayout,
  type UnsignedPayout,
} from '../../../src/chain/ethereum/payout.ts'
import type { Token } from '../../../src/chain/ethereum/tokens.ts'
import { COIN_SYMBOLS, coinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  type ProvedNetwork,
  paymentQuantityText,
} from '../../../src/contract/money/payments.ts'
import { quantityOf } from '../../ledger/custody.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { type JsonRpc, jsonRpc } from '../chain/jsonRpc.ts'
import { CallBudget, ServerFault } from '../chain/server.ts'
import type { EthereumConfiguration } from '../chainServers/configuration.ts'
import { asRefusal } from './chainRefusal.ts'
import { type AccountState, askAccount, estimateGas } from './ethereumServer.ts'
import { type CancelledPayout, readCancelled } from './replaced.ts'

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
 * a cancelled payout of the same withdrawal it has that one's nonce, because somebody may have signed it: then only one of both can be mined.
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
  const token = network === 'eth' ? null : tokenOfNetwork(configuration, network)
  const from = treasuryAddress(parseAccountKey(descriptor))
  const budget = new CallBudget(CALLS)
  const clients = configuration.servers.map((server) => jsonRpc(server, budget))
  const state = await careful(clients, configuration.chainId, from, token)
  const promised = await readPromised(db, token)
  const cancelled = [...(await readCancelled(db, [request])).values()]
  const [wei, tokens] = [state.balance - promised.wei, state.tokens - promised.tokens]
  if (token !== null && tokens < quantity)
    refuse('not_enough_coins', {
      msg: `The treasury ${from} has ${tokenText(network, positive(tokens))} to pay with. ${tokenText(network, quantity)} are needed. Move coins from the deposit addresses to it first.`,
    })
  const maxFeePerGas = weiOf(feeGwei)
  const draft: PayoutOrder = {
    chainId: configuration.chainId,
    nonce: nextNonce(promised, state.nonce, cancelled),
    from,
    to,
    asset: token ?? 'ether',
    quantity,
    gasLimit: MOST_GAS,
    maxFeePerGas,
    maxPriorityFeePerGas: smaller(state.priorityFee, maxFeePerGas),
  }
  if (token === null && wei < quantity) refuseEther(from, wei, quantity)
  const gasLimit = await gasFor(
    clients,
    asRefusal(() => buildPayout(draft)),
  )
  const order = { ...draft, gasLimit }
  const needed = gasLimit * maxFeePerGas + (token === null ? quantity : 0n)
  if (wei < needed) refuseEther(from, wei, needed)
  return built(
    order,
    asRefusal(() => buildPayout(order)),
  )
}

/** The same payment and nonce with higher fees. */
export function replaceEthereumPayout(previous: PayoutOrder, feeGwei: number): BuiltEthereum {
  const maxFeePerGas = weiOf(feeGwei)
  const raised = (previous.maxPriorityFeePerGas * 9n + 7n) / 8n
  const maxPriorityFeePerGas =
    raised > previous.maxPriorityFeePerGas ? raised : previous.maxPriorityFeePerGas + 1n
  const fees = { maxFeePerGas, maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, maxFeePerGas) }
  return built(
    { ...previous, ...fees },
    asRefusal(() => replacePayout(previous, fees)),
  )
}

/** The token that is taken on a network. */
function tokenOfNetwork({ tokens, chainId }: EthereumConfiguration, network: ProvedNetwork): Token {
  const contract = Object.keys(tokens).find((each) => tokens[each] === network)
  if (contract === undefined) return refuse('network_not_proved')
  const symbol = COIN_SYMBOLS[coinOfNetwork(network)]
  return { chainId, contract, symbol, decimals: CHAIN_NETWORKS[network].decimals }
}

/** A token's units are those of custody. */
function tokenText(network: ProvedNetwork, units: bigint): string {
  return paymentQuantityText(network, quantityOf(coinOfNetwork(network), units))
}

function built(order: PayoutOrder, payout: UnsignedPayout): BuiltEthereum {
  return { payout, order, feeGwei: (order.gasLimit * order.maxFeePerGas + GWEI - 1n) / GWEI }
}

async function careful(
  clients: readonly JsonRpc[],
  chainId: number,
  address: string,
  token: Token | null,
): Promise<AccountState> {
  const states: AccountState[] = []
  for (const client of clients) {
    try {
      states.push(await askAccount(client, { chainId, address, token: token?.contract ?? null }))
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
    }
  }
  const [one, other] = states
  if (one === undefined || other === undefined)
    return refuse('unavailable', {
      msg: 'One of the two Ethereum servers does not answer. Please try again shortly.',
    })
  return {
    nonce: Math.max(one.nonce, other.nonce),
    balance: smaller(one.balance, other.balance),
    tokens: smaller(one.tokens, other.tokens),
    priorityFee: smaller(one.priorityFee, other.priorityFee),
  }
}

interface Promised {
  readonly nonces: ReadonlySet<number>
  /** Wei, and units of the token, that payouts will take that are in no block yet. */
  readonly wei: bigint
  readonly tokens: bigint
}

/** What open payouts use already. */
async function readPromised(db: Database, token: Token | null): Promise<Promised> {
  const [rows] = await readTogether(
    db,
    reading<{ details: string; isInBlock: 0 | 1 }>(sql`
      SELECT t.details, p.height IS NOT NULL AS isInBlock FROM payouts p JOIN payout_transactions t ON t.payout = p.id
        AND t.version = (SELECT max(version) FROM payout_transactions WHERE payout = p.id)
      WHERE p.chain = 'ethereum' AND p.state IN ('built', 'released')`),
  )
  const nonces = new Set<number>()
  let [wei, tokens] = [0n, 0n]
  for (const { details, isInBlock } of rows) {
    const { nonce, asset, quantity, gasLimit, maxFeePerGas } = ethereumOrderOf(details)
    nonces.add(nonce)
    if (isInBlock) continue
    wei += gasLimit * maxFeePerGas + (asset === 'ether' ? quantity : 0n)
    if (asset !== 'ether' && asset.contract === token?.contract) tokens += quantity
  }
  return { nonces, wei, tokens }
}

/** The lowest number from this one that no open payout uses; that of a cancelled payout of the same withdrawal, if there is one. */
function nextNonce({ nonces }: Promised, from: number, cancelled: readonly CancelledPayout[]): number {
  const [first] = cancelled
  if (first !== undefined) {
    const { ref, nonce } = first
    if (nonce === null || nonce < from || nonces.has(nonce) || cancelled.some((each) => each.nonce !== nonce))
      return refuse('conflict', {
        msg: `${ref} was in a cancelled payout, which whoever has its file could still send. It can be paid once another transaction with the nonce ${cancelled.map((each) => each.nonce).join(' or ')} is final.`,
      })
    return nonce
  }
  let nonce = from
  while (nonces.has(nonce)) nonce++
  return nonce
}

/** A quarter more than a server estimates. */
async function gasFor(clients: readonly JsonRpc[], { transaction, from }: UnsignedPayout): Promise<bigint> {
  const { to, value, data } = transaction
  for (const client of clients) {
    try {
      const gas = await estimateGas(client, {
        from,
        to: String(to),
        value: String(value),
        data: String(data),
      })
      if (gas <= MOST_GAS) return smaller((gas * 5n + 3n) / 4n, MOST_GAS)
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
    msg: `The treasury ${from} has ${ether(positive(free))} ETH to pay with. With the network fee ${ether(needed)} are needed. Move coins from the deposit addresses to it first.`,
  })
}

function ether(wei: bigint): string {
  return quantityOf('ethereum', wei / GWEI)
}

function weiOf(gwei: number): bigint {
  return BigInt(Math.round(gwei * 1e9))
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/** What is stored of an Ethereum transaction: `payout_transactions.details`. */
interface StoredOrder
  extends Omit<PayoutOrder, 'quantity' | 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  readonly quantity: string
  readonly gasLimit: string
  readonly maxFeePerGas: string
  readonly maxPriorityFeePerGas: string
}

export function detailsOfEthereum(order: PayoutOrder): string {
  const details: StoredOrder = {
    ...order,
    quantity: order.quantity.toString(),
    gasLimit: order.gasLimit.toString(),
    maxFeePerGas: order.maxFeePerGas.toString(),
    maxPriorityFeePerGas: order.maxPriorityFeePerGas.toString(),
  }
  return JSON.stringify(details)
}

export function ethereumOrderOf(details: string): PayoutOrder {
  // Written by `detailsOfEthereum`.
  const stored = JSON.parse(details) as StoredOrder
  return {
    ...stored,
    quantity: BigInt(stored.quantity),
    gasLimit: BigInt(stored.gasLimit),
    maxFeePerGas: BigInt(stored.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(stored.maxPriorityFeePerGas),
  }
}
