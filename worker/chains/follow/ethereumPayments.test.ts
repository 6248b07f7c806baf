import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import {
  EMPTY_TOKEN,
  type EthereumChain,
  FAKE_USDT,
  USDC,
  USDT,
} from '../../../test/simulator/chains/ethereum.ts'
import type { RpcQuestion } from '../../../test/simulator/chains/jsonRpc.ts'
import { type Observing, observe, RATES } from '../../../test/support/observing.ts'
import { openSimulatedChains } from '../../../test/support/simulatedChains.ts'

let chain: EthereumChain
let platform: Observing
/** Whether the second server answers nonsense. */
let lie: (method: string) => boolean
beforeEach(async () => {
  const { ethereum, ethereumChain, tokens, fetch } = openSimulatedChains('ethereum payments')
  chain = ethereumChain
  lie = () => false
  platform = await observe({
    ethereum,
    tokens,
    fetch: async (address, init) => {
      const answer = await fetch(address, init)
      const questions = JSON.parse(String(init.body)) as RpcQuestion[]
      if (address !== ethereum[1] || !questions.some(({ method }) => lie(method))) return answer
      return Response.json(questions.map(({ id }) => ({ id, result: '0x7' })))
    },
  })
  await platform.tick()
})
afterEach(() => platform.close())

const ETHER = 10n ** 18n
/** Cents of ether at the price, which is counted in gwei. */
const worth = (wei: bigint) => Number(((wei / 10n ** 9n) * BigInt(RATES.ethereum) * 100n) / 10n ** 9n)

async function customer(): Promise<{ id: string; address: string }> {
  const id = await platform.investor()
  return { id, address: await platform.addressOf(id, 'eth') }
}

const states = async (id: string) => (await platform.payments(id)).map(({ state }) => state)

async function mined(blocks = 1): Promise<void> {
  for (let i = 0; i < blocks; i++) chain.mine(platform.now())
  await platform.tick()
}

const finalised = () => mined(13)

const unknown = (id: string) =>
  platform.rows<{ kind: string; contract: string | null; quantity: string }>(
    'SELECT kind, contract, quantity FROM unknown_receipts WHERE investor = ? ORDER BY seq',
    id,
  )

describe('a payment on Ethereum', () => {
  test('of ether is seen within a tick, and credited once its block is final', async () => {
    const { id, address } = await customer()
    const { hash } = chain.payEther(address, ETHER / 10n)
    await mined()
    expect(await platform.payments(id)).toMatchObject([
      { network: 'eth', state: 'confirming', reference: hash.slice(2), quantity: String(ETHER / 10n) },
    ])
    expect(await platform.available(id)).toBe(0)
    await finalised()
    expect(await platform.payments(id)).toMatchObject([
      { state: 'credited', rule: 'price', amount: worth(ETHER / 10n), confirmations: 64 },
    ])
    expect(await platform.available(id)).toBe(worth(ETHER / 10n))
  })

  test.each([
    ['usdt', USDT],
    ['usdc', USDC],
  ] as const)('of %s goes to the same address, and counts by its log', async (token, contract) => {
    const { id, address } = await customer()
    expect(await platform.addressOf(id, `${token}-erc20`)).toBe(address)
    const { hash } = chain.payToken(contract, [{ to: address, quantity: 250_000_000n }])
    await mined()
    expect(await platform.payments(id)).toMatchObject([
      { network: `${token}-erc20`, state: 'confirming', reference: `${hash.slice(2)}:0` },
    ])
    await finalised()
    expect(await platform.payments(id)).toMatchObject([{ state: 'credited', amount: 250_00 }])
    expect(await platform.available(id)).toBe(250_00)
  })

  test('of the announced quantity counts at the quote, another one at the price', async () => {
    for (const [wei, rule] of [
      [ETHER / 10n, 'quote'],
      [(ETHER * 1009n) / 10_000n, 'quote'],
      [(ETHER * 991n) / 10_000n, 'quote'],
      [(ETHER * 12n) / 100n, 'price'],
      [(ETHER * 8n) / 100n, 'price'],
    ] as const) {
      const { id, address } = await customer()
      const request = await platform.announce(id, 'eth', address, 300_00, 100_000_000n, '3000')
      chain.payEther(address, wei)
      await mined()
      await finalised()
      const amount = rule === 'quote' ? Number(((wei / 10n ** 9n) * 300_000n) / 10n ** 9n) : worth(wei)
      expect([wei, ...(await platform.payments(id))]).toMatchObject([
        wei,
        { state: 'credited', rule, amount, request },
      ])
    }
  })

  test('twice, late and to an old address are all credited', async () => {
    const { id, address } = await customer()
    await platform.announce(id, 'eth', address, 300_00, 100_000_000n, '3000')
    chain.payEther(address, ETHER / 10n)
    await mined()
    await finalised()
    expect(await platform.addressOf(id, 'eth')).not.toBe(address)
    platform.pass(40 * DAY_MS)
    chain.payEther(address, ETHER / 5n)
    chain.payToken(USDT, [{ to: address, quantity: 5_000_000n }])
    await mined()
    await finalised()
    expect((await platform.payments(id)).map(({ state, rule }) => [state, rule])).toEqual([
      ['credited', 'quote'],
      ['credited', 'price'],
      ['credited', 'price'],
    ])
  })

  test('that is replaced counts once, and dust is queued', async () => {
    const { id, address } = await customer()
    chain.forget(chain.payEther(address, ETHER / 10n).hash)
    chain.payEther(address, ETHER / 5n)
    chain.payEther(address, 10n ** 13n)
    await mined()
    await finalised()
    expect((await platform.payments(id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['credited', null],
      ['queued', 'dust'],
    ])
    expect(await platform.available(id)).toBe(worth(ETHER / 5n))
  })

  test('that failed is no payment', async () => {
    const { id, address } = await customer()
    chain.payAndFail(address, ETHER)
    await mined()
    await finalised()
    expect(await platform.payments(id)).toEqual([])
  })

  test('of a fake token with the right name, and of an event without movement, is queued and credits nothing', async () => {
    const { id, address } = await customer()
    for (const contract of [FAKE_USDT, EMPTY_TOKEN])
      chain.payToken(contract, [{ to: address, quantity: 900_000_000n }])
    await mined()
    await finalised()
    expect(await platform.payments(id)).toEqual([])
    expect((await unknown(id)).map(({ kind, contract }) => [kind, contract]).toSorted()).toEqual(
      [
        ['token', EMPTY_TOKEN],
        ['token', FAKE_USDT],
      ].toSorted(),
    )
    expect(await platform.available(id)).toBe(0)
  })

  test('of ether that a contract sends cannot be proved, and is queued, also after the address was swept', async () => {
    const { id, address } = await customer()
    const internal = (quantity: bigint) => ({ kind: 'internal', contract: null, quantity: String(quantity) })
    const look = async () => {
      await finalised()
      platform.pass(3_600_000)
      await finalised()
      await platform.tick()
    }
    chain.payThroughContract(address, ETHER)
    await look()
    expect(await unknown(id)).toEqual([internal(ETHER)])
    await look()
    chain.sweep(address, `0x${'99'.repeat(20)}`)
    await look()
    chain.payThroughContract(address, ETHER / 2n)
    await look()
    await look()
    expect(await unknown(id)).toEqual([internal(ETHER), internal(ETHER / 2n)])
    // A sweep and a proved payment between two looks are no such receipt.
    chain.payEther(address, ETHER / 10n)
    chain.sweep(address, `0x${'99'.repeat(20)}`)
    await look()
    expect(await unknown(id)).toHaveLength(2)
    expect(await states(id)).toEqual(['credited'])
  })

  test('of ether through a contract is queued once, if both servers agree about the balance', async () => {
    const { id, address } = await customer()
    chain.payThroughContract(address, ETHER)
    await mined()
    await finalised()
    lie = (method) => method === 'eth_getBalance'
    platform.pass(3_600_000)
    await finalised()
    expect(await unknown(id)).toEqual([])
    const fault = 'disagrees with the other server about balances'
    expect(await platform.rows('SELECT fault FROM chain_servers')).toEqual([{ fault }, { fault }])
    lie = () => false
    await finalised()
    expect(await unknown(id)).toEqual([{ kind: 'internal', contract: null, quantity: String(ETHER) }])
    expect(await platform.payments(id)).toEqual([])
    expect(await platform.available(id)).toBe(0)
  })
})

describe('from the fork Amsterdam on, a payment', () => {
  test.each(['amsterdam', 'later'] as const)('is credited the same (%s)', async (fork) => {
    const { id, address } = await customer()
    await mined()
    chain.fork = fork
    chain.payEther(address, ETHER / 10n)
    chain.payToken(USDT, [{ to: address, quantity: 250_000_000n }])
    await mined()
    await finalised()
    expect((await platform.payments(id)).map(({ state, amount }) => [state, amount])).toEqual([
      ['credited', worth(ETHER / 10n)],
      ['credited', 250_00],
    ])
    expect(await unknown(id)).toEqual([])
    const servers = await platform.rows('SELECT fault, notice FROM chain_servers')
    const notice = fork === 'later' ? 'sends blocks of a fork that this version does not know' : null
    expect(servers).toEqual([
      { fault: null, notice },
      { fault: null, notice },
    ])
  })

  test('of ether through a contract writes an event, which is no unknown token', async () => {
    const { id, address } = await customer()
    chain.fork = 'amsterdam'
    chain.payThroughContract(address, ETHER)
    await mined()
    await finalised()
    expect(await unknown(id)).toEqual([])
    platform.pass(3_600_000)
    await finalised()
    await platform.tick()
    expect(await unknown(id)).toEqual([{ kind: 'internal', contract: null, quantity: String(ETHER) }])
  })
})

describe('a reorganisation', () => {
  test.each([1, 2, 3, 4, 5, 6])('of %i blocks before the credit credits only what is back', async (depth) => {
    const one = await customer()
    const other = await customer()
    chain.payEther(one.address, ETHER / 10n)
    const dropped = chain.payEther(other.address, ETHER / 5n)
    await mined(depth)
    expect([...(await states(one.id)), ...(await states(other.id))]).toEqual(['confirming', 'confirming'])
    chain.reorganise(depth, [dropped.hash], platform.now(), 1)
    await platform.tick()
    await finalised()
    await finalised()
    expect(await states(one.id)).toEqual(['credited'])
    expect(await states(other.id)).toEqual(['gone'])
    expect(await platform.available(one.id)).toBe(worth(ETHER / 10n))
    expect(await platform.available(other.id)).toBe(0)
  })

  test('of finalised blocks freezes the amount, prepares its reversal, and credits again what is back', async () => {
    const one = await customer()
    const other = await customer()
    chain.payEther(one.address, ETHER / 10n)
    const dropped = chain.payEther(other.address, ETHER / 5n)
    await mined()
    await finalised()
    expect([...(await states(one.id)), ...(await states(other.id))]).toEqual(['credited', 'credited'])
    chain.reorganise(14, [dropped.hash], platform.now(), 1)
    // Both servers have to call another chain finalised.
    for (let i = 0; i < 3; i++) await finalised()
    expect(await states(one.id)).toEqual(['credited'])
    expect(await states(other.id)).toEqual(['undone'])
    const proposals = await platform.rows(
      "SELECT status FROM proposals WHERE kind = 'reversal' AND status = 'pending'",
    )
    expect(proposals.length).toBeGreaterThan(0)
    expect(await platform.available(one.id)).toBe(worth(ETHER / 10n))
  })

  test('of finalised blocks with an unknown token notes it once, and the payments beside it are credited', async () => {
    const { id, address } = await customer()
    chain.payToken(FAKE_USDT, [
      { to: address, quantity: 5n },
      { to: address, quantity: 7n, of: EMPTY_TOKEN },
    ])
    await mined()
    await finalised()
    const before = await unknown(id)
    chain.payEther(address, ETHER / 10n)
    chain.reorganise(14, [], platform.now(), 1)
    for (let i = 0; i < 3; i++) await finalised()
    expect(await unknown(id)).toEqual(before)
    expect(await states(id)).toEqual(['credited'])
  })
})
