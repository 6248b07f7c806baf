import { hexToBytes } from '@noble/hashes/utils.js'
import { doubleSha, scriptHashOf, type Tx } from './transactions.ts'

/** Seconds since 1970 in times; hex in display order in hashes. */
export interface Block {
  readonly hash: string
  readonly height: number
  /** 80 bytes in hex. */
  readonly header: string
  readonly version: number
  readonly previous: string
  readonly merkleRoot: string
  readonly time: number
  /** The median of this block's and the ten previous times. */
  readonly medianTime: number
  readonly bits: number
  readonly nonce: number
  readonly size: number
  readonly weight: number
  readonly txs: readonly Tx[]
}

/** Where a transaction stands: in a block of the best chain, or in the mempool (null). */
export type Place = { readonly block: Block; readonly position: number } | null

export interface Known {
  readonly tx: Tx
  readonly place: Place
}

/**
 * The index that an Esplora server keeps beside its node: blocks, transactions by id and by output script, and which input
 * spends an output. The node's events change the confirmed part. `mempool` returns the node's mempool, oldest first.
 */
export function createLedger(mempool: () => readonly Tx[]) {
  /** Includes blocks that left the best chain. */
  const blocks = new Map<string, Block>()
  const best: Block[] = []
  const confirmed = new Map<string, { readonly tx: Tx; readonly place: NonNullable<Place> }>()
  const idsOfScript = new Map<string, Set<string>>()
  const spenders = new Map<string, { readonly tx: Tx; readonly vin: number }>()

  const find = (txid: string): Known | null => {
    const tx = confirmed.get(txid) ?? mempool().find((each) => each.txid === txid)
    return tx === undefined ? null : 'place' in tx ? tx : { tx, place: null }
  }

  /** The output that an input spends. Undefined for a coinbase. */
  const spentBy = ({ txid, vout }: { readonly txid: string; readonly vout: number }) =>
    find(txid)?.tx.outputs[vout]

  const scriptHashes = (tx: Tx) =>
    new Set(
      [...tx.outputs, ...tx.inputs.flatMap((input) => spentBy(input) ?? [])].map(({ script }) =>
        scriptHashOf(script),
      ),
    )

  function connect(height: number, raw: Uint8Array, txs: readonly Tx[]): void {
    const header = Uint8Array.from(raw.subarray(0, 80))
    const view = new DataView(header.buffer)
    const hex = Buffer.from(header).toString('hex')
    const time = view.getUint32(68, true)
    const times = [...best.slice(-10).map((each) => each.time), time].toSorted((a, b) => a - b)
    const base = txs.reduce(
      (sum, { size, weight }) => sum + (weight - size) / 3,
      raw.length - txs.reduce((sum, { size }) => sum + size, 0),
    )
    const block: Block = {
      hash: doubleSha(header),
      height,
      header: hex,
      version: view.getInt32(0, true),
      previous: reversed(hex.slice(8, 72)),
      merkleRoot: reversed(hex.slice(72, 136)),
      time,
      medianTime: times[Math.floor(times.length / 2)] ?? time,
      bits: view.getUint32(72, true),
      nonce: view.getUint32(76, true),
      size: raw.length,
      weight: base * 3 + raw.length,
      txs,
    }
    blocks.set(block.hash, block)
    best[height] = block
    for (const [position, tx] of txs.entries()) {
      confirmed.set(tx.txid, { tx, place: { block, position } })
      for (const [vin, { txid, vout }] of tx.inputs.entries()) spenders.set(`${txid}:${vout}`, { tx, vin })
      for (const hash of scriptHashes(tx))
        idsOfScript.set(hash, (idsOfScript.get(hash) ?? new Set()).add(tx.txid))
    }
  }

  function disconnect(): void {
    for (const tx of best.pop()?.txs.toReversed() ?? []) {
      for (const hash of scriptHashes(tx)) idsOfScript.get(hash)?.delete(tx.txid)
      for (const { txid, vout } of tx.inputs) spenders.delete(`${txid}:${vout}`)
      confirmed.delete(tx.txid)
    }
  }

  /** The confirmed transactions that pay or spend a script, newest first. */
  const confirmedOf = (scriptHash: string): Known[] =>
    [...(idsOfScript.get(scriptHash) ?? [])]
      .flatMap((txid) => confirmed.get(txid) ?? [])
      .toSorted((a, b) => b.place.block.height - a.place.block.height || b.place.position - a.place.position)

  /** The same in the mempool. */
  const unconfirmedOf = (scriptHash: string): Known[] =>
    mempool()
      .toReversed()
      .filter((tx) => scriptHashes(tx).has(scriptHash))
      .map((tx) => ({ tx, place: null }))

  /** The input that spends an output, in a block or in the mempool. */
  function spenderOf(txid: string, vout: number): { readonly tx: Tx; readonly vin: number } | null {
    const inBlock = spenders.get(`${txid}:${vout}`)
    if (inBlock) return inBlock
    for (const tx of mempool()) {
      const vin = tx.inputs.findIndex((input) => input.txid === txid && input.vout === vout)
      if (vin >= 0) return { tx, vin }
    }
    return null
  }

  /** Satoshis. 0 for a coinbase. */
  const feeOf = (tx: Tx) =>
    tx.isCoinbase
      ? 0
      : tx.inputs.reduce((sum, input) => sum + (spentBy(input)?.satoshi ?? 0), 0) -
        tx.outputs.reduce((sum, { satoshi }) => sum + satoshi, 0)

  return {
    connect,
    disconnect,
    find,
    spentBy,
    spenderOf,
    feeOf,
    confirmedOf,
    unconfirmedOf,
    block: (hash: string) => blocks.get(hash) ?? null,
    blockAt: (height: number) => best[height] ?? null,
    isInBestChain: ({ height, hash }: Block) => best[height]?.hash === hash,
    tip: () => {
      const tip = best.at(-1)
      if (tip === undefined) throw new Error('The chain has no block yet.')
      return tip
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>

const reversed = (hex: string) => Buffer.from(hexToBytes(hex).toReversed()).toString('hex')
