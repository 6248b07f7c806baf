import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { encodeCompactSize } from '../../../src/chain/bitcoin/bytes.ts'
import type { Block, Known, Ledger, Place } from './ledger.ts'
import { asmOf, typeOf } from './scripts.ts'
import { addressOf, type Output, scriptHashOf, scriptOf, type Tx } from './transactions.ts'

// The part of Esplora's HTTP API that a watch-only wallet needs, as https://github.com/Blockstream/esplora/blob/master/API.md
// describes it, in the words and forms of its server (electrs).

/** A string is sent as text, bytes as they are, and everything else as JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

const CONFIRMED_PAGE = 25
const UNCONFIRMED_PAGE = 50
const BLOCKS_PAGE = 10

class NotFound extends Error {}
class BadRequest extends Error {}

/** The answer to a GET of this path. */
export function answerEsplora(ledger: Ledger, path: string): Answer {
  const parts = path.split('/').slice(1)
  try {
    const body = ROUTES[parts[0] ?? '']?.(ledger, parts.slice(1))
    if (body === undefined) throw new NotFound('endpoint does not exist')
    return { status: 200, body }
  } catch (error) {
    if (error instanceof NotFound) return { status: 404, body: error.message }
    if (error instanceof BadRequest) return { status: 400, body: error.message }
    throw error
  }
}

/** Undefined if there is no such path. */
type Route = (ledger: Ledger, parts: readonly string[]) => unknown

const ROUTES: Readonly<Record<string, Route>> = {
  'block-height': (ledger, [height = '']) => blockAt(ledger, height).hash,
  block: (ledger, [hash = '', what, start = '0']) => {
    const block = ledger.block(hash)
    if (block === null) throw new NotFound('Block not found')
    if (what === undefined) return blockJson(block)
    if (what === 'header') return block.header
    if (what === 'raw') return rawBlock(block)
    if (what === 'txids') return block.txs.map(({ txid }) => txid)
    if (what === 'txs')
      return page(block, Number(start)).map((tx, index) =>
        txJson(ledger, { tx, place: { block, position: Number(start) + index } }),
      )
    if (what === 'status') return blockStatus(ledger, block)
    return undefined
  },
  blocks: (ledger, [start, what]) => {
    if (start === 'tip' && what === 'height') return String(ledger.tip().height)
    if (start === 'tip' && what === 'hash') return ledger.tip().hash
    const first = start === undefined ? ledger.tip() : blockAt(ledger, start)
    return Array.from({ length: Math.min(BLOCKS_PAGE, first.height + 1) }, (_, index) =>
      blockJson(blockAt(ledger, String(first.height - index))),
    )
  },
  address: (ledger, [address = '', ...rest]) =>
    script(ledger, { address }, scriptHashOfAddress(address), rest),
  scripthash: (ledger, [scripthash = '', ...rest]) => script(ledger, { scripthash }, scripthash, rest),
  tx: (ledger, [txid = '', what, vout]) => {
    const known = ledger.find(txid)
    if (known === null) throw new NotFound('Transaction not found')
    if (what === undefined) return txJson(ledger, known)
    if (what === 'hex') return known.tx.hex
    if (what === 'raw') return hexToBytes(known.tx.hex)
    if (what === 'status') return statusJson(known.place)
    if (what === 'merkle-proof') return merkleProof(known)
    if (what === 'outspend') return outspend(ledger, txid, Number(vout))
    if (what === 'outspends') return known.tx.outputs.map((_, index) => outspend(ledger, txid, index))
    return undefined
  },
}

function scriptHashOfAddress(address: string): string {
  try {
    return scriptHashOf(scriptOf(address))
  } catch {
    throw new BadRequest('Invalid Bitcoin address')
  }
}

function blockAt(ledger: Ledger, height: string): Block {
  const block = ledger.blockAt(Number(height))
  if (block === null) throw new NotFound('Block not found')
  return block
}

/** The whole block as the network sends it. */
function rawBlock({ header, txs }: Block): Uint8Array {
  const count = encodeCompactSize(txs.length)
  return Buffer.concat([hexToBytes(header), count, ...txs.map(({ hex }) => hexToBytes(hex))])
}

function page({ txs }: Block, start: number): readonly Tx[] {
  if (start % CONFIRMED_PAGE !== 0)
    throw new BadRequest(`start index must be a multipication of ${CONFIRMED_PAGE}`)
  return txs.slice(start, start + CONFIRMED_PAGE)
}

function script(ledger: Ledger, name: object, hash: string, [what, which, last]: readonly string[]): unknown {
  const confirmed = ledger.confirmedOf(hash)
  const unconfirmed = ledger.unconfirmedOf(hash)
  const json = (all: readonly Known[]) => all.map((known) => txJson(ledger, known))
  if (what === undefined)
    return {
      ...name,
      chain_stats: stats(ledger, hash, confirmed),
      mempool_stats: stats(ledger, hash, unconfirmed),
    }
  if (what === 'utxo') return utxos(ledger, hash, [...confirmed, ...unconfirmed])
  if (what !== 'txs') return undefined
  if (which === undefined)
    return json([...unconfirmed.slice(0, UNCONFIRMED_PAGE), ...confirmed.slice(0, CONFIRMED_PAGE)])
  if (which === 'mempool') return json(unconfirmed.slice(0, UNCONFIRMED_PAGE))
  if (which !== 'chain') return undefined
  const from = last === undefined ? 0 : confirmed.findIndex(({ tx }) => tx.txid === last) + 1
  // An unknown last transaction has nothing after it.
  return json(last !== undefined && from === 0 ? [] : confirmed.slice(from, from + CONFIRMED_PAGE))
}

function stats(ledger: Ledger, hash: string, known: readonly Known[]) {
  const isOurs = (output: Output | undefined): output is Output =>
    output !== undefined && scriptHashOf(output.script) === hash
  const funded = known.flatMap(({ tx }) => tx.outputs.filter(isOurs))
  const spent = known.flatMap(({ tx }) => tx.inputs.map((input) => ledger.spentBy(input)).filter(isOurs))
  const sum = (outputs: readonly Output[]) => outputs.reduce((total, { satoshi }) => total + satoshi, 0)
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: known.length,
  }
}

function utxos(ledger: Ledger, hash: string, known: readonly Known[]) {
  return known.flatMap(({ tx, place }) =>
    tx.outputs.flatMap(({ script, satoshi }, vout) =>
      scriptHashOf(script) === hash && !ledger.spenderOf(tx.txid, vout)
        ? [{ txid: tx.txid, vout, status: statusJson(place), value: satoshi }]
        : [],
    ),
  )
}

function txJson(ledger: Ledger, { tx, place }: Known) {
  return {
    txid: tx.txid,
    version: tx.version,
    locktime: tx.lockTime,
    vin: tx.inputs.map((input) => {
      const prevout = ledger.spentBy(input)
      return {
        txid: input.txid,
        vout: input.vout,
        prevout: prevout === undefined ? null : outputJson(prevout),
        scriptsig: input.scriptSig,
        scriptsig_asm: asmOf(input.scriptSig),
        ...(input.witness.length > 0 && { witness: input.witness }),
        is_coinbase: tx.isCoinbase,
        sequence: input.sequence,
      }
    }),
    vout: tx.outputs.map(outputJson),
    size: tx.size,
    weight: tx.weight,
    fee: ledger.feeOf(tx),
    status: statusJson(place),
  }
}

function outputJson({ script, satoshi }: Output) {
  const address = addressOf(script)
  return {
    scriptpubkey: script,
    scriptpubkey_asm: asmOf(script),
    scriptpubkey_type: typeOf(script),
    ...(address !== undefined && { scriptpubkey_address: address }),
    value: satoshi,
  }
}

const statusJson = (place: Place) =>
  place === null
    ? { confirmed: false }
    : {
        confirmed: true,
        block_height: place.block.height,
        block_hash: place.block.hash,
        block_time: place.block.time,
      }

function blockJson(block: Block) {
  return {
    id: block.hash,
    height: block.height,
    version: block.version,
    timestamp: block.time,
    tx_count: block.txs.length,
    size: block.size,
    weight: block.weight,
    merkle_root: block.merkleRoot,
    previousblockhash: block.height === 0 ? null : block.previous,
    mediantime: block.medianTime,
    nonce: block.nonce,
    bits: block.bits,
    difficulty: difficultyOf(block.bits),
  }
}

/** How much harder than the easiest target of the main network a target is, from its compact form. */
const difficultyOf = (bits: number) => (0xffff / (bits & 0xffffff)) * 256 ** (0x1d - (bits >>> 24))

function blockStatus(ledger: Ledger, block: Block) {
  const isInBestChain = ledger.isInBestChain(block)
  return {
    in_best_chain: isInBestChain,
    ...(isInBestChain && { height: block.height, next_best: ledger.blockAt(block.height + 1)?.hash ?? null }),
  }
}

/** The other node of each level of the Merkle tree, from the transaction up. */
function merkleProof({ place }: Known) {
  if (place === null) throw new NotFound('Transaction not found or is unconfirmed')
  const merkle: string[] = []
  let level = place.block.txs.map(({ txid }) => hexToBytes(txid).toReversed())
  for (let position = place.position; level.length > 1; position >>= 1) {
    // The last node of an odd level is its own neighbour.
    const neighbour = level[position ^ 1] ?? level[position]
    merkle.push(Buffer.from(neighbour?.toReversed() ?? []).toString('hex'))
    level = level.flatMap((left, index) =>
      index % 2 === 0 ? [sha256(sha256(Buffer.concat([left, level[index + 1] ?? left])))] : [],
    )
  }
  return { block_height: place.block.height, merkle, pos: place.position }
}

function outspend(ledger: Ledger, txid: string, vout: number) {
  const spender = ledger.spenderOf(txid, vout)
  if (spender === null) return { spent: false }
  const place = ledger.find(spender.tx.txid)?.place ?? null
  return { spent: true, txid: spender.tx.txid, vin: spender.vin, status: statusJson(place) }
}
