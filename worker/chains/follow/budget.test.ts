import { afterEach, describe, expect, test } from 'vitest'
import { encodeCompactSize, joinBytes, toHex } from '../../../src/chain/bitcoin/bytes.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { parseTransaction, serializeTransaction } from '../../../src/chain/bitcoin/transaction.ts'
import { decodeHeader } from '../../../src/chain/ethereum/header.ts'
import { toHex as ethereumHex } from '../../../src/chain/ethereum/hex.ts'
import { encodeRlp } from '../../../src/chain/ethereum/rlp.ts'
import { buildTrie } from '../../../src/chain/ethereum/trie.ts'
import { DAY_MS } from '../../../src/time.ts'
import { mine, REGTEST_GENESIS } from '../../../test/support/bitcoinBlocks.ts'
import { type Observing, observe } from '../../../test/support/observing.ts'

/** Calls that a tick makes: 40 a minute, without those of investors who say that they have paid. */
const MOST_CALLS = 30

/** A chain of Bitcoin without a network: two servers answer the same. */
function standInBitcoin() {
  const blocks = [{ header: REGTEST_GENESIS, raw: new Blob([]), hash: parseHeader(REGTEST_GENESIS).hash }]
  const listed = (height: number) => {
    const header = parseHeader(blocks[height]?.header ?? '')
    return {
      id: header.hash,
      height,
      version: header.version,
      timestamp: header.time,
      merkle_root: header.merkleRoot,
      previousblockhash: height === 0 ? null : header.previousHash,
      nonce: header.nonce,
      bits: header.bits,
    }
  }
  return {
    /** Adds a block with one transaction, which pays this script. */
    add(script: string, time: number): void {
      const input = {
        txid: '11'.repeat(32),
        vout: blocks.length,
        script: '',
        sequence: 0xffffffff,
        witness: [],
      }
      const transaction = serializeTransaction({
        version: 2,
        lockTime: 0,
        inputs: [input],
        outputs: [{ script, value: 100_000n }],
      })
      const previous = blocks.at(-1)?.header ?? ''
      const header = mine(previous, {
        merkleRoot: parseTransaction(transaction).txid,
        time: Math.max(time, parseHeader(previous).time + 1),
      })
      const raw = joinBytes([
        Buffer.from(header, 'hex'),
        encodeCompactSize(1),
        Buffer.from(transaction, 'hex'),
      ])
      blocks.push({ header, raw: new Blob([new Uint8Array(raw)]), hash: parseHeader(header).hash })
    },
    answer(path: string): Response {
      const [, what, which, part] = path.split('/')
      if (what === 'blocks') {
        const top = which === undefined ? blocks.length - 1 : Number(which)
        return Response.json(Array.from({ length: Math.min(10, top + 1) }, (_, i) => listed(top - i)))
      }
      if (what === 'block' && part === 'raw')
        return new Response(blocks.find(({ hash }) => hash === which)?.raw ?? null)
      if (what === 'address') return Response.json([])
      return new Response('', { status: 404 })
    },
  }
}

/** An empty chain of Ethereum, whose newest block follows the clock. */
function standInEthereum(now: () => number) {
  const zero = (length: number) => new Uint8Array(length)
  const empty = buildTrie([]).root
  const blocks: { hash: string; json: Record<string, unknown> }[] = []
  const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  const genesis = now()
  const blockAt = (height: number) => {
    while (blocks.length <= height) {
      const number = blocks.length
      const parent = blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`
      const timestamp = Math.floor(genesis / 1000) + 12 * (number - START)
      const fields = [
        bytesOf(parent),
        zero(32),
        zero(20),
        zero(32),
        bytesOf(empty),
        bytesOf(empty),
        zero(256),
      ]
      const counts = [0n, BigInt(number), 0n, 0n, BigInt(timestamp)]
      const header = decodeHeader(ethereumHex(encodeRlp([...fields, ...counts, zero(0), zero(32), zero(8)])))
      const hex = (length: number) => `0x${'0'.repeat(2 * length)}`
      blocks.push({
        hash: header.hash,
        json: {
          hash: header.hash,
          parentHash: parent,
          sha3Uncles: hex(32),
          miner: hex(20),
          stateRoot: hex(32),
          transactionsRoot: empty,
          receiptsRoot: empty,
          logsBloom: hex(256),
          difficulty: '0x0',
          number: `0x${number.toString(16)}`,
          gasLimit: '0x0',
          gasUsed: '0x0',
          timestamp: `0x${timestamp.toString(16)}`,
          extraData: '0x',
          mixHash: hex(32),
          nonce: hex(8),
          transactions: [],
        },
      })
    }
    return blocks[height]?.json
  }
  const newest = () => START + Math.floor((now() - genesis) / 12_000)
  const result = (method: string, [first]: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return '0x7a69'
    if (method === 'eth_getLogs' || method === 'eth_getBlockReceipts') return []
    if (method === 'eth_getBalance') return '0x0'
    // Finality goes on in steps of an epoch.
    if (first === 'finalized') return blockAt(Math.floor((newest() - 64) / 32) * 32)
    return blockAt(first === 'latest' ? newest() : Number(first))
  }
  return {
    answer(body: string): Response {
      const questions = JSON.parse(body) as { id: number; method: string; params: unknown[] }[]
      return Response.json(
        questions.map(({ id, method, params }) => ({ id, result: result(method, params) })),
      )
    },
  }
}
const START = 200

const BITCOIN = ['https://one.example', 'https://two.example'] as const
const ETHEREUM = ['https://three.example', 'https://four.example'] as const

let platform: Observing
let calls: string[]
let bitcoin: ReturnType<typeof standInBitcoin>
let nowMs = 0
afterEach(() => platform.close())

async function begin(isOnEthereum: boolean): Promise<void> {
  calls = []
  bitcoin = standInBitcoin()
  nowMs = Date.now()
  const ethereum = standInEthereum(() => nowMs)
  platform = await observe({
    bitcoin: BITCOIN,
    ...(isOnEthereum && {
      ethereum: ETHEREUM,
      tokens: `usdt:0x${'aa'.repeat(20)} usdc:0x${'bb'.repeat(20)}`,
    }),
    fetch: async (address, init) => {
      const { origin, pathname } = new URL(address)
      calls.push(address)
      return BITCOIN.some((server) => server === origin)
        ? bitcoin.answer(pathname)
        : ethereum.answer(String(init.body))
    },
  })
}

/** Runs the job once. Returns the calls that it made. */
async function tick(): Promise<string[]> {
  calls = []
  nowMs += 60_000
  await platform.tick()
  return calls
}

describe('a thousand open deposits', () => {
  test('take at most thirty calls a minute, and no address is forgotten', { timeout: 120_000 }, async () => {
    await begin(true)
    const addresses: string[] = []
    const investors: string[] = []
    await tick()
    for (let i = 0; i < 1_000; i++) {
      const investor = await platform.investor()
      const address = await platform.addressOf(investor, 'btc')
      await platform.addressOf(investor, 'eth')
      await platform.announce(investor, 'btc', address, 60_00, 100_000n, '60000')
      addresses.push(address)
      investors.push(investor)
    }
    const [{ script } = { script: '' }] = await platform.rows<{ script: string }>(
      'SELECT script FROM deposit_addresses WHERE address = ?',
      addresses[700] ?? '',
    )
    const asked = new Map<string, number>()
    let ticks = 0
    for (; ticks < 200 && asked.size < addresses.length; ticks++) {
      if (ticks % 10 === 0)
        bitcoin.add(
          ticks === 30 ? script : `0014${toHex(new Uint8Array(20).fill(ticks))}`,
          Math.floor(nowMs / 1000),
        )
      const made = await tick()
      expect(made.length).toBeLessThanOrEqual(MOST_CALLS)
      for (const call of made) {
        const address = /\/address\/(\w+)\/txs$/.exec(call)?.[1]
        if (address !== undefined) asked.set(address, (asked.get(address) ?? 0) + 1)
      }
      // In a block, every payment is seen in the tick after it, whoever's turn it is.
      if (ticks === 30)
        expect(await platform.payments(investors[700] ?? '')).toMatchObject([{ state: 'confirming' }])
    }
    expect(new Set(addresses)).toEqual(new Set(asked.keys()))
    expect(ticks).toBeLessThan(80)
    const servers = await platform.rows('SELECT fault FROM chain_servers WHERE fault IS NOT NULL')
    expect(servers).toEqual([])
  })

  test('an old address is looked at each day, a new one each minute', { timeout: 60_000 }, async () => {
    await begin(false)
    const old = await platform.addressOf(await platform.investor(), 'btc')
    await tick()
    platform.pass(10 * DAY_MS)
    nowMs += 10 * DAY_MS
    const recent = await platform.addressOf(await platform.investor(), 'btc')
    const looks = { old: 0, recent: 0 }
    for (let i = 0; i < 60; i++) {
      const made = await tick()
      looks.old += made.filter((call) => call.includes(old)).length
      looks.recent += made.filter((call) => call.includes(recent)).length
    }
    expect(looks).toEqual({ old: 1, recent: 60 })
    platform.pass(DAY_MS)
    nowMs += DAY_MS
    expect((await tick()).filter((call) => call.includes(old))).toHaveLength(1)
  })
})
