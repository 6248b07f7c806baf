import * as z from 'zod/mini'
import { encodeLittleEndian, hashBytes } from '../../../src/chain/bitcoin/bytes.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { joinBytes, toHex } from '../../../src/contract/bytes.ts'
import { type CallBudget, fetchFromServer, parseJson, ServerFault, TooLarge } from './server.ts'

/** A client of an Esplora server (https://github.com/Blockstream/esplora/blob/master/API.md). Each method is one call. */
export interface Esplora {
  /** Its base URL. */
  readonly server: string
  /** Headers of up to ten blocks down from a height or the newest one, lowest first. Each header has the hash that the server claims. */
  blocks(from?: number): Promise<ListedBlock[]>
  /** A whole block; null if the server has none with this hash. */
  rawBlock(hash: string): Promise<Uint8Array | null>
  /** A block's header in hexadecimal, or null. */
  header(hash: string): Promise<string | null>
  /** The newest transactions that concern an address, unconfirmed ones first. */
  transactionsOf(address: string): Promise<ListedTransaction[]>
  /** Whether the server knows a transaction, in a block or waiting for one. */
  knows(txid: string): Promise<boolean>
}

export interface ListedBlock {
  readonly height: number
  readonly hash: string
  /** 80 bytes, hex. */
  readonly header: string
}

const HASH = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const whole = z.number().check(z.int(), z.minimum(0))
const uint32 = whole.check(z.maximum(0xffffffff))

const listedBlock = z.object({
  id: HASH,
  height: whole,
  version: z.number().check(z.int()),
  timestamp: uint32,
  merkle_root: HASH,
  previousblockhash: z.nullable(HASH),
  nonce: uint32,
  bits: uint32,
})

const listedTransaction = z.object({
  txid: HASH,
  vout: z.array(z.object({ scriptpubkey: z.string().check(z.regex(/^(?:[0-9a-f]{2})*$/)), value: whole })),
  status: z.object({ confirmed: z.boolean() }),
})
export type ListedTransaction = z.output<typeof listedTransaction>

const JSON_BYTES = 4 * 1024 * 1024
/** A block has at most 4,000,000 units of weight, and a byte counts at least one. */
const BLOCK_BYTES = 4_000_000

export function createEsplora(server: string, budget: CallBudget): Esplora {
  const fetchBytes = (path: string, maxBytes = JSON_BYTES) =>
    fetchFromServer(`${server}${path}`, { budget, maxBytes })
  async function fetchJson<T>(path: string, schema: z.ZodMiniType<T>): Promise<T> {
    const bytes = await fetchBytes(path)
    const parsed = schema.safeParse(bytes === null ? null : parseJson(bytes))
    if (!parsed.success) throw new ServerFault('answers in another form than Esplora')
    return parsed.data
  }
  return {
    server,
    blocks: async (from) => {
      const path = from === undefined ? '/blocks' : `/blocks/${from}`
      const listed = await fetchJson(path, z.array(listedBlock).check(z.minLength(1), z.maxLength(50)))
      const blocks = listed.map(buildHeader).reverse()
      if (blocks.some(({ height }, i) => height !== (blocks[0]?.height ?? 0) + i))
        throw new ServerFault('lists blocks with a gap')
      return blocks
    },
    rawBlock: (hash) => fetchBytes(`/block/${hash}/raw`, BLOCK_BYTES),
    header: async (hash) => {
      const bytes = await fetchBytes(`/block/${hash}/header`, 1_000)
      const text = bytes === null ? null : new TextDecoder().decode(bytes).trim()
      if (text !== null && !/^[0-9a-f]{160}$/.test(text))
        throw new ServerFault('answers in another form than Esplora')
      return text
    },
    transactionsOf: (address) => fetchJson(`/address/${address}/txs`, z.array(listedTransaction)),
    // Not `/tx/:txid/status`, which answers 200 for unknown transactions too.
    knows: async (txid) => {
      try {
        return (await fetchBytes(`/tx/${txid}`)) !== null
      } catch (error) {
        // Strangers make large transactions.
        if (error instanceof TooLarge) return true
        throw error
      }
    },
  }
}

/** Puts the 80 bytes together from the listed fields. Refuses fields that do not have the claimed hash. */
function buildHeader(block: z.output<typeof listedBlock>): ListedBlock {
  const header = toHex(
    joinBytes([
      encodeLittleEndian(block.version, 4),
      hashBytes(block.previousblockhash ?? '0'.repeat(64), 'The hash'),
      hashBytes(block.merkle_root, 'The hash'),
      encodeLittleEndian(block.timestamp, 4),
      encodeLittleEndian(block.bits, 4),
      encodeLittleEndian(block.nonce, 4),
    ]),
  )
  if (parseHeader(header).hash !== block.id) throw new ServerFault('lists blocks with a false hash')
  return { height: block.height, hash: block.id, header }
}
