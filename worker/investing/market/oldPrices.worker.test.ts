import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import type { Quote } from '../../../src/contract/money/wallets.ts'
import { DAY_MS } from '../../../src/time.ts'
import { callWith } from '../../../test/support/app.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { newTxid } from '../../../test/support/ledger/txid.ts'
import {
  approveDeposit,
  approveWithdrawal,
  completeWithdrawal,
  deposit,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { SAMPLE_COINS } from '../../lib/market/sample.ts'

// What works with and without prices when the provider has been silent.

const MINUTE_MS = 60_000
const ASKED = '/quotes?type=bitcoin&amount=100'

beforeEach(() => listFrom(0))

/** The provider's list of coins of this many minutes ago. */
async function listFrom(minutesAgo: number, held: Record<string, number> = {}): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO market_snapshots (name, body, source, at, held) VALUES ('coins', ?1, 'a-provider', ?2, ?3)
     ON CONFLICT (name) DO UPDATE SET body = ?1, at = ?2, held = ?3`,
  )
    .bind(JSON.stringify(SAMPLE_COINS), Date.now() - minutesAgo * MINUTE_MS, JSON.stringify(held))
    .run()
}

test('a price of the last two minutes is quoted as it is, and an older one less a spread that covers its age', async () => {
  const { token } = await newInvestor()
  const quotes = []
  for (const minutes of [1.9, 2.5, 10.5, 58.5]) {
    await listFrom(minutes)
    const { status, body } = await call<Quote>('GET', ASKED, { token })
    quotes.push([status, body.rate])
    expect(Date.now() - Date.parse(body.at)).toBeGreaterThanOrEqual(minutes * MINUTE_MS)
  }
  expect(quotes).toEqual([
    [200, 64_200],
    [200, 64_200 * 0.999],
    [200, 64_200 * 0.991],
    [200, 64_200 * 0.943],
  ])
  // A dollar of a stable coin moves less.
  expect((await call<Quote>('GET', '/quotes?type=usdt&amount=100', { token })).body.rate).toBe(0.9943)
})

test('a newer price of the exchange is quoted instead of an older list', async () => {
  const { token } = await newInvestor()
  const ask = async (settings: object) => (await callWith<Quote>(settings, 'GET', ASKED, { token })).body.rate
  await listFrom(9.5)
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (const market of ['kraken', 'simulated'])
    await env.DB.prepare(
      `INSERT INTO current_candles (market, asset, day, open, last, at) VALUES (?1, 'bitcoin', ?2, 60000, 63000, ?3)
       ON CONFLICT (market, asset) DO UPDATE SET last = 63000, at = ?3`,
    )
      .bind(market, day, Date.now() - MINUTE_MS)
      .run()
  expect(await ask({ CANDLES_PROVIDER: 'kraken' })).toBe(63_000)
  // Simulated prices are no source.
  expect(await ask({ CANDLES_PROVIDER: 'simulated' })).toBe(64_200 * 0.992)
  await listFrom(0.5)
  expect(await ask({ CANDLES_PROVIDER: 'kraken' })).toBe(64_200)
  await env.DB.exec('DELETE FROM current_candles')
})

test('an old price gives no quote but 503 with a waiting time, and the list is still served', async () => {
  const { token } = await newInvestor()
  await listFrom(61)
  const refused = await call('GET', ASKED, { token })
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(refused.body.msg).toContain('no market price of the last hour')
  expect(refused.headers.get('Retry-After')).toBe('300')
  const list = await call('GET', '/market/coins')
  expect([list.status, list.headers.get('X-Market-Source')]).toEqual([200, 'a-provider'])
  expect(Number(list.headers.get('Age'))).toBeGreaterThanOrEqual(61 * 60)
})

test('an unconfirmed price gives no quote, and other coins keep theirs', async () => {
  const { token } = await newInvestor()
  await listFrom(1, { bitcoin: 1 })
  expect((await call('GET', ASKED, { token })).status).toBe(503)
  expect((await call('GET', '/quotes?type=ethereum&amount=100', { token })).status).toBe(200)
})

test('the sample gives no quotes if a provider is configured and has not answered yet', async () => {
  const { token } = await newInvestor()
  await env.DB.exec('DELETE FROM market_snapshots')
  const ask = (settings: object) => callWith(settings, 'GET', ASKED, { token })
  expect((await ask({})).status).toBe(200)
  expect((await ask({ MARKET_BASE_URL: 'https://market.example' })).status).toBe(503)
})

test('deposits work without a price, and are credited once two operators state the quantity', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  await listFrom(600)
  expect((await fileDeposit(ana)).status).toBe(201)
  const id = await deposit(ana, '100.00')
  const refused = await approveDeposit(operator, id)
  const quantity = 'Please give the quantity that arrived'
  expect(refused).toMatchObject({ status: 422, body: { fields: { quantity } } })
  const fields = { reference: newTxid(), quantity: '0.0016' }
  const { reference } = fields
  expect((await approveDeposit(operator, id, fields)).status).toBe(202)
  const second = await newOperator()
  const silent = await approveDeposit(second, id, { reference })
  expect(silent).toMatchObject({ status: 422, body: { fields: { quantity: expect.any(String) } } })
  const differs = await approveDeposit(second, id, { reference, quantity: '0.0015' })
  expect(differs).toMatchObject({ status: 409, body: { code: 'approval_mismatch' } })
  expect((await approveDeposit(second, id, fields)).status).toBe(200)
})

test('if the price of a first approval is gone, one operator’s quantity does not complete it', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '6000.00')
  const reference = newTxid()
  expect((await approveDeposit(first, id, { reference })).status).toBe(202)
  await listFrom(600)
  expect((await approveDeposit(second, id, { reference })).status).toBe(422)
  const alone = await approveDeposit(second, id, { reference, quantity: '0.09' })
  expect(alone).toMatchObject({ status: 409, body: { code: 'approval_mismatch' } })
  // Withdrawn and given again with the quantity, it is credited.
  await call('POST', `/operator/deposits/${id}/withdraw-approval`, { token: first.token })
  const fields = { reference, quantity: '0.09' }
  expect((await approveDeposit(first, id, fields)).status).toBe(202)
  expect((await approveDeposit(second, id, fields)).status).toBe(200)
})

test('an approval fixes no price from an old one, and then two operators pay', async () => {
  const ana = await newInvestor({ availableCents: 500_00 })
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '100.00')
  await listFrom(61)
  expect((await approveWithdrawal(first, id)).status).toBe(200)
  await listFrom(0)
  const sent = { quantity: '0.0016' }
  expect(await completeWithdrawal(first, id, sent)).toMatchObject({ status: 403 })
  expect((await completeWithdrawal(second, id, sent)).status).toBe(200)
})
