import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnnouncedDeposit } from '../../../src/contract/money/deposits.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { DAY_MS } from '../../../src/time.ts'
import { setPrice } from '../../../test/support/market.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { callObserved, newWatchWallet, WITH_SERVERS } from '../../../test/support/watchWallets.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { creditPayments } from '../credit/credit.ts'
import { priceFinalPayments } from '../credit/finalise.ts'
import { leaveBlocks, recordSightings } from './record.ts'

// Attacks on the price of a deposit: whoever pays must not choose it after it is known.

const db = openDatabase(env.DB)
const observed = { ...env, ...WITH_SERVERS }
const MINUTE_MS = 60_000
const BITCOINS = 5_000_000n
const [LOW, QUOTED, HIGH] = [50_000, 57_000, 72_000]
const QUOTED_CENTS = 2_850_00

beforeAll(() => newWatchWallet('bitcoin'))
afterAll(() => env.DB.exec('DELETE FROM market_snapshots'))

let ana: Person
let address = ''
let reference = ''
beforeEach(async () => {
  await setPrice(QUOTED)
  ana = await newInvestor()
  address = await currentAddress()
  reference = `${crypto.randomUUID().replaceAll('-', '').repeat(2)}:0`
})

async function currentAddress(): Promise<string> {
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
  return body.find(({ network }) => network === 'btc')?.address ?? ''
}

const announce = (amount = '2850.00') =>
  callObserved<AnnouncedDeposit & { errors?: { field: string; msg: string }[] }>('POST', '/deposits', {
    token: ana.token,
    form: { type: 'bitcoin', amount, paymentTo: address },
  })
const cancel = (id: string) => callObserved('POST', `/deposits/${id}/cancel`, { token: ana.token })

/** The chain shows the payment of 0.05 BTC: unconfirmed, or in a block. */
async function see(atMs: number, blockHash: string | null = null): Promise<void> {
  const sighting = {
    network: 'btc',
    reference,
    address,
    investor: ana.id,
    quantity: BITCOINS,
    block: blockHash === null ? null : { height: 900, hash: blockHash },
    proof:
      blockHash === null
        ? null
        : { shared: `${reference.slice(0, 64)}@${blockHash}`, transaction: '{}', own: { output: 0 } },
  } as const
  await runBatch(db, await recordSightings(db, [sighting], atMs))
}

/** Three blocks later. */
async function finish(atMs: number): Promise<void> {
  const deep = [{ id: (await payment())?.id ?? '', confirmations: 3, proof: '{"final":1}' }]
  await runBatch(db, await priceFinalPayments(observed, db, deep, atMs))
  await creditPayments(observed, db, Date.now())
}

interface Row {
  readonly id: string
  readonly state: string
  readonly rule: string | null
  readonly rate: string | null
  readonly request: string | null
  readonly quote: string | null
  readonly quote_ended: number
}
const payment = () =>
  env.DB.prepare('SELECT * FROM payments WHERE reference = ?').bind(reference).first<Row>()
const available = async () => (await booksOf(ana.id)).available
/** The unconfirmed payment is known to no server any more. */
const evict = () =>
  env.DB.prepare("UPDATE payments SET state = 'gone' WHERE reference = ?").bind(reference).run()
const leave = (atMs: number) => runBatch(db, leaveBlocks(sql`reference = ${reference}`, atMs))

describe('a payment with a low fee', () => {
  test('is credited at the quote that was filed before it was seen, however its payer announces and cancels afterwards', async () => {
    const first = (await announce()).body._id
    const seenMs = Date.now() + 1
    await see(seenMs)
    await setPrice(HIGH)
    expect(await cancel(first)).toMatchObject({
      status: 409,
      body: { code: 'not_pending', msg: expect.stringContaining('seen the payment') },
    })
    for (let tries = 0; tries < 3; tries++) {
      const again = await announce('3600.00')
      expect([again.status, JSON.stringify(again.body)]).toEqual([
        422,
        expect.stringContaining('We have seen a payment to this address'),
      ])
    }
    await see(seenMs + 30 * MINUTE_MS, 'block')
    await finish(seenMs + 60 * MINUTE_MS)
    expect(await payment()).toMatchObject({ state: 'credited', rule: 'quote', rate: '57000', request: first })
    expect(await available()).toBe(QUOTED_CENTS)
  })

  test('takes none of the quotes that are filed at the moment when it is seen, or later', async () => {
    const seenMs = Date.now() - 1
    // Filed while the servers of the chain are asked.
    const late = (await announce()).body._id
    await see(seenMs)
    expect(await payment()).toMatchObject({ quote: null })
    await setPrice(LOW, seenMs + 40 * MINUTE_MS)
    await see(seenMs + MINUTE_MS, 'block')
    await finish(seenMs + 40 * MINUTE_MS)
    expect(await payment()).toMatchObject({ state: 'credited', rule: 'price', rate: '50000', request: late })
  })

  test('has its own quote: a cheaper one that was cancelled before does not count, nor one that another payment has', async () => {
    const cancelled = (await announce()).body._id
    await cancel(cancelled)
    const [first, second] = [(await announce()).body._id, (await announce()).body._id]
    await see(Date.now() + 1)
    expect(await payment()).toMatchObject({ quote: first })
    const other = reference
    reference = `${crypto.randomUUID().replaceAll('-', '').repeat(2)}:0`
    await see(Date.now() + 1)
    expect(await payment()).toMatchObject({ quote: second })
    expect(other).not.toBe(reference)
    expect((await cancel(second)).status).toBe(409)
  })

  test.each([
    [HIGH, QUOTED_CENTS, 'quote'],
    [LOW, 2_500_00, 'price'],
  ])(
    'without a confirmation for an hour counts by the lower price: now at %i',
    async (price, cents, rule) => {
      await announce()
      const seenMs = Date.now() + 1
      await see(seenMs)
      await setPrice(price, seenMs + 60 * MINUTE_MS)
      await see(seenMs + 60 * MINUTE_MS + 1, 'block')
      await finish(seenMs + 61 * MINUTE_MS)
      expect(await payment()).toMatchObject({ state: 'credited', rule, quote_ended: 1 })
      expect(await available()).toBe(cents)
    },
  )

  test('keeps its quote if it is confirmed within the hour', async () => {
    await announce()
    const seenMs = Date.now() + 1
    await see(seenMs)
    await setPrice(LOW, seenMs + 60 * MINUTE_MS)
    await see(seenMs + 60 * MINUTE_MS, 'block')
    await finish(seenMs + 61 * MINUTE_MS)
    expect(await available()).toBe(QUOTED_CENTS)
  })

  test.each([
    [HIGH, QUOTED_CENTS],
    [LOW, 2_500_00],
  ])('that was evicted and mined days later counts by the lower price: now at %i', async (price, cents) => {
    const first = (await announce()).body._id
    const seenMs = Date.now() + 1
    await see(seenMs)
    expect((await cancel(first)).status).toBe(409)
    await evict()
    // Nothing arrives, so the investor may cancel. The quote stays with the payment.
    expect((await cancel(first)).status).toBe(200)
    await setPrice(price)
    const minedMs = seenMs + 3 * DAY_MS
    await see(minedMs, 'block')
    await setPrice(price, minedMs)
    await finish(minedMs)
    expect(await payment()).toMatchObject({ state: 'credited', quote: first, quote_ended: 1 })
    expect(await available()).toBe(cents)
  })

  test.each([
    [HIGH, QUOTED_CENTS],
    [LOW, 2_500_00],
  ])('whose block was replaced counts by the lower price: now at %i', async (price, cents) => {
    await announce()
    const seenMs = Date.now() + 1
    await see(seenMs, 'block')
    await leave(seenMs)
    await setPrice(price)
    await see(seenMs + MINUTE_MS, 'another block')
    await finish(seenMs + MINUTE_MS)
    expect(await payment()).toMatchObject({ state: 'credited', quote_ended: 1 })
    expect(await available()).toBe(cents)
  })

  test('that had a price before its block was replaced gets no better one', async () => {
    await announce()
    const seenMs = Date.now() + 1
    await see(seenMs, 'block')
    const deep = [{ id: (await payment())?.id ?? '', confirmations: 3, proof: '{"final":1}' }]
    await runBatch(db, await priceFinalPayments(observed, db, deep, seenMs))
    expect(await payment()).toMatchObject({ state: 'final', rate: '57000' })
    await leave(seenMs)
    await setPrice(HIGH)
    await see(seenMs + MINUTE_MS, 'another block')
    await finish(seenMs + MINUTE_MS)
    expect(await available()).toBe(QUOTED_CENTS)
  })
})

test('the database binds quote and payment, whoever writes', async () => {
  const [first, second] = [(await announce()).body._id, (await announce()).body._id]
  const seenMs = Date.now() + 1
  await see(seenMs, 'block')
  const id = (await payment())?.id ?? ''
  const write = (change: string) =>
    env.DB.prepare(`UPDATE payments SET ${change} WHERE id = ?`).bind(id).run()
  const KEEPS = 'payments: immutable quote'
  await expect(write('quote = NULL')).rejects.toThrow(KEEPS)
  await expect(write(`quote = '${second}'`)).rejects.toThrow(KEEPS)
  await expect(write('confirm_by = confirm_by + 1')).rejects.toThrow(KEEPS)
  const final = (rate: number, rule: string) =>
    write(
      `state = 'final', confirmations = 3, final_at = 1, rate = '${rate}', amount = ${rate * 5}, rule = '${rule}'`,
    )
  const PRICES = 'payments: rate differs from the quote'
  await expect(final(HIGH, 'price')).rejects.toThrow(PRICES)
  await expect(final(HIGH, 'quote')).rejects.toThrow(PRICES)
  await expect(final(LOW, 'price')).rejects.toThrow(PRICES)
  await write('quote_ended = 1')
  await expect(write('quote_ended = 0')).rejects.toThrow(KEEPS)
  await expect(final(HIGH, 'price')).rejects.toThrow(PRICES)
  await env.DB.exec(
    `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
     VALUES ('later ${id}', 'DEP-${id}', '${ana.id}', 'deposit', 'deposits', 1, 1, ${seenMs})`.replaceAll(
      '\n',
      ' ',
    ),
  )
  await env.DB.exec(
    `INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type)
     VALUES ('later ${id}', 'bitcoin', 'btc', '${address}', '', '')`.replaceAll('\n', ' '),
  )
  await expect(
    env.DB.prepare(
      `INSERT INTO deposit_quotes (request, address, network, units, rate, until)
       VALUES ('later ${id}', '${address}', 'btc', 5000000, '72000', ${seenMs + DAY_MS})`,
    ).run(),
  ).rejects.toThrow('conflict')
  await final(LOW, 'price')
  expect(await payment()).toMatchObject({ state: 'final', rate: '50000', quote: first })
})
