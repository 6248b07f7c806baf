import { expect, test } from 'vitest'
import type { MarketCoin, TrendingCoin } from '../../../src/contract/investing/market.ts'
import type { Quote } from '../../../src/contract/money/wallets.ts'
import { call } from '../../../test/support/http.ts'
import { setPrice } from '../../../test/support/market.ts'
import { newInvestor } from '../../../test/support/people.ts'

test('without a provider the bundled sample is served, and says so', async () => {
  const reply = await call<MarketCoin[]>('GET', '/market/coins')
  expect(reply.status).toBe(200)
  expect(reply.body).toHaveLength(50)
  expect(reply.headers.get('X-Market-Source')).toBe('sample')
  expect(reply.headers.get('Age')).toBe('0')
  expect(Date.parse(reply.headers.get('X-Market-At') ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(reply.body.map((coin) => coin.market_cap_rank)).toEqual(reply.body.map((_, index) => index + 1))
})

test('trending coins come greatest change first, at least three', async () => {
  const { body } = await call<TrendingCoin[]>('GET', '/market/trending')
  const changes = body.map((coin) => coin.data.price_change_percentage_24h.usd)
  expect(changes.length).toBeGreaterThanOrEqual(3)
  expect(changes).toEqual(changes.toSorted((a, b) => b - a))
})

test('a client that has the list already is answered 304 without a body', async () => {
  const first = await call('GET', '/market/coins')
  const tag = first.headers.get('ETag') ?? ''
  expect(tag).not.toBe('')
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await call('GET', '/market/coins', { headers: { 'If-None-Match': header } })
    expect(again.status).toBe(304)
    expect(again.body).toBeUndefined()
    expect(again.headers.get('X-Market-Source')).toBe('sample')
  }
  const other = await call('GET', '/market/coins', { headers: { 'If-None-Match': '"other"' } })
  expect(other.status).toBe(200)
})

test('a quote is exact, rounded up at the eighth decimal, and names its rate and time', async () => {
  const ana = await newInvestor()
  const quote = async (type: string, amount: string) =>
    (await call<Quote>('GET', `/quotes?type=${type}&amount=${amount}`, { token: ana.token })).body
  // 100 / 64,200 = 0.001557632…; 1 / 3,150 = 0.000317460…
  expect(await quote('bitcoin', '100')).toMatchObject({ quantity: 0.00155764, rate: 64_200 })
  expect(await quote('ethereum', '1')).toMatchObject({ quantity: 0.00031747, rate: 3150 })
  expect(await quote('usdt', '12.34')).toMatchObject({ quantity: 12.34, rate: 1 })
  // 10,000,000,000 / 64,200 = 155763.239875389408…
  expect(await quote('bitcoin', '10000000000')).toMatchObject({ quantity: 155763.23987539 })
  expect((await quote('usdt', '1')).at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a quote needs a coin, an amount and somebody signed in', async () => {
  const ana = await newInvestor()
  const refused = await call('GET', '/quotes?type=dogecoin&amount=-1', { token: ana.token })
  expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(Object.keys(refused.body.fields ?? {})).toEqual(['type', 'amount'])
  expect(await call('GET', '/quotes?type=bitcoin&amount=1')).toMatchObject({ status: 401 })
})

test('a stored snapshot is served with its own source and age, and quotes follow it', async () => {
  const ana = await newInvestor()
  const at = Date.now() - 100_000
  await setPrice(70_000.5, at)
  const list = await call<MarketCoin[]>('GET', '/market/coins')
  expect(list.headers.get('X-Market-Source')).toBe('a-provider')
  expect(list.headers.get('X-Market-At')).toBe(new Date(at).toISOString())
  expect(Number(list.headers.get('Age'))).toBeGreaterThanOrEqual(100)
  expect(list.body[0]?.current_price).toBe(70_000.5)
  const quote = await call<Quote>('GET', '/quotes?type=bitcoin&amount=70000.50', { token: ana.token })
  expect(quote.body).toEqual({ quantity: 1, rate: 70_000.5, at: new Date(at).toISOString() })
})
