import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BitcoinNode, startBitcoin } from './bitcoin.ts'
import { type Liar, startLiar } from './liar.ts'
import { type Observing, observe, RATES } from './observing.ts'

let node: BitcoinNode
let liar: Liar<'bitcoin'>
let platform: Observing
beforeAll(async () => {
  node = await startBitcoin()
  liar = await startLiar('bitcoin', node.url)
})
afterAll(async () => {
  await liar.close()
  await node.close()
})
beforeEach(async () => {
  await node.mine(1)
  platform = await observe({ bitcoin: [node.url, liar.url] })
  // It follows the headers from the first block on.
  for (let i = 0; i < 6; i++) await platform.tick()
})
afterEach(async () => {
  await liar.behave()
  platform.close()
})

const NEEDED = 3
/** Cents of satoshis at the price. */
const worth = (satoshi: number) => Math.floor((satoshi * RATES.bitcoin) / 1_000_000)

async function customer(): Promise<{ id: string; address: string }> {
  const id = await platform.investor()
  return { id, address: await platform.addressOf(id, 'btc') }
}

/** Mines, and lets the job see it. */
async function confirm(blocks = NEEDED): Promise<void> {
  await node.mine(blocks)
  await platform.tick()
}

const states = async (id: string) => (await platform.payments(id)).map(({ state }) => state)

describe('a payment on Bitcoin', () => {
  test('is seen within a tick, confirms block by block, and is credited at the price', async () => {
    const { id, address } = await customer()
    expect(address).toMatch(/^bcrt1q/)
    const txid = await node.pay(address, 100_000)
    await platform.tick()
    expect(await platform.payments(id)).toMatchObject([{ network: 'btc', state: 'seen', quantity: '100000' }])
    await confirm(1)
    expect(await platform.payments(id)).toMatchObject([{ state: 'confirming', confirmations: 1 }])
    await confirm(1)
    expect(await platform.payments(id)).toMatchObject([{ state: 'confirming', confirmations: 2 }])
    await confirm(1)
    const [payment] = await platform.payments(id)
    expect(payment).toMatchObject({ state: 'credited', rule: 'price', amount: worth(100_000) })
    expect(payment?.reference).toMatch(new RegExp(`^${txid}:\\d$`))
    expect(await platform.available(id)).toBe(worth(100_000))
  })

  test('of the announced quantity counts at the quote, another one at the price', async () => {
    for (const [sent, rule] of [
      [100_000, 'quote'],
      [100_900, 'quote'],
      [99_100, 'quote'],
      [98_900, 'price'],
      [101_100, 'price'],
    ] as const) {
      const { id, address } = await customer()
      const request = await platform.announce(id, 'btc', address, 60_00, 100_000n, '60000')
      await node.pay(address, sent)
      await platform.tick()
      await confirm()
      const amount = rule === 'quote' ? Math.floor((sent * 60_000) / 1_000_000) : worth(sent)
      expect([sent, ...(await platform.payments(id))]).toMatchObject([
        sent,
        { state: 'credited', rule, amount, request },
      ])
    }
  })

  test('that is first seen after the quote’s time counts at the price', async () => {
    const { id, address } = await customer()
    await platform.announce(id, 'btc', address, 60_00, 100_000n, '60000')
    platform.pass(30 * 60_000)
    await node.pay(address, 100_000)
    await platform.tick()
    await confirm()
    expect(await platform.payments(id)).toMatchObject([{ rule: 'price', amount: worth(100_000) }])
  })

  test('several payments are several deposits, also in one transaction, and each later one gets a new address', async () => {
    const { id, address } = await customer()
    await node.payMany([
      { address, satoshi: 50_000 },
      { address, satoshi: 70_000 },
    ])
    await platform.tick()
    const next = await platform.addressOf(id, 'btc')
    expect(next).not.toBe(address)
    await node.pay(next, 30_000)
    await node.pay(address, 20_000)
    await confirm()
    expect(await states(id)).toEqual(['credited', 'credited', 'credited', 'credited'])
    expect(await platform.available(id)).toBe(worth(50_000) + worth(70_000) + worth(30_000) + worth(20_000))
  })

  test('dust is queued, and credits nothing', async () => {
    const { id, address } = await customer()
    await node.pay(address, 1_500)
    await confirm()
    expect(await platform.payments(id)).toMatchObject([{ state: 'queued', reason: 'dust' }])
    expect(await platform.available(id)).toBe(0)
  })

  test('that is replaced by one with a higher fee is credited once', async () => {
    const { id, address } = await customer()
    const txid = await node.pay(address, 80_000)
    await platform.tick()
    await node.replace(txid)
    await confirm()
    for (let i = 0; i < 6; i++) await platform.tick()
    expect((await states(id)).toSorted()).toEqual(['credited', 'gone'])
    expect(await platform.available(id)).toBe(worth(80_000))
  })

  test('that is spent elsewhere credits nothing', async () => {
    const { id, address } = await customer()
    const txid = await node.pay(address, 80_000)
    await platform.tick()
    await node.doubleSpend(txid)
    await confirm()
    for (let i = 0; i < 6; i++) await platform.tick()
    expect(await states(id)).toEqual(['gone'])
    expect(await platform.available(id)).toBe(0)
  })
})

describe('a reorganisation', () => {
  test.each([1, 2])(
    'of %i blocks before the credit takes the payment back, and it is credited once it is back',
    async (depth) => {
      const { id, address } = await customer()
      const txid = await node.pay(address, 90_000)
      await confirm(depth)
      expect(await states(id)).toEqual(['confirming'])
      await node.reorganise(depth)
      await platform.tick()
      expect(await states(id)).toEqual(['seen'])
      expect(await platform.available(id)).toBe(0)
      await confirm()
      expect(await platform.payments(id)).toMatchObject([{ state: 'credited', amount: worth(90_000) }])
      expect((await platform.payments(id))[0]?.reference).toContain(txid)
    },
  )

  test('before the credit that drops the payment for ever credits nothing', async () => {
    const { id, address } = await customer()
    const txid = await node.pay(address, 90_000)
    await confirm(2)
    await node.reorganise(2, { drop: [txid] })
    await platform.tick()
    for (let i = 0; i < 6; i++) await platform.tick()
    await confirm()
    expect(await states(id)).toEqual(['gone'])
    expect(await platform.available(id)).toBe(0)
  })

  test.each([3, 4, 5, 6])(
    'of %i blocks after the credit freezes the amount, prepares its reversal, and credits again once it is back',
    async (depth) => {
      const { id, address } = await customer()
      await node.pay(address, 90_000)
      await confirm(depth)
      expect(await states(id)).toEqual(['credited'])
      await node.reorganise(depth)
      await platform.tick()
      expect(await states(id)).toEqual(['undone'])
      const proposals = await platform.rows(
        "SELECT status, proposed_by FROM proposals WHERE kind = 'reversal' AND request = (SELECT request FROM payments WHERE investor = ?)",
        id,
      )
      expect(proposals).toEqual([{ status: 'pending', proposed_by: 'system' }])
      expect(
        platform.logs.some((line) => line.includes('alarm') && line.includes('credited payment is gone')),
      ).toBe(true)
      await confirm()
      expect(await platform.payments(id)).toMatchObject([{ state: 'credited', amount: worth(90_000) }])
      expect(await platform.available(id)).toBe(worth(90_000))
    },
  )
})

describe('a server that', () => {
  type Lie = Parameters<Liar<'bitcoin'>['tell']>[0]
  /** While it lies nothing is credited and its fault is reported; afterwards everything is credited. */
  test.each<[string, Lie, RegExp]>([
    ['answers with errors', { name: 'serverError' }, /answers with the status/],
    ['answers with too many requests', { name: 'tooManyRequests' }, /answers with the status/],
    ['answers with broken JSON', { name: 'garbage' }, /something other than JSON/],
    ['answers with a web page', { name: 'webPage' }, /something other than JSON/],
    ['answers with too much', { name: 'huge' }, /more than it was asked for/],
    ['breaks off', { name: 'disconnecting' }, /breaks off|cannot be reached/],
    ['stands still', { name: 'staleTip' }, /is behind/],
    ['goes back', { name: 'olderTip', blocks: 6 }, /is behind/],
    ['shows a block without proof of work', { name: 'weakHeader' }, /break the rules|false hash|is behind/],
  ])('%s is reported, and nothing is credited meanwhile', async (_what, lie, fault) => {
    const { id, address } = await customer()
    await node.pay(address, 90_000)
    await node.mine(1)
    await liar.tell(lie)
    await node.mine(NEEDED)
    await platform.tick()
    await platform.tick()
    expect(await faultOf(liar.url)).toMatch(fault)
    expect(await faultOf(node.url)).toBe(null)
    expect(await platform.available(id)).toBe(0)
    await liar.behave()
    await platform.tick()
    await platform.tick()
    expect(await faultOf(liar.url)).toBe(null)
    expect(await states(id)).toEqual(['credited'])
    expect(await platform.available(id)).toBe(worth(90_000))
  })

  test('hides a payment hides nothing, because whole blocks are searched', async () => {
    const { id, address } = await customer()
    await liar.tell({ name: 'hiddenTransactions', address })
    await node.pay(address, 90_000)
    await confirm()
    expect(await states(id)).toEqual(['credited'])
  })

  test('changes an amount changes nothing that is credited', async () => {
    const { id, address } = await customer()
    await liar.tell({ name: 'wrongAmount', address, satoshi: 90_000_000 } as Lie)
    await node.pay(address, 90_000)
    await confirm()
    await platform.tick()
    expect(await platform.available(id)).toBe(worth(90_000))
  })

  async function faultOf(server: string): Promise<string | null> {
    const [row] = await platform.rows<{ fault: string | null }>(
      'SELECT fault FROM chain_servers WHERE chain = ? AND server = ?',
      'bitcoin',
      new URL(server).host,
    )
    return row?.fault ?? null
  }
})
