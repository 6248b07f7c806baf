import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { type Observing, observe, RATES } from '../support/observing.ts'
import type { Hex } from './ethereum/control.ts'
import { type EthereumNode, startEthereum } from './ethereum.ts'

let node: EthereumNode
let platform: Observing
beforeAll(async () => {
  node = await startEthereum()
})
afterAll(() => node.close())
beforeEach(async () => {
  await node.finalise()
  const { usdt, usdc } = node.contracts
  platform = await observe({ ethereum: node.urls, tokens: `usdt:${usdt} usdc:${usdc}` })
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

/** The node's clock goes on as the platform's does. */
const letTimePass = () => node.rpc('evm_increaseTime', 60)

async function mined(blocks = 1): Promise<void> {
  await letTimePass()
  await node.mine(blocks)
  await platform.tick()
}

async function finalised(): Promise<void> {
  await letTimePass()
  await node.finalise()
  await platform.tick()
}

const unknown = (id: string) =>
  platform.rows<{ kind: string; contract: string | null; quantity: string }>(
    'SELECT kind, contract, quantity FROM unknown_receipts WHERE investor = ? ORDER BY seq',
    id,
  )

describe('a payment on Ethereum', () => {
  test('of ether is seen within a tick, and credited once its block is final', async () => {
    const { id, address } = await customer()
    const hash = await node.payNative(address, ETHER / 10n)
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

  test.each(['usdt', 'usdc'] as const)(
    'of %s goes to the same address, and counts by its log',
    async (token) => {
      const { id, address } = await customer()
      expect(await platform.addressOf(id, `${token}-erc20`)).toBe(address)
      const hash = await node.payToken(node.contracts[token], address, 250_000_000n)
      await mined()
      expect(await platform.payments(id)).toMatchObject([
        { network: `${token}-erc20`, state: 'confirming', reference: `${hash.slice(2)}:0` },
      ])
      await finalised()
      expect(await platform.payments(id)).toMatchObject([{ state: 'credited', amount: 250_00 }])
      expect(await platform.available(id)).toBe(250_00)
    },
  )

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
      await node.payNative(address, wei)
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
    await node.payNative(address, ETHER / 10n)
    await mined()
    await finalised()
    expect(await platform.addressOf(id, 'eth')).not.toBe(address)
    platform.pass(40 * DAY_MS)
    await node.mine(1)
    await node.rpc('evm_increaseTime', 40 * 86_400)
    await node.mine(1)
    await node.payNative(address, ETHER / 5n)
    await node.payToken(node.contracts.usdt, address, 5_000_000n)
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
    const first = await node.payNative(address, ETHER / 10n)
    await node.replace(first, { value: ETHER / 5n })
    await node.payNative(address, 10n ** 13n)
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
    // More tokens than the account has.
    const [, second] = node.accounts
    await node
      .send({
        from: second as Hex,
        to: node.contracts.usdt,
        data: `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`,
        gas: 200_000,
      })
      .catch(() => '0x')
    await mined()
    await finalised()
    expect(await platform.payments(id)).toEqual([])
  })

  test('of a fake token with the right name, and of an event without movement, is queued and credits nothing', async () => {
    const { id, address } = await customer()
    await node.payToken(node.contracts.fakeUsdt, address, 900_000_000n)
    await node.payToken(node.contracts.emptyTransfer, address, 900_000_000n)
    await mined()
    await finalised()
    expect(await platform.payments(id)).toEqual([])
    expect((await unknown(id)).map(({ kind, contract }) => [kind, contract]).toSorted()).toEqual(
      [
        ['token', node.contracts.emptyTransfer.toLowerCase()],
        ['token', node.contracts.fakeUsdt.toLowerCase()],
      ].toSorted(),
    )
    expect(await platform.available(id)).toBe(0)
  })

  test('of ether that a contract sends cannot be proved, and is queued', async () => {
    const { id, address } = await customer()
    await node.payThroughForwarder(address, ETHER)
    await mined()
    await finalised()
    platform.pass(3_600_000)
    await node.mine(1)
    await node.rpc('evm_increaseTime', 3_600)
    await finalised()
    await platform.tick()
    expect(await unknown(id)).toEqual([{ kind: 'internal', contract: null, quantity: String(ETHER) }])
    expect(await platform.payments(id)).toEqual([])
    expect(await platform.available(id)).toBe(0)
  })
})

describe('a reorganisation', () => {
  test.each([1, 2, 3, 4, 5, 6])('of %i blocks before the credit credits only what is back', async (depth) => {
    const one = await customer()
    const other = await customer()
    const kept = await node.payNative(one.address, ETHER / 10n)
    const dropped = await node.payNative(other.address, ETHER / 5n, node.accounts[2] as Hex)
    await mined(depth)
    expect([...(await states(one.id)), ...(await states(other.id))]).toEqual(['confirming', 'confirming'])
    await node.reorganise(depth, { keep: [kept], drop: [dropped] })
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
    const kept = await node.payNative(one.address, ETHER / 10n)
    const dropped = await node.payNative(other.address, ETHER / 5n, node.accounts[2] as Hex)
    await mined()
    await finalised()
    expect([...(await states(one.id)), ...(await states(other.id))]).toEqual(['credited', 'credited'])
    await node.reorganise(9, { keep: [kept], drop: [dropped] })
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
})
