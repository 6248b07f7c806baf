import { hexToBytes } from '@noble/hashes/utils.js'
import { RawTx } from '@scure/btc-signer/script.js'
import { addressOf, decodeTx, doubleSha, scriptOf } from '../bitcoin/transactions.ts'
import { type Answer, type Lie, type Question, randomHash, swapped } from './lie.ts'

type Get = (path: string) => Promise<string>

interface Paid {
  readonly address: string
  readonly satoshi: number
}

/** Lies of an Esplora server. `get` asks the honest one. */
export const bitcoinLies = {
  /** The tip stays where it is now: later blocks, and confirmations in them, are not mentioned. */
  staleTip: async (get: Get) => knownUpTo(get, Number(await get('/blocks/tip/height'))),

  /** Goes back to a chain that is this much shorter. */
  olderTip: async (get: Get, { blocks }: { readonly blocks: number }) =>
    knownUpTo(get, Number(await get('/blocks/tip/height')) - blocks),

  /** In JSON, outputs to an address have another amount. The bytes of the transaction stay. */
  wrongAmount: (_: Get, paid: Paid) => withAmount(paid),

  /** The same in the bytes too, so that they no longer have the transaction's id. */
  wrongTransactionBytes(_: Get, paid: Paid): Lie {
    const json = withAmount(paid)
    return {
      answer: (question, answer) => {
        if (!/^\/tx\/\w+\/hex$/.test(question.path) || answer.status !== 200)
          return json.answer(question, answer)
        const tx = RawTx.decode(hexToBytes(answer.body))
        const outputs = tx.outputs.map((output) =>
          addressOf(Buffer.from(output.script).toString('hex')) === paid.address
            ? { ...output, amount: BigInt(paid.satoshi) }
            : output,
        )
        return { ...answer, body: Buffer.from(RawTx.encode({ ...tx, outputs })).toString('hex') }
      },
    }
  },

  /** A payment that nobody made, said to be six blocks deep, with all answers that belong to it and the path of another one. */
  async inventedTransaction(get: Get, { address, satoshi }: Paid): Promise<Lie> {
    const height = Number(await get('/blocks/tip/height')) - 5
    const hash = await get(`/block-height/${height}`)
    const [neighbour = ''] = JSON.parse(await get(`/block/${hash}/txids`)) as string[]
    const { timestamp } = JSON.parse(await get(`/block/${hash}`)) as { timestamp: number }
    const raw = RawTx.encode({
      version: 2,
      segwitFlag: true,
      inputs: [
        { txid: hexToBytes(neighbour), index: 0, finalScriptSig: new Uint8Array(), sequence: 0xfffffffd },
      ],
      outputs: [{ amount: BigInt(satoshi), script: hexToBytes(scriptOf(address)) }],
      witnesses: [[new Uint8Array(71).fill(1), new Uint8Array(33).fill(2)]],
      lockTime: 0,
    })
    const { txid, hex, size, weight } = decodeTx(raw)
    const status = { confirmed: true, block_height: height, block_hash: hash, block_time: timestamp }
    const vout = [{ scriptpubkey: scriptOf(address), scriptpubkey_address: address, value: satoshi }]
    const vin = [{ txid: neighbour, vout: 0, is_coinbase: false, sequence: 0xfffffffd }]
    const tx = { txid, version: 2, locktime: 0, vin, vout, size, weight, fee: 1000, status }
    const answers: Readonly<Record<string, string>> = {
      [`/tx/${txid}`]: JSON.stringify(tx),
      [`/tx/${txid}/hex`]: hex,
      [`/tx/${txid}/status`]: JSON.stringify(status),
      [`/tx/${txid}/merkle-proof`]: JSON.stringify({ block_height: height, merkle: [neighbour], pos: 1 }),
    }
    const added: Readonly<Record<string, unknown>> = {
      [`/address/${address}/txs`]: tx,
      [`/address/${address}/txs/chain`]: tx,
      [`/address/${address}/utxo`]: { txid, vout: 0, status, value: satoshi },
    }
    return {
      answer: ({ path }, answer) => {
        if (answers[path] !== undefined) return { status: 200, body: answers[path] }
        return path in added
          ? { ...answer, body: JSON.stringify([added[path], ...(JSON.parse(answer.body) as unknown[])]) }
          : answer
      },
    }
  },

  /** Payments to an address are not mentioned. */
  hiddenTransactions: (_: Get, { address }: { readonly address: string }): Lie => ({
    answer: ({ path }, answer) =>
      path.startsWith(`/address/${address}/`) && answer.status === 200 ? { ...answer, body: '[]' } : answer,
  }),

  /** The Merkle path of every transaction has a wrong hash in it. */
  forgedMerklePath: (): Lie => ({
    answer: ({ path }, answer) => {
      if (!path.endsWith('/merkle-proof') || answer.status !== 200) return answer
      const proof = JSON.parse(answer.body) as { merkle: string[] }
      return {
        ...answer,
        body: JSON.stringify({ ...proof, merkle: [randomHash(), ...proof.merkle.slice(1)] }),
      }
    },
  }),

  /** The tip's header has another nonce, so that its hash is above the target. All answers agree with it. */
  async weakHeader(get: Get): Promise<Lie> {
    const real = await get('/blocks/tip/hash')
    const header = Buffer.from(await get(`/block/${real}/header`), 'hex')
    do header.writeUInt32LE((header.readUInt32LE(76) + 1) >>> 0, 76)
    while (hasWork(header))
    return swapped(real, doubleSha(header), ({ path }, answer) =>
      path === `/block/${real}/header` ? { ...answer, body: header.toString('hex') } : answer,
    )
  },

  /** The block at a height has another hash, by which nothing is known. */
  async otherBlockHash(get: Get, { height }: { readonly height: number }): Promise<Lie> {
    return swapped(await get(`/block-height/${height}`), randomHash(), ({ path }, answer) =>
      path.endsWith('/header') ? { status: 404, body: 'Block not found' } : answer,
    )
  },
}

/** Whether the header's hash is at most the target that it states in compact form. */
function hasWork(header: Buffer): boolean {
  const bits = header.readUInt32LE(72)
  return BigInt(`0x${doubleSha(header)}`) <= BigInt(bits & 0xffffff) << BigInt(8 * ((bits >>> 24) - 3))
}

async function knownUpTo(get: Get, height: number): Promise<Lie> {
  const hash = await get(`/block-height/${height}`)
  const blocks = await get(`/blocks/${height}`)
  const fixed: Readonly<Record<string, string>> = {
    '/blocks/tip/height': String(height),
    '/blocks/tip/hash': hash,
    '/blocks': blocks,
  }
  const statuses = inJson((value) =>
    isObject(value) && 'confirmed' in value && Number(value.block_height) > height
      ? { confirmed: false }
      : value,
  )
  return {
    answer: (question, answer) => {
      const { path } = question
      const at = /^\/block-height\/(\d+)$/.exec(path)?.[1]
      if (fixed[path] !== undefined) return { status: 200, body: fixed[path] }
      if (at !== undefined && Number(at) > height) return { status: 404, body: 'Block not found' }
      return statuses.answer(question, answer)
    },
  }
}

const withAmount = ({ address, satoshi }: Paid) =>
  inJson((value, path) =>
    isObject(value) &&
    (value.scriptpubkey_address === address || ('txid' in value && path === `/address/${address}/utxo`))
      ? { ...value, value: satoshi }
      : value,
  )

/** Changes each value of an answer in JSON, inner ones first. */
function inJson(change: (value: unknown, path: string) => unknown): Required<Pick<Lie, 'answer'>> {
  return {
    answer: ({ path }: Question, answer: Answer) => {
      if (answer.status !== 200 || !/^[[{]/.test(answer.body)) return answer
      const body = JSON.parse(answer.body, (_, value: unknown) => change(value, path)) as unknown
      return { ...answer, body: JSON.stringify(body) }
    },
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
