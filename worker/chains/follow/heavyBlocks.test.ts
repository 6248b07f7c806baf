import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import type { BitcoinChain } from '../../../test/simulator/chains/bitcoin.ts'
import { type EthereumChain, FAKE_USDT, USDT } from '../../../test/simulator/chains/ethereum.ts'
import type { RpcQuestion } from '../../../test/simulator/chains/jsonRpc.ts'
import { type Observing, observe } from '../../../test/support/observing.ts'
import { openSimulatedChains } from '../../../test/support/simulatedChains.ts'
import { isRepresentative } from '../payments/dust.ts'

const ETHER = 10n ** 18n

let platform: Observing
let statements = 0
afterEach(() => platform.close())

/** D1's limits: https://developers.cloudflare.com/d1/platform/limits/ */
function checkLimits(
  queries: readonly { readonly sql: string; readonly params: readonly unknown[] }[],
): void {
  statements += queries.length
  for (const { sql, params } of queries) {
    expect(sql.length).toBeLessThan(100_000)
    expect(params.length).toBeLessThanOrEqual(100)
    for (const value of params) expect(String(value).length).toBeLessThan(2_000_000)
  }
}

/** Runs the job once. A Worker may send a thousand statements, which all jobs of a minute share. */
async function tick(): Promise<void> {
  statements = 0
  await platform.tick()
  expect(statements).toBeLessThan(500)
}

const faults = () =>
  platform.rows<{ server: string; fault: string }>(
    'SELECT server, fault FROM chain_servers WHERE fault IS NOT NULL',
  )

describe('on Ethereum', () => {
  let chain: EthereumChain
  /** Blocks whose receipts no server sends. */
  let broken: Set<number>
  /** The most blocks and addresses that one question may cover. A server refuses more. */
  let most: { blocks: number; addresses: number }
  const pass = (blocks: number) => {
    for (let i = 0; i < blocks; i++) chain.mine(platform.now())
  }

  beforeEach(async () => {
    const { ethereum, ethereumChain, tokens, fetch } = openSimulatedChains('heavy')
    chain = ethereumChain
    broken = new Set()
    most = { blocks: 1_000, addresses: 400 }
    platform = await observe({
      ethereum,
      tokens,
      queries: checkLimits,
      fetch: async (address, init) => {
        const questions = JSON.parse(String(init.body)) as RpcQuestion[]
        const answers = (await (await fetch(address, init)).json()) as object[]
        const isBroken = ({ method, params }: RpcQuestion) =>
          method === 'eth_getBlockReceipts' &&
          [...broken].some((height) => chain.view.blocks[height]?.header.hash === params[0])
        const isTooMany = ({ method, params: [filter] }: RpcQuestion) => {
          if (method !== 'eth_getLogs') return false
          const { fromBlock, toBlock, topics } = filter as Record<string, string>
          return (
            Number(toBlock) - Number(fromBlock) >= most.blocks ||
            !((topics?.[2]?.length ?? 0) <= most.addresses)
          )
        }
        // The second server refuses a batch as a whole, as the specification allows.
        if (address === ethereum[1] && questions.some(isTooMany))
          return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'too many' } })
        return Response.json(
          answers.map((answer, i) => {
            const question = questions[i]
            return question !== undefined && (isBroken(question) || isTooMany(question))
              ? { id: question.id, error: { message: 'response size exceeded' } }
              : answer
          }),
        )
      },
    })
    await tick()
  })

  /** An own address that is given after the blocks so far. */
  const customer = async () => {
    const id = await platform.investor()
    return { id, address: await platform.addressOf(id, 'eth') }
  }

  test('a cheap transfer in each of seventy blocks, whose receipts fit into no one answer, stops nobody', {
    timeout: 240_000,
  }, async () => {
    const thief = await customer()
    const honest = await customer()
    const stranger = `0x${'99'.repeat(20)}`
    const filling = Array.from({ length: 1_200 }, () => ({ to: stranger, quantity: 1n }))
    for (let i = 0; i < 70; i++) {
      chain.payToken(FAKE_USDT, filling)
      chain.payEther(thief.address, 1n)
      chain.mine(platform.now())
    }
    chain.payEther(honest.address, ETHER)
    pass(20)
    await tick()
    await tick()
    expect(await platform.payments(honest.id)).toMatchObject([{ state: 'credited' }])
    expect(await faults()).toEqual([])
    expect(await platform.rows('SELECT * FROM unsearched_blocks')).toEqual([])
  })

  test('four hundred addresses are asked about together, more in parts, and ten blocks where a server lists no more', {
    timeout: 240_000,
  }, async () => {
    const customers: Awaited<ReturnType<typeof customer>>[] = []
    while (customers.length < 401) customers.push(await customer())
    most.blocks = 10
    const paid = [customers[0], customers[400]].flatMap((one) => one ?? [])
    for (const { address } of paid) {
      chain.payToken(USDT, [{ to: address, quantity: 25_000_000n }])
      pass(9)
    }
    pass(24)
    for (let minutes = 0; minutes < 3; minutes++) await tick()
    for (const { id } of paid) expect(await platform.payments(id)).toMatchObject([{ state: 'credited' }])
    expect(await faults()).toEqual([])
    // While the servers list nothing, each block is read as a whole.
    most.blocks = 0
    const [late] = paid
    chain.payToken(USDT, [{ to: late?.address ?? '', quantity: 25_000_000n }])
    pass(13)
    await tick()
    const fault = 'refuses what it is asked'
    expect(await faults()).toMatchObject([{ fault }, { fault }])
    expect(await platform.payments(late?.id ?? '')).toMatchObject([
      { state: 'credited' },
      { state: 'credited' },
    ])
  })

  test('two thousand logs in one transaction give one row for each unknown contract, and payments that are proved', {
    timeout: 240_000,
  }, async () => {
    const thief = await customer()
    const honest = await customer()
    chain.payToken(
      FAKE_USDT,
      Array.from({ length: 2_000 }, () => ({ to: thief.address, quantity: 1n })),
    )
    chain.payToken(
      USDT,
      Array.from({ length: 2_000 }, () => ({ to: thief.address, quantity: 1n })),
    )
    chain.mine(platform.now())
    chain.payToken(USDT, [{ to: honest.address, quantity: 25_000_000n }])
    pass(20)
    const begun = process.cpuUsage()
    await tick()
    expect((process.cpuUsage(begun).user + process.cpuUsage(begun).system) / 1e6).toBeLessThan(15)
    await tick()
    expect(await platform.payments(honest.id)).toMatchObject([{ state: 'credited', quantity: '25000000' }])
    expect(
      await platform.rows(
        'SELECT kind, contract, quantity, transfers FROM unknown_receipts WHERE investor = ?',
        thief.id,
      ),
    ).toEqual([{ kind: 'token', contract: FAKE_USDT, quantity: '2000', transfers: 2_000 }])
    expect(await platform.payments(thief.id)).toHaveLength(2_000)
    // The transaction is stored once.
    expect(
      await platform.rows('SELECT length(proof) > 600000 AS long FROM chain_transactions ORDER BY 1'),
    ).toEqual([{ long: 0 }, { long: 1 }])
    expect(await faults()).toEqual([])
  })

  test('three hundred unknown contracts in one transaction give five rows', async () => {
    const thief = await customer()
    chain.payToken(
      FAKE_USDT,
      Array.from({ length: 300 }, (_, i) => ({
        ...{ to: thief.address, quantity: 7n },
        of: `0x${String(i).padStart(40, '0')}` as const,
      })),
    )
    pass(20)
    await tick()
    const rows = await platform.rows<{ transfers: number; quantity: string }>(
      'SELECT transfers, quantity FROM unknown_receipts ORDER BY transfers',
    )
    expect(rows.map(({ transfers }) => transfers)).toEqual([1, 1, 1, 1, 296])
    expect(new Set(rows.map(({ quantity }) => quantity))).toEqual(new Set(['7']))
  })

  test('a block that no server can answer about is left out, reported after three failures, and searched once it can be', async () => {
    const ana = await customer()
    const ben = await customer()
    chain.payEther(ana.address, ETHER)
    chain.mine(platform.now())
    const height = chain.view.blocks.length - 1
    broken.add(height)
    chain.payEther(ben.address, ETHER)
    pass(20)
    await tick()
    await tick()
    expect(await platform.payments(ben.id)).toMatchObject([{ state: 'credited' }])
    expect(await platform.rows('SELECT height, failures, fault FROM unsearched_blocks')).toEqual([
      { height, failures: 2, fault: 'refuses what it is asked' },
    ])
    pass(1)
    await tick()
    expect(await platform.rows('SELECT failures FROM unsearched_blocks')).toEqual([{ failures: 3 }])
    expect(platform.logs.filter((line) => line.includes('could not be searched'))).toEqual([
      expect.stringContaining(`"level":"alarm","chain":"ethereum","block":${height}`),
    ])
    broken.clear()
    for (let minutes = 0; minutes < 11; minutes++) {
      pass(1)
      await tick()
    }
    expect(await platform.rows('SELECT * FROM unsearched_blocks')).toEqual([])
    expect(await platform.payments(ana.id)).toMatchObject([{ state: 'credited' }])
  })
})

describe('on Bitcoin', () => {
  let chain: BitcoinChain
  const add = (outputs: readonly { script: string; value: bigint }[][]) => {
    for (const paid of outputs) chain.pay(paid)
    chain.mine({ nowMs: platform.now() })
  }
  let lists: (address: string) => string

  beforeEach(async () => {
    lists = () => '[]'
    const { bitcoin, bitcoinChain, fetch } = openSimulatedChains('heavy')
    chain = bitcoinChain
    platform = await observe({
      bitcoin,
      queries: checkLimits,
      fetch: (address, init) => {
        const [, listed] = /\/address\/(\w+)\/txs$/.exec(address) ?? []
        return listed === undefined ? fetch(address, init) : Promise.resolve(new Response(lists(listed)))
      },
    })
    await tick()
  })

  const customer = async () => {
    const id = await platform.investor()
    const address = await platform.addressOf(id, 'btc')
    return { id, address, script: decodeAddress(address, 'regtest') }
  }

  test('a thousand outputs of dust and a thousand of a dollar keep no other payment waiting, and a transaction is stored once', {
    timeout: 240_000,
  }, async () => {
    const thief = await customer()
    const honest = await customer()
    add([
      Array.from({ length: 1_000 }, () => ({ script: thief.script, value: 600n })),
      Array.from({ length: 1_000 }, () => ({ script: thief.script, value: 3_000n })),
      [{ script: honest.script, value: 1_000_000n }],
    ])
    await tick()
    expect(await platform.payments(thief.id)).toHaveLength(2_000)
    for (let i = 0; i < 2; i++) add([[{ script: '51', value: 1n }]])
    await tick()
    await tick()
    expect(await platform.payments(honest.id)).toMatchObject([{ state: 'credited' }])
    expect(await platform.rows('SELECT count(*) AS n FROM chain_transactions')).toEqual([{ n: 3 }])
    // Operators see the dust of the transaction once.
    for (let i = 0; i < 12; i++) await tick()
    const shown = await platform.db.all(
      sql`SELECT reason, count(*) OVER () AS n FROM payments WHERE state = 'queued' AND ${isRepresentative()}`,
    )
    expect(shown).toEqual([{ reason: 'dust', n: 1 }])
    expect(await faults()).toEqual([])
  })

  test('a transaction whose proof is too large to store becomes one receipt for operators, and the others of its block are credited', async () => {
    const ana = await customer()
    const ben = await customer()
    const filling = Array.from({ length: 26_000 }, () => ({ script: `0014${'00'.repeat(20)}`, value: 1n }))
    const large = { script: ana.script, value: 500_000n }
    add([[large, ...filling, large], [{ script: ben.script, value: 1_000_000n }]])
    for (let i = 0; i < 2; i++) add([[{ script: '51', value: 1n }]])
    await tick()
    await tick()
    expect(await platform.payments(ben.id)).toMatchObject([{ state: 'credited' }])
    expect(await platform.payments(ana.id)).toEqual([])
    expect(
      await platform.rows('SELECT kind, contract, quantity, transfers, investor FROM unknown_receipts'),
    ).toEqual([{ kind: 'oversized', contract: null, quantity: '1000000', transfers: 2, investor: ana.id }])
    expect(await faults()).toEqual([])
  })

  test('an address with more to list than fits into an answer is no server’s fault', async () => {
    const thief = await customer()
    const honest = await customer()
    lists = (address) => (address === thief.address ? `[${' '.repeat(5 * 1024 * 1024)}]` : '[]')
    for (let i = 0; i < 3; i++) await tick()
    expect(await faults()).toEqual([])
    add([[{ script: honest.script, value: 1_000_000n }]])
    for (let i = 0; i < 2; i++) add([[{ script: '51', value: 1n }]])
    await tick()
    await tick()
    expect(await platform.payments(honest.id)).toMatchObject([{ state: 'credited' }])
  })
})
