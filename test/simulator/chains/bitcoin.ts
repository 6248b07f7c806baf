import { encodeCompactSize, parseHex } from '../../../src/chain/bitcoin/bytes.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { computeMerkleRoot } from '../../../src/chain/bitcoin/merkle.ts'
import { parseTransaction, serializeTransaction } from '../../../src/chain/bitcoin/transaction.ts'
import { joinBytes, toHex } from '../../../src/contract/bytes.ts'
import { DAY_MS } from '../../../src/time.ts'
import { mine, REGTEST_GENESIS } from '../../support/bitcoinBlocks.ts'
import type { Chance } from '../lane/chance.ts'

/** A transaction that was sent to the network. */
export interface SentTransaction {
  readonly txid: string
  /** With witnesses, hex. */
  readonly raw: string
  /** The coins that it spends, as `txid:n`. */
  readonly spends: readonly string[]
  readonly outputs: readonly { readonly script: string; readonly value: bigint }[]
  /** Satoshi. */
  readonly fee: bigint
  /** Whether it spends coins of outside payers. Their wallets are not simulated. */
  readonly isFromOutside: boolean
}

export interface BitcoinBlock {
  readonly height: number
  readonly hash: string
  /** 80 bytes, hex. */
  readonly header: string
  readonly transactions: readonly SentTransaction[]
}

/** What one server knows: its main chain by height, and its mempool. */
export interface BitcoinView {
  readonly main: readonly BitcoinBlock[]
  readonly mempool: readonly SentTransaction[]
}

/** Whether the scripts of the coins that a transaction (hex) spends, in their order, allow it. */
export type ScriptCheck = (
  raw: string,
  spends: readonly { readonly script: string; readonly value: bigint }[],
) => boolean

/** A block that miners leave out transactions of, and those that they include although they pay too little. */
export interface Mining {
  readonly nowMs: number
  /** Satoshi for a virtual byte, below which a payout waits. */
  readonly leastRate?: number
  /** The probability that a waiting payment is included. */
  readonly share?: number
}

/** Bitcoin on regtest rules in this process: real headers, Merkle trees and transactions, a mempool with replacement, and reorganisations. */
export class BitcoinChain {
  readonly #chance: Chance
  readonly #allowsScripts: ScriptCheck
  #main: BitcoinBlock[]
  #mempool: SentTransaction[] = []
  /** The transaction of the main chain that spends a coin. */
  #spent = new Map<string, string>()
  /** The value of each coin of the main chain. */
  #coins = new Map<string, { readonly value: bigint; readonly script: string }>()
  #branches = 0

  constructor(chance: Chance, startMs: number, allowsScripts: ScriptCheck = () => true) {
    this.#chance = chance
    this.#allowsScripts = allowsScripts
    const genesis = parseHeader(REGTEST_GENESIS)
    this.#main = [{ height: 0, hash: genesis.hash, header: REGTEST_GENESIS, transactions: [] }]
    // A day old, so that the platform searches none of them.
    for (let back = FIRST_BLOCKS; back > 0; back--) this.mine({ nowMs: startMs - DAY_MS - back * 600_000 })
  }

  get view(): BitcoinView {
    return { main: this.#main, mempool: this.#mempool }
  }

  get height(): number {
    return this.#main.length - 1
  }

  /** The unspent coins of the main chain. */
  coins(): { readonly script: string; readonly value: bigint }[] {
    return [...this.#coins].flatMap(([coin, found]) => (this.#spent.has(coin) ? [] : [found]))
  }

  /** Somebody outside pays these scripts. With `spending`, they spend the coins of that transaction again. */
  pay(
    outputs: readonly { readonly script: string; readonly value: bigint }[],
    spending?: SentTransaction,
  ): SentTransaction {
    const coins = spending?.spends ?? [`${this.#random(32)}:0`]
    const change = { script: `0014${this.#random(20)}`, value: BigInt(this.#chance.whole(10_000, 900_000)) }
    const all = [...outputs]
    all.splice(this.#chance.whole(0, all.length), 0, change)
    const raw = serializeTransaction({
      version: 2,
      lockTime: 0,
      inputs: coins.map((coin) => {
        const [txid = '', vout] = coin.split(':')
        return { txid, vout: Number(vout), script: '', sequence: 0xfffffffd, witness: [this.#random(64)] }
      }),
      outputs: all,
    })
    const transaction = read(raw, (spending?.fee ?? 200n) + 100n, true)
    this.#add(transaction)
    return transaction
  }

  /** Takes a transaction of the platform as a node does. Returns why it refuses it, or null. */
  broadcast(raw: string): string | null {
    let parsed: ReturnType<typeof parseTransaction>
    try {
      parsed = parseTransaction(raw)
    } catch {
      return 'TX decode failed'
    }
    const coins = this.spentBy(raw)
    if (
      coins.length < parsed.inputs.length ||
      parsed.inputs.some(({ txid, vout }) => this.#spent.has(`${txid}:${vout}`))
    )
      return 'bad-txns-inputs-missingorspent'
    let fee = coins.reduce((sum, { value }) => sum + value, 0n)
    for (const { value } of parsed.outputs) fee -= value
    if (fee < 0n) return 'bad-txns-in-belowout'
    const transaction = read(raw, fee, false)
    if (this.#knows(transaction.txid)) return 'txn-already-known'
    const rivals = this.#rivals(transaction)
    // Rules 3 and 4 of BIP 125. Like Bitcoin Core since 28.0, it replaces transactions that do not signal it, too.
    const least = rivals.reduce((sum, rival) => sum + rival.fee, BigInt(parsed.virtualSize))
    if (rivals.length > 0 && fee < least) return 'insufficient fee, rejecting replacement'
    if (!this.#allowsScripts(raw, coins)) return 'mandatory-script-verify-flag-failed'
    this.#add(transaction)
    return null
  }

  /** The coins that a transaction spends, as far as the chain or the mempool has them. */
  spentBy(raw: string): { readonly script: string; readonly value: bigint }[] {
    return parseTransaction(raw).inputs.flatMap(({ txid, vout }) => {
      const waiting = this.#mempool.find((each) => each.txid === txid)?.outputs[vout]
      return this.#coins.get(`${txid}:${vout}`) ?? waiting ?? []
    })
  }

  mine({ nowMs, leastRate = 0, share = 1 }: Mining): BitcoinBlock {
    const chosen: SentTransaction[] = []
    const created = new Set<string>()
    const isReady = ({ spends, isFromOutside }: SentTransaction) =>
      isFromOutside || spends.every((coin) => this.#coins.has(coin) || created.has(coin))
    const waiting = this.#mempool.filter(
      ({ fee, raw, isFromOutside }) =>
        (isFromOutside || Number(fee) >= leastRate * parseTransaction(raw).virtualSize) &&
        (share === 1 || this.#chance.is(share)),
    )
    for (let before = -1; before !== chosen.length; ) {
      before = chosen.length
      for (const each of waiting) {
        if (chosen.includes(each) || !isReady(each)) continue
        chosen.push(each)
        for (const n of each.outputs.keys()) created.add(`${each.txid}:${n}`)
      }
    }
    const previous = this.#main.at(-1)
    if (previous === undefined) throw new Error('There is no genesis block.')
    const height = previous.height + 1
    const transactions = [this.#reward(height), ...chosen]
    const time = Math.max(parseHeader(previous.header).time + 1, Math.floor(nowMs / 1000))
    const header = mine(previous.header, {
      merkleRoot: computeMerkleRoot(transactions.map(({ txid }) => txid)),
      time,
    })
    const block = { height, hash: parseHeader(header).hash, header, transactions }
    this.#main = [...this.#main, block]
    this.#mempool = this.#mempool.filter((each) => !chosen.includes(each))
    this.#count(block)
    this.#prune()
    return block
  }

  /**
   * Replaces the newest blocks by a longer branch. What was in them waits again, except `dropped`, whose coins are spent by somebody else in
   * the new branch.
   */
  reorganise(depth: number, dropped: readonly SentTransaction[], mining: Mining): void {
    const left = this.#main.slice(-depth)
    this.#main = this.#main.slice(0, -depth)
    const back = left.flatMap(({ transactions }) => transactions.slice(1))
    const without = dropped.map(({ txid }) => txid)
    this.#mempool = [...back, ...this.#mempool].filter(({ txid }) => !without.includes(txid))
    this.#spent = new Map()
    this.#coins = new Map()
    this.#branches += 1
    for (const block of this.#main) this.#count(block)
    for (const transaction of dropped) this.pay([], transaction)
    this.#prune()
    for (let mined = 0; mined <= depth; mined++) this.mine({ share: 0.6, ...mining })
  }

  #random(bytes: number): string {
    const filled = new Uint8Array(bytes)
    this.#chance.fill(filled)
    return toHex(filled)
  }

  /** The transaction of a block that creates its coins. */
  #reward(height: number): SentTransaction {
    const raw = serializeTransaction({
      version: 2,
      lockTime: 0,
      inputs: [
        {
          txid: '0'.repeat(64),
          vout: 0xffffffff,
          script: `04${toHex(new Uint8Array(Uint32Array.of(height).buffer))}04${toHex(new Uint8Array(Uint32Array.of(this.#branches).buffer))}`,
          sequence: 0xffffffff,
          witness: [],
        },
      ],
      outputs: [{ script: `0014${this.#random(20)}`, value: 5_000_000_000n }],
    })
    return read(raw, 0n, true)
  }

  #knows(txid: string): boolean {
    return [this.#mempool, ...this.#main.map(({ transactions }) => transactions)].some((list) =>
      list.some((each) => each.txid === txid),
    )
  }

  #rivals({ spends }: SentTransaction): SentTransaction[] {
    return this.#mempool.filter((each) => each.spends.some((coin) => spends.includes(coin)))
  }

  #add(transaction: SentTransaction): void {
    const rivals = this.#rivals(transaction)
    this.#mempool = [...this.#mempool.filter((each) => !rivals.includes(each)), transaction]
    this.#prune()
  }

  #count({ transactions }: BitcoinBlock): void {
    for (const { txid, spends, outputs } of transactions) {
      for (const coin of spends) this.#spent.set(coin, txid)
      for (const [n, output] of outputs.entries()) this.#coins.set(`${txid}:${n}`, output)
    }
  }

  /** Forgets what can never be mined: its coins are spent, or were never created. */
  #prune(): void {
    for (let before = -1; before !== this.#mempool.length; ) {
      before = this.#mempool.length
      const waiting = new Set(this.#mempool.map(({ txid }) => txid))
      this.#mempool = this.#mempool.filter(
        ({ spends, isFromOutside }) =>
          !spends.some((coin) => this.#spent.has(coin)) &&
          (isFromOutside || spends.every((coin) => this.#coins.has(coin) || waiting.has(coin.slice(0, 64)))),
      )
    }
  }
}

const FIRST_BLOCKS = 12

function read(raw: string, fee: bigint, isFromOutside: boolean): SentTransaction {
  const { txid, inputs, outputs } = parseTransaction(raw)
  return {
    txid,
    raw,
    spends: inputs.map((input) => `${input.txid}:${input.vout}`),
    outputs,
    fee,
    isFromOutside,
  }
}

/** The bytes of a block, as `GET /block/:hash/raw` gives them. */
export function rawBlock({ header, transactions }: BitcoinBlock): Uint8Array {
  return joinBytes([
    parseHex(header, 'The header'),
    encodeCompactSize(transactions.length),
    ...transactions.map(({ raw }) => parseHex(raw, 'The transaction')),
  ])
}
