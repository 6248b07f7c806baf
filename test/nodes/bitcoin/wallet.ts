import { hexToBytes } from '@noble/hashes/utils.js'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { pubECDSA, randomPrivateKeyBytes } from '@scure/btc-signer/utils.js'
import type { BitcoinControl, Payment, PayOptions, ReorganiseOptions } from './control.ts'
import type { Node } from './node.ts'
import { decodeTx, REGTEST, scriptHashOf, scriptOf, type Tx } from './transactions.ts'

/** Blocks until a reward can be spent. */
const MATURITY = 100
/** A change output below this is left to the fee. */
const DUST_SATOSHI = 1_000
/** Virtual bytes of a P2WPKH input and output, and of what every transaction has. */
const INPUT_VSIZE = 68
const OUTPUT_VSIZE = 43
const FIXED_VSIZE = 11
const FINAL = 0xffffffff
const REPLACEABLE = 0xfffffffd

interface Coin {
  readonly txid: string
  readonly vout: number
  readonly satoshi: number
}

interface Plan {
  /** Coins that must be spent. More are added as needed. */
  readonly coins: readonly Coin[]
  readonly outputs: readonly { readonly script: string; readonly satoshi: number }[]
  readonly feeRate: number
  readonly sequence: number
}

/** A wallet with a fresh key for the node's rewards, and the control functions that need one. */
export function createWallet({ ledger, broadcast, evict, mineBlock, blockAt }: Node) {
  const key = randomPrivateKeyBytes()
  const { script: ownBytes } = p2wpkh(pubECDSA(key), REGTEST)
  const ownScript = Buffer.from(ownBytes).toString('hex')

  /** Confirmed coins first, small ones first. */
  function coins(): Coin[] {
    const mature = ledger.tip().height + 1 - MATURITY
    const hash = scriptHashOf(ownScript)
    return [...ledger.confirmedOf(hash), ...ledger.unconfirmedOf(hash)]
      .filter(({ tx, place }) => !tx.isCoinbase || (place !== null && place.block.height <= mature))
      .flatMap(({ tx, place }) =>
        tx.outputs.flatMap(({ script, satoshi }, vout) =>
          script === ownScript && !ledger.spenderOf(tx.txid, vout)
            ? [{ txid: tx.txid, vout, satoshi, isConfirmed: place !== null }]
            : [],
        ),
      )
      .toSorted((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed) || a.satoshi - b.satoshi)
  }

  /** Builds and signs a transaction, with change to the wallet, and returns its hex. */
  function build({ coins: given, outputs, feeRate, sequence }: Plan): string {
    const paid = outputs.reduce((sum, { satoshi }) => sum + satoshi, 0)
    const feeOf = (inputs: number) =>
      Math.ceil((FIXED_VSIZE + INPUT_VSIZE * inputs + OUTPUT_VSIZE * (outputs.length + 1)) * feeRate)
    const spent = [...given]
    const others = coins().filter(
      ({ txid, vout }) => !spent.some((coin) => coin.txid === txid && coin.vout === vout),
    )
    const missing = () => paid + feeOf(spent.length) - spent.reduce((sum, { satoshi }) => sum + satoshi, 0)
    while (missing() > 0) {
      // One coin that suffices, or else the largest.
      const one = others.find(({ satoshi }) => satoshi >= missing() + INPUT_VSIZE * feeRate) ?? others.at(-1)
      if (one === undefined) throw new Error('The test wallet has not enough: mine some blocks.')
      others.splice(others.indexOf(one), 1)
      spent.push(one)
    }
    const change = -missing()
    const tx = new Transaction({ allowUnknownOutputs: true })
    for (const { txid, vout, satoshi } of spent)
      tx.addInput({ txid, index: vout, sequence, witnessUtxo: { script: ownBytes, amount: BigInt(satoshi) } })
    for (const { script, satoshi } of outputs)
      tx.addOutput({ script: hexToBytes(script), amount: BigInt(satoshi) })
    if (change >= DUST_SATOSHI) tx.addOutput({ script: ownBytes, amount: BigInt(change) })
    tx.sign(key)
    tx.finalize()
    return tx.hex
  }

  /** The coins that a payment of this wallet spends. Throws if another's key is needed. */
  const coinsSpentBy = (tx: Tx): Coin[] =>
    tx.inputs.map((input) => {
      const coin = ledger.spentBy(input)
      if (coin?.script !== ownScript) throw new Error(`${tx.txid} is not a payment of the test wallet.`)
      return { txid: input.txid, vout: input.vout, satoshi: coin.satoshi }
    })

  const isOwn = (tx: Tx) =>
    !tx.isCoinbase && tx.inputs.every((input) => ledger.spentBy(input)?.script === ownScript)

  function found(txid: string): Tx {
    const known = ledger.find(txid)
    if (known === null) throw new Error(`No transaction ${txid}`)
    return known.tx
  }

  function unconfirmed(txid: string): Tx {
    if (ledger.find(txid)?.place) throw new Error(`${txid} is confirmed already.`)
    return found(txid)
  }

  /** A transaction with the same inputs that pays the wallet itself. */
  const conflictOf = (tx: Tx) =>
    decodeTx(hexToBytes(build({ coins: coinsSpentBy(tx), outputs: [], feeRate: 20, sequence: REPLACEABLE })))

  const payMany = (payments: readonly Payment[], { feeRate = 10, replaceable = true }: PayOptions = {}) =>
    broadcast(
      build({
        coins: [],
        outputs: payments.map(({ address, satoshi }) => ({ script: scriptOf(address), satoshi })),
        feeRate,
        sequence: replaceable ? REPLACEABLE : FINAL,
      }),
    )

  const control: Omit<BitcoinControl, 'broadcast' | 'estimateFees'> = {
    async mine(blocks, toAddress) {
      const script = toAddress === undefined ? ownScript : scriptOf(toAddress)
      const hashes: string[] = []
      for (let mined = 0; mined < blocks; mined++) hashes.push((await mineBlock(script)).rhash())
      return hashes
    },

    pay: (address, satoshi, options) => payMany([{ address, satoshi }], options),
    payMany,

    async replace(txid, { feeRate, to } = {}) {
      const tx = unconfirmed(txid)
      const enough = (ledger.feeOf(tx) / (tx.weight / 4)) * 1.5 + 2
      const kept = tx.outputs.filter(({ script }) => script !== ownScript)
      return broadcast(
        build({
          coins: coinsSpentBy(tx),
          outputs: kept.map((output, index) =>
            to !== undefined && index === 0 ? { ...output, script: scriptOf(to) } : output,
          ),
          feeRate: feeRate ?? enough,
          sequence: REPLACEABLE,
        }),
      )
    },

    async doubleSpend(txid) {
      const conflict = conflictOf(unconfirmed(txid))
      await mineBlock(ownScript, undefined, [conflict])
      return conflict.txid
    },

    async reorganise(depth, options = {}) {
      const { height } = ledger.tip()
      if (!Number.isInteger(depth) || depth < 1 || depth > height)
        throw new Error(`No blocks to replace: ${depth}`)
      const old = Array.from({ length: depth }, (_, index) => ledger.blockAt(height - depth + 1 + index))
        .flatMap((block) => block?.txs ?? [])
        .filter(({ isCoinbase }) => !isCoinbase)
      const { kept, conflicts, dropped } = sortOut(old, options)
      let parent = await blockAt(height - depth)
      const hashes: string[] = []
      for (let index = 0; index <= depth; index++) {
        parent = await mineBlock(ownScript, parent, index === 0 ? [...kept, ...conflicts] : [])
        hashes.push(parent.rhash())
      }
      // The node itself returns only some of them to its mempool.
      for (const { hex } of old) await broadcast(hex).catch(() => undefined)
      for (const { txid } of dropped) evict(txid)
      return hashes
    },
  }

  /** What the new branch contains. A transaction is kept, or double-spent, with those whose outputs it spends. */
  function sortOut(old: readonly Tx[], { keep = [], drop = [] }: ReorganiseOptions) {
    for (const txid of [...keep, ...drop])
      if (!old.some((tx) => tx.txid === txid)) throw new Error(`${txid} is not in the blocks to replace.`)
    const needed = new Set([...keep, ...drop])
    for (const tx of old.toReversed())
      if (needed.has(tx.txid)) for (const { txid } of tx.inputs) needed.add(txid)
    const dropped = old.filter(({ txid }) => drop.includes(txid))
    const isGone = ({ txid }: { readonly txid: string }) => drop.includes(txid)
    return {
      dropped,
      kept: old.filter((tx) => needed.has(tx.txid) && !isGone(tx)),
      // One that spends a dropped transaction is gone with it.
      conflicts: dropped.filter((tx) => isOwn(tx) && !tx.inputs.some(isGone)).map((tx) => conflictOf(tx)),
    }
  }

  /** Splits a reward into coins of this size, so that payments do not depend on each other. */
  const split = (coins: number, satoshi: number) =>
    broadcast(
      build({
        coins: [],
        outputs: Array.from({ length: coins }, () => ({ script: ownScript, satoshi })),
        feeRate: 1,
        sequence: FINAL,
      }),
    )

  return { ...control, split }
}
