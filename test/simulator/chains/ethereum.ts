import { keccak_256 } from '@noble/hashes/sha3.js'
import { decodeHeader, type Header } from '../../../src/chain/ethereum/header.ts'
import { type Hex, parseHex, toHex } from '../../../src/chain/ethereum/hex.ts'
import { ETHER_LOGGER, TRANSFER } from '../../../src/chain/ethereum/proof.ts'
import { encodeReceipt } from '../../../src/chain/ethereum/receipt.ts'
import { encodeRlp, type RlpItem } from '../../../src/chain/ethereum/rlp.ts'
import { deriveSender } from '../../../src/chain/ethereum/sender.ts'
import { decodeFields, encodeTransaction } from '../../../src/chain/ethereum/transaction.ts'
import { buildTrie } from '../../../src/chain/ethereum/trie.ts'
import type { Chance } from '../lane/chance.ts'

export const CHAIN_ID = 31_337
/** Contracts of the simulated chain: the token that is taken, one with the same name, and one that writes events and moves nothing. */
export const USDT: Hex = `0x${'da'.repeat(20)}`
export const USDC: Hex = `0x${'dc'.repeat(20)}`
export const FAKE_USDT: Hex = `0x${'fa'.repeat(20)}`
export const EMPTY_TOKEN: Hex = `0x${'ee'.repeat(20)}`
/** A contract that passes ether on. */
export const FORWARDER: Hex = `0x${'f0'.repeat(20)}`

/** Blocks after which one is finalised. On the main network it takes 64 and more, which changes nothing but the time. */
const FINAL_AFTER = 12

/** What a transaction does when it is mined. Addresses are in lower case. */
interface Effect {
  readonly succeeds: boolean
  readonly logs: readonly EventLog[]
  /** Changes of balances. */
  readonly moves: readonly {
    readonly address: string
    readonly asset: 'wei' | 'usdt'
    readonly amount: bigint
  }[]
}

export interface EventLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A transaction that waits or is in a block. */
export interface EthereumTransaction {
  readonly hash: Hex
  readonly json: Readonly<Record<string, unknown>>
  readonly encoded: Uint8Array
  readonly gas: bigint
  /** What its sender pays for a unit of gas, in wei. */
  readonly gasPrice: bigint
  readonly effect: (chain: EthereumChain) => Effect
  /** Of the platform's treasury; null from outside. */
  readonly from: string | null
  readonly nonce: number
  /** Whether the operators move what deposit addresses hold. */
  readonly isSweep: boolean
}

export interface EthereumBlock {
  readonly header: Header
  readonly json: Readonly<Record<string, unknown>>
  readonly transactions: readonly EthereumTransaction[]
  readonly receipts: readonly Receipt[]
  /** What each transaction changed. */
  readonly moves: readonly Effect['moves'][]
}

export interface Receipt extends Readonly<Record<string, unknown>> {
  readonly status: string
  readonly logs: readonly (EventLog & Readonly<Record<string, unknown>>)[]
}

/** What one server knows. */
export interface EthereumView {
  readonly blocks: readonly EthereumBlock[]
  readonly pending: readonly EthereumTransaction[]
}

export const BASE_FEE = 1_000_000_000n
export const PRIORITY_FEE = 100_000_000n
const FIRST_BLOCKS = 20

/** Ethereum in this process: real headers, transactions and receipts in their tries, balances, and reorganisations before finality. */
export class EthereumChain {
  readonly #chance: Chance
  #blocks: EthereumBlock[] = []
  #pending: EthereumTransaction[] = []
  /** What earlier transactions of the block that is being made changed. */
  #moving: readonly Effect['moves'][] = []
  /** Receivers that have become contracts which refuse ether. */
  readonly refusing = new Set<string>()
  /** The fork of the blocks that are made from now on. */
  fork: Fork = 'london'

  constructor(chance: Chance, startMs: number) {
    this.#chance = chance
    for (let back = FIRST_BLOCKS; back > 0; back--) this.mine(startMs - back * 12_000)
  }

  get view(): EthereumView {
    return { blocks: this.#blocks, pending: this.#pending }
  }

  get finalised(): number {
    return finalisedIn(this.#blocks)
  }

  /** What an account holds at a block, in wei or units of the token. */
  balance(asset: 'wei' | 'usdt', address: string): bigint {
    return (
      balanceIn(this.#blocks, asset, address, this.#blocks.length) + movedTo(this.#moving, asset, address)
    )
  }

  payEther(to: string, wei: bigint): EthereumTransaction {
    return this.#send({ to, value: wei }, () => paid([], [{ address: to, asset: 'wei', amount: wei }]))
  }

  /** Several transfers of a token in one transaction, as exchanges pay their customers. */
  payToken(
    contract: Hex,
    transfers: readonly { readonly to: string; readonly quantity: bigint; readonly of?: Hex }[],
  ): EthereumTransaction {
    const logs = transfers.map(({ to, quantity, of = contract }) =>
      transferLog(of, `0x${this.#random(20)}`, to, quantity),
    )
    const moves =
      contract === USDT
        ? transfers.map(({ to, quantity }) => ({ address: to, asset: 'usdt' as const, amount: quantity }))
        : []
    return this.#send({ to: contract, value: 0n, input: '0xa9059cbb' }, () => paid(logs, moves))
  }

  /** A transaction that is mined and fails: it moves nothing and writes no event. */
  payAndFail(to: string, wei: bigint): EthereumTransaction {
    return this.#send({ to, value: wei }, () => FAILED)
  }

  /** Ether that a contract sends while it runs: it leaves no trace in the block but the state. */
  payThroughContract(to: string, wei: bigint): EthereumTransaction {
    return this.#send({ to: FORWARDER, value: wei }, () =>
      paid([], [{ address: to, asset: 'wei', amount: wei }]),
    )
  }

  /** The operators' own software moves everything that an account holds then to another one. The gas is paid from outside. */
  sweep(from: string, to: string): void {
    for (const asset of ['wei', 'usdt'] as const) {
      if (this.balance(asset, from) === 0n) continue
      const receiver = asset === 'wei' ? to : USDT
      this.#send({ to: receiver, value: 0n, input: '0x01', isSweep: true }, (chain) => {
        const amount = chain.balance(asset, from)
        return paid(asset === 'usdt' && amount > 0n ? [transferLog(USDT, from, to, amount)] : [], [
          { address: from, asset, amount: -amount },
          { address: to, asset, amount },
        ])
      })
    }
  }

  /** A payer replaces a waiting transaction by another one, so that it is never mined. */
  forget(hash: Hex): void {
    this.#pending = this.#pending.filter((each) => each.hash !== hash)
  }

  /** Takes a signed transaction of the platform as a node does. Returns why it refuses it, or null. */
  broadcast(raw: string): string | null {
    const encoded = parseHex(raw, 'transaction')
    const { fields } = decodeFields(encoded)
    const from = deriveSender(encoded).toLowerCase()
    const json = jsonOf(fields)
    const hash = toHex(keccak_256(encoded))
    const nonce = Number(json.nonce)
    if (this.#has(hash)) return 'already known'
    if (nonce < this.nonceOf(from)) return 'nonce too low'
    const rival = this.#pending.find((each) => each.from === from && each.nonce === nonce)
    const [most, tip] = [BigInt(json.maxFeePerGas), BigInt(json.maxPriorityFeePerGas)]
    if (rival !== undefined && most * 10n < BigInt(String(rival.json.maxFeePerGas)) * 11n)
      return 'replacement transaction underpriced'
    const gasPrice = most < BASE_FEE + tip ? most : BASE_FEE + tip
    const effect = (chain: EthereumChain) => effectOf(chain, from, json)
    const sent = {
      hash,
      json: { ...json, hash },
      encoded,
      gas: gasOf(json),
      gasPrice,
      effect,
      from,
      nonce,
      isSweep: false,
    }
    this.#pending = [...this.#pending.filter((each) => each !== rival), sent]
    return null
  }

  /** The number of the next transaction of an account in its blocks. */
  nonceOf(from: string): number {
    return this.#blocks.reduce(
      (sum, { transactions }) => sum + transactions.filter((each) => each.from === from).length,
      0,
    )
  }

  /** @param leastFee wei for a unit of gas, below which payouts wait */
  mine(
    nowMs: number,
    { leastFee = 0n, share = 1 }: { readonly leastFee?: bigint; readonly share?: number } = {},
  ): void {
    const chosen: EthereumTransaction[] = []
    const next = new Map<string, number>()
    for (const each of this.#pending.toSorted((a, b) => a.nonce - b.nonce)) {
      const { from, nonce, gasPrice } = each
      if (from === null) {
        if (share === 1 || this.#chance.is(share)) chosen.push(each)
        continue
      }
      const expected = next.get(from) ?? this.nonceOf(from)
      if (nonce !== expected || gasPrice < leastFee) continue
      next.set(from, nonce + 1)
      chosen.push(each)
    }
    this.#pending = this.#pending.filter((each) => !chosen.includes(each))
    this.#blocks = [...this.#blocks, this.#blockOf(chosen, nowMs)]
  }

  /**
   * Replaces the newest blocks by as many others. What was in them waits again, except `dropped`.
   *
   * @param share the probability that a block includes a waiting payment
   */
  reorganise(depth: number, dropped: readonly Hex[], nowMs: number, share = 0.6): void {
    const left = this.#blocks.slice(-depth)
    this.#blocks = this.#blocks.slice(0, -depth)
    const back = left.flatMap(({ transactions }) => transactions)
    this.#pending = [...back, ...this.#pending].filter(({ hash }) => !dropped.includes(hash))
    for (let mined = 0; mined < depth; mined++) this.mine(nowMs, { share })
  }

  #has(hash: string): boolean {
    return (
      this.#pending.some((each) => each.hash === hash) ||
      this.#blocks.some(({ transactions }) => transactions.some((each) => each.hash === hash))
    )
  }

  #random(bytes: number): string {
    const filled = new Uint8Array(bytes)
    this.#chance.fill(filled)
    return Buffer.from(filled).toString('hex')
  }

  #send(
    {
      to,
      value,
      input = '0x',
      isSweep = false,
    }: { readonly to: string; readonly value: bigint; readonly input?: string; readonly isSweep?: boolean },
    effect: EthereumTransaction['effect'],
  ): EthereumTransaction {
    const json = {
      type: '0x2',
      chainId: quantityHex(CHAIN_ID),
      nonce: quantityHex(this.#chance.whole(0, 1_000_000)),
      maxPriorityFeePerGas: quantityHex(PRIORITY_FEE),
      maxFeePerGas: quantityHex(2n * BASE_FEE),
      gas: '0x186a0',
      to: to.toLowerCase(),
      value: quantityHex(value),
      input,
      accessList: [],
      // The signatures of outside payers are made up, because nothing checks them.
      yParity: '0x1',
      r: `0x1${this.#random(31)}`,
      s: `0x1${this.#random(31)}`,
    }
    const encoded = encodeTransaction(json)
    const hash = toHex(keccak_256(encoded))
    const sent = {
      hash,
      json: { ...json, hash },
      encoded,
      gas: 50_000n,
      gasPrice: BASE_FEE + PRIORITY_FEE,
      effect,
      from: null,
      nonce: 0,
      isSweep,
    }
    this.#pending = [...this.#pending, sent]
    return sent
  }

  #blockOf(transactions: readonly EthereumTransaction[], nowMs: number): EthereumBlock {
    const parent = this.#blocks.at(-1)
    const block = blockAfter(parent, transactions, {
      nowMs,
      // No two blocks have the same hash.
      extraData: `0x${this.#random(8)}`,
      fork: this.fork,
      effect: (each, before) => {
        this.#moving = before
        return each.effect(this)
      },
    })
    this.#moving = []
    return block
  }
}

/** Builds a block after another one. What its transactions do is asked one after the other. */
export function blockAfter(
  parent: EthereumBlock | undefined,
  transactions: readonly EthereumTransaction[],
  {
    nowMs,
    extraData,
    fork = 'london',
    effect,
  }: {
    readonly nowMs: number
    readonly extraData: Hex
    readonly fork?: Fork
    readonly effect: (each: EthereumTransaction, before: readonly Effect['moves'][]) => Effect
  },
): EthereumBlock {
  const height = (parent?.header.number ?? -1) + 1
  const moves: Effect['moves'][] = []
  const plain: {
    readonly type: string
    readonly status: string
    readonly cumulativeGasUsed: string
    readonly logsBloom: string
    readonly logs: readonly EventLog[]
  }[] = []
  let gasUsed = 0n
  for (const each of transactions) {
    const { succeeds, logs, moves: done } = effect(each, moves)
    gasUsed += each.gas
    const gas = { address: each.from ?? '', asset: 'wei', amount: -each.gas * each.gasPrice } as const
    moves.push(each.from === null ? done : [...done, gas])
    plain.push({
      type: '0x2',
      status: succeeds ? '0x1' : '0x0',
      cumulativeGasUsed: quantityHex(gasUsed),
      logsBloom: NO_BLOOM,
      logs: fork === 'london' ? logs : [...etherLogs(done), ...logs],
    })
  }
  const fields = {
    parentHash: parent?.header.hash ?? NO_HASH,
    sha3Uncles: NO_HASH,
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: NO_HASH,
    transactionsRoot: buildTrie(transactions.map(({ encoded }) => encoded)).root,
    receiptsRoot: buildTrie(plain.map(encodeReceipt)).root,
    logsBloom: NO_BLOOM,
    difficulty: '0x0',
    number: quantityHex(height),
    gasLimit: quantityHex(30_000_000n),
    gasUsed: quantityHex(gasUsed),
    timestamp: quantityHex(Math.max((parent?.header.timestamp ?? 0) + 1, Math.floor(nowMs / 1000))),
    extraData,
    mixHash: NO_HASH,
    nonce: '0x0000000000000000',
    baseFeePerGas: quantityHex(BASE_FEE),
    ...(fork !== 'london' && AMSTERDAM),
    ...(fork === 'later' && { laterRoot: NO_HASH }),
  }
  const header = decodeHeader(
    toHex(
      encodeRlp(
        Object.entries(fields).map(([name, value]) =>
          QUANTITIES.has(name) ? BigInt(value) : parseHex(value, name),
        ),
      ),
    ),
  )
  const place = { blockHash: header.hash, blockNumber: fields.number }
  let logIndex = 0
  const receipts = plain.map((receipt, i) => {
    const at = { ...place, transactionHash: transactions[i]?.hash, transactionIndex: quantityHex(i) }
    return {
      ...receipt,
      ...at,
      logs: receipt.logs.map((log) => ({ ...log, ...at, logIndex: quantityHex(logIndex++), removed: false })),
    }
  })
  return { header, json: { ...fields, hash: header.hash }, transactions, receipts, moves }
}

/** A fork of the main network; `later` has a field that nobody knows yet. */
type Fork = 'london' | 'amsterdam' | 'later'

const NO_HASH: Hex = `0x${'00'.repeat(32)}`
/** What Amsterdam and the forks before it add to a header. */
const AMSTERDAM = {
  withdrawalsRoot: NO_HASH,
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: NO_HASH,
  requestsHash: NO_HASH,
  blockAccessListHash: NO_HASH,
  slotNumber: '0x7',
}
const NO_BLOOM: Hex = `0x${'00'.repeat(256)}`
const QUANTITIES = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'],
  ...['blobGasUsed', 'excessBlobGas', 'slotNumber'],
])

/** From Amsterdam on each movement of ether writes an event (EIP-7708). */
function etherLogs(moves: Effect['moves']): EventLog[] {
  return moves.flatMap(({ address, asset, amount }) =>
    asset === 'wei' && amount > 0n ? [transferLog(ETHER_LOGGER, USDT, address, amount)] : [],
  )
}
const FAILED: Effect = { succeeds: false, logs: [], moves: [] }

function paid(logs: Effect['logs'], moves: Effect['moves']): Effect {
  return {
    succeeds: true,
    logs,
    moves: moves.map((move) => ({ ...move, address: move.address.toLowerCase() })),
  }
}

/** What a transaction of the platform does: it pays ether or the token, and fails without enough of it. */
function effectOf(chain: EthereumChain, from: string, { to, value, input }: SignedFields): Effect {
  const wei = BigInt(value)
  if (to !== USDT) {
    if (chain.refusing.has(to) || chain.balance('wei', from) < wei) return FAILED
    return paid(
      [],
      [
        { address: from, asset: 'wei', amount: -wei },
        { address: to, asset: 'wei', amount: wei },
      ],
    )
  }
  const receiver = `0x${input.slice(34, 74)}`
  const quantity = BigInt(`0x${input.slice(74)}`)
  if (chain.balance('usdt', from) < quantity) return FAILED
  return paid(
    [transferLog(USDT, from, receiver, quantity)],
    [
      { address: from, asset: 'usdt', amount: -quantity },
      { address: receiver, asset: 'usdt', amount: quantity },
    ],
  )
}

interface SignedFields {
  readonly type: '0x2'
  readonly chainId: string
  readonly nonce: string
  readonly maxPriorityFeePerGas: string
  readonly maxFeePerGas: string
  readonly gas: string
  readonly to: string
  readonly value: string
  readonly input: string
  readonly accessList: readonly []
  readonly yParity: string
  readonly r: string
  readonly s: string
}

function jsonOf(fields: readonly RlpItem[]): SignedFields {
  const bytes = (at: number) => toHex(fields[at] instanceof Uint8Array ? fields[at] : new Uint8Array())
  const number = (at: number) => quantityHex(BigInt(bytes(at) === '0x' ? 0 : bytes(at)))
  return {
    type: '0x2',
    chainId: number(0),
    nonce: number(1),
    maxPriorityFeePerGas: number(2),
    maxFeePerGas: number(3),
    gas: number(4),
    to: bytes(5),
    value: number(6),
    input: bytes(7),
    accessList: [],
    yParity: number(9),
    r: number(10),
    s: number(11),
  }
}

function gasOf({ input }: SignedFields): bigint {
  return input === '0x' ? 21_000n : 52_000n
}

export function transferLog(contract: Hex, from: string, to: string, quantity: bigint): EventLog {
  return { address: contract, topics: [TRANSFER, word(from), word(to)], data: word(quantityHex(quantity)) }
}

/** 32 bytes, as topics and data have them. */
export function word(hex: string): Hex {
  return `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`
}

export function quantityHex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

export function finalisedIn(blocks: readonly EthereumBlock[]): number {
  return Math.max(0, blocks.length - 1 - FINAL_AFTER)
}

export function balanceIn(
  blocks: readonly EthereumBlock[],
  asset: 'wei' | 'usdt',
  address: string,
  height: number,
): bigint {
  return blocks
    .filter(({ header }) => header.number <= height)
    .reduce((sum, { moves }) => sum + movedTo(moves, asset, address), 0n)
}

function movedTo(moves: readonly Effect['moves'][], asset: 'wei' | 'usdt', address: string): bigint {
  let sum = 0n
  for (const ofOne of moves)
    for (const move of ofOne)
      if (move.asset === asset && move.address === address.toLowerCase()) sum += move.amount
  return sum
}
