import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import type { BitcoinChain, SentTransaction } from '../../../test/simulator/chains/bitcoin.ts'
import { type Observing, observe, RATES } from '../../../test/support/observing.ts'
import { openSimulatedChains } from '../../../test/support/simulatedChains.ts'

let chain: BitcoinChain
let platform: Observing
beforeEach(async () => {
  const { bitcoin, bitcoinChain, fetch } = openSimulatedChains('bitcoin payments')
  chain = bitcoinChain
  platform = await observe({ bitcoin, fetch })
  // It follows the headers from the first block on.
  for (let i = 0; i < 2; i++) await platform.tick()
})
afterEach(() => platform.close())

const NEEDED = 3
/** Cents of satoshis at the price. */
const worth = (satoshi: number) => Math.floor((satoshi * RATES.bitcoin) / 1_000_000)

async function customer(): Promise<{ id: string; address: string }> {
  const id = await platform.investor()
  return { id, address: await platform.addressOf(id, 'btc') }
}

/** Somebody pays these amounts in satoshi in one transaction. */
function pay(address: string, ...satoshi: number[]): SentTransaction {
  const script = decodeAddress(address, 'regtest')
  return chain.pay(satoshi.map((value) => ({ script, value: BigInt(value) })))
}

function reorganise(depth: number, dropped: readonly SentTransaction[] = []): void {
  chain.reorganise(depth, dropped, { nowMs: platform.now(), share: 0 })
}

/** Mines, and lets the job see it. */
async function confirm(blocks = NEEDED): Promise<void> {
  for (let i = 0; i < blocks; i++) chain.mine({ nowMs: platform.now() })
  await platform.tick()
}

const states = async (id: string) => (await platform.payments(id)).map(({ state }) => state)

describe('a payment on Bitcoin', () => {
  test('is seen within a tick, confirms block by block, and is credited at the price', async () => {
    const { id, address } = await customer()
    expect(address).toMatch(/^bcrt1q/)
    const { txid } = pay(address, 100_000)
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
      pay(address, sent)
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
    pay(address, 100_000)
    await platform.tick()
    await confirm()
    expect(await platform.payments(id)).toMatchObject([{ rule: 'price', amount: worth(100_000) }])
  })

  test('several payments are several deposits, also in one transaction, and each later one gets a new address', async () => {
    const { id, address } = await customer()
    pay(address, 50_000, 70_000)
    await platform.tick()
    const next = await platform.addressOf(id, 'btc')
    expect(next).not.toBe(address)
    pay(next, 30_000)
    pay(address, 20_000)
    await confirm()
    expect(await states(id)).toEqual(['credited', 'credited', 'credited', 'credited'])
    expect(await platform.available(id)).toBe(worth(50_000) + worth(70_000) + worth(30_000) + worth(20_000))
  })

  test('dust is queued, and credits nothing', async () => {
    const { id, address } = await customer()
    pay(address, 1_500)
    await confirm()
    expect(await platform.payments(id)).toMatchObject([{ state: 'queued', reason: 'dust' }])
    expect(await platform.available(id)).toBe(0)
  })

  test('that is replaced by one with a higher fee is credited once', async () => {
    const { id, address } = await customer()
    const sent = pay(address, 80_000)
    await platform.tick()
    chain.pay([{ script: decodeAddress(address, 'regtest'), value: 80_000n }], sent)
    await platform.tick()
    // Nobody sees the replaced payment beside the other one.
    expect((await states(id)).toSorted()).toEqual(['gone', 'seen'])
    await confirm()
    for (let i = 0; i < 6; i++) await platform.tick()
    expect((await states(id)).toSorted()).toEqual(['credited', 'gone'])
    expect(await platform.available(id)).toBe(worth(80_000))
  })

  test('that is spent elsewhere credits nothing', async () => {
    const { id, address } = await customer()
    const sent = pay(address, 80_000)
    await platform.tick()
    chain.pay([], sent)
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
      const { txid } = pay(address, 90_000)
      await confirm(depth)
      expect(await states(id)).toEqual(['confirming'])
      reorganise(depth)
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
    const sent = pay(address, 90_000)
    await confirm(2)
    reorganise(2, [sent])
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
      pay(address, 90_000)
      await confirm(depth)
      expect(await states(id)).toEqual(['credited'])
      reorganise(depth)
      await platform.tick()
      expect(await states(id)).toEqual(['undone'])
      const reversals = () =>
        platform.rows(
          `SELECT status, proposed_by, decided_by, (
             SELECT count(*) FROM audit_log WHERE subject = p.id AND action = 'proposal.rejected' AND actor = 'system') AS ended
           FROM proposals p WHERE kind = 'reversal' AND request = (SELECT request FROM payments WHERE investor = ?)`,
          id,
        )
      const prepared = { proposed_by: 'system', decided_by: null, ended: 0 }
      expect(await reversals()).toEqual([{ ...prepared, status: 'pending' }])
      expect(
        platform.logs.some((line) => line.includes('alarm') && line.includes('credited payment is gone')),
      ).toBe(true)
      await confirm()
      expect(await platform.payments(id)).toMatchObject([{ state: 'credited', amount: worth(90_000) }])
      expect(await platform.available(id)).toBe(worth(90_000))
      // Nobody has to end what the system prepared.
      expect(await reversals()).toEqual([{ ...prepared, status: 'rejected', decided_by: 'system', ended: 1 }])
    },
  )
})
