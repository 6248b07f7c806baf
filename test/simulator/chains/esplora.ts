import { encodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { buildMerkleTree } from '../../../src/chain/bitcoin/merkle.ts'
import { type BitcoinBlock, type BitcoinView, rawBlock, type SentTransaction } from './bitcoin.ts'

/** What a server answers: its status, and JSON, text or bytes. */
export interface ServerAnswer {
  readonly status: number
  readonly body: unknown
}

export const NOT_FOUND: ServerAnswer = { status: 404, body: 'Not found' }

const MOST_LISTED = 10
const MOST_WAITING = 50
const MOST_MINED = 25

/** Answers a question with this view as electrs does (https://github.com/Blockstream/electrs/blob/new-index/src/rest.rs). */
export function answerEsplora(view: BitcoinView, path: string): ServerAnswer {
  const { main, mempool } = view
  const [, what = '', name = '', more = '', last = ''] = path.split('/')
  const ok = (body: unknown): ServerAnswer => ({ status: 200, body })
  switch (what) {
    case 'blocks': {
      const from = name === '' ? main.length - 1 : Number(name)
      return ok(
        main
          .slice(Math.max(0, from - MOST_LISTED + 1), from + 1)
          .map(listed)
          .toReversed(),
      )
    }
    case 'block': {
      const block = main.find(({ hash }) => hash === name)
      if (block === undefined) return NOT_FOUND
      return ok(more === 'raw' ? rawBlock(block) : block.header)
    }
    case 'address': {
      const concerns = ({ outputs }: SentTransaction) =>
        outputs.some(({ script }) => addressIn(script) === name)
      return ok([
        ...mempool
          .filter(concerns)
          .slice(0, MOST_WAITING)
          .map((each) => shown(each, false)),
        ...main
          .toReversed()
          .flatMap(({ transactions }) => transactions.filter(concerns).map((each) => shown(each, true)))
          .slice(0, MOST_MINED),
      ])
    }
    case 'tx': {
      const block = main.find(({ transactions }) => transactions.some(({ txid }) => txid === name))
      const found = [...(block?.transactions ?? []), ...mempool].find(({ txid }) => txid === name)
      const outspend = (output: number) => ({
        spent: [...main.flatMap(({ transactions }) => transactions), ...mempool].some(({ spends }) =>
          spends.includes(`${name}:${output}`),
        ),
      })
      // Also of a transaction that it does not know.
      if (more === 'outspend') return ok(outspend(Number(last)))
      if (found === undefined) return NOT_FOUND
      if (more === '') return ok(shown(found, block !== undefined))
      if (more === 'outspends') return ok(found.outputs.map((_output, at) => outspend(at)))
      if (more !== 'merkle-proof' || block === undefined) return NOT_FOUND
      return ok(pathOf(block, name))
    }
    case 'fee-estimates':
      return ok({ 2: 9.5, 6: 4, 144: 1 })
    default:
      return NOT_FOUND
  }
}

/** A block as `GET /blocks` lists it. */
export function listed({ height, header }: Pick<BitcoinBlock, 'height' | 'header'>) {
  const { hash, version, time, merkleRoot, previousHash, nonce, bits } = parseHeader(header)
  return {
    id: hash,
    height,
    version,
    timestamp: time,
    merkle_root: merkleRoot,
    previousblockhash: previousHash,
    nonce,
    bits,
  }
}

/** The Merkle path of a transaction of a block. */
export function pathOf({ height, transactions }: BitcoinBlock, txid: string) {
  const pos = transactions.findIndex((each) => each.txid === txid)
  const merkle = buildMerkleTree(transactions.map((each) => each.txid)).pathOf(pos)
  return { block_height: height, pos, merkle }
}

/** A transaction as servers list it. */
export function shown({ txid, outputs }: Pick<SentTransaction, 'txid' | 'outputs'>, confirmed: boolean) {
  return {
    txid,
    vout: outputs.map(({ script, value }) => ({ scriptpubkey: script, value: Number(value) })),
    status: { confirmed },
  }
}

const addresses = new Map<string, string>()

/** Encoding an address takes longer than everything else here. */
function addressIn(script: string): string {
  const known = addresses.get(script) ?? encodeAddress(script, 'regtest') ?? ''
  addresses.set(script, known)
  return known
}
