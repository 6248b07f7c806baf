import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireTestPackage } from '../packages/packages.ts'
import { type ServedVenue, serveVenue } from './serve.ts'
import { createVenue, type Venue } from './venue.ts'

// An independent client must work with the simulated exchanges unchanged, except for the address. It is ccxt
// (https://github.com/ccxt/ccxt). It also works with its own rate limiting, which would make these tests a minute longer.

interface Order {
  readonly id: string
  readonly status?: string
  readonly side?: string
  readonly filled?: number
  readonly remaining?: number
  readonly average?: number
  readonly amount?: number
}
interface Balance {
  readonly free: number
  readonly used: number
  readonly total: number
}
interface Fill {
  readonly order: string
  readonly amount: number
  readonly price: number
  readonly cost: number
  readonly fee: { readonly cost: number; readonly currency: string }
  readonly takerOrMaker: string
}
interface Client {
  urls: { api: Record<string, string> }
  loadMarkets(): Promise<
    Record<string, { precision: { price: number; amount: number }; limits: { amount: { min: number } } }>
  >
  fetchTime(params?: object): Promise<number>
  fetchBalance(params?: object): Promise<Record<string, Balance>>
  fetchOrderBook(symbol: string, limit?: number): Promise<{ bids: number[][]; asks: number[][] }>
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price?: number,
    params?: object,
  ): Promise<Order>
  fetchOrder(id: string, symbol?: string): Promise<Order>
  fetchOpenOrders(symbol?: string): Promise<Order[]>
  fetchClosedOrders(symbol?: string): Promise<Order[]>
  fetchMyTrades(symbol?: string): Promise<Fill[]>
  cancelOrder(id: string, symbol?: string): Promise<Order>
}
type Ccxt = Record<'kraken' | 'coinbase', new (settings: object) => Client> &
  Record<'InsufficientFunds' | 'AuthenticationError' | 'OrderNotFound', new () => Error>

let ccxt: Ccxt
let server: ServedVenue
let venue: Venue
let client: Client

const createClient = (
  name: 'kraken' | 'coinbase',
  { key, secret }: { key: string; secret: string },
): Client => {
  const made = new ccxt[name]({
    apiKey: key,
    secret,
    enableRateLimit: false,
    // Currencies of Coinbase are calls of an older API.
    has: { fetchCurrencies: name === 'kraken' },
  })
  for (const part of Object.keys(made.urls.api)) made.urls.api[part] = server.url
  return made
}

async function fetchBest(symbol: string): Promise<{ bid: number; ask: number }> {
  const { bids, asks } = await client.fetchOrderBook(symbol, 1)
  return { bid: bids[0]?.[0] ?? 0, ask: asks[0]?.[0] ?? 0 }
}

beforeAll(() => {
  ccxt = requireTestPackage('ccxt') as Ccxt
})

describe.each(['kraken', 'coinbase'] as const)('ccxt trades at the simulated %s', (name) => {
  beforeAll(async () => {
    // Without its own rate limiting the client would meet the exchange's limits on a fast machine.
    venue = createVenue(name, { seed: 3, hasLimits: false })
    server = await serveVenue(venue)
    client = createClient(name, venue.credentials)
  })
  afterAll(() => server.close())

  test('reads markets, prices and the starting balances', async () => {
    const markets = await client.loadMarkets()
    expect(Object.keys(markets)).toContain('BTC/USD')
    expect(markets['BTC/USD']?.precision).toEqual({ amount: 1e-8, price: name === 'kraken' ? 0.1 : 0.01 })
    expect(markets['ETH/USD']?.limits.amount.min).toBe(name === 'kraken' ? 0.001 : 1e-8)
    expect(
      Math.abs((await client.fetchTime({ method: 'v3PublicGetBrokerageTime' })) - Date.now()),
    ).toBeLessThan(3000)

    const balance = await client.fetchBalance({ v3: true })
    expect([balance.USD?.total, balance.BTC?.total, balance.ETH?.total]).toEqual([100_000, 1, 10])

    const { bids, asks } = await client.fetchOrderBook('BTC/USD', 25)
    expect(bids).toHaveLength(25)
    expect(asks[0]?.[0]).toBeGreaterThan(bids[0]?.[0] ?? Number.POSITIVE_INFINITY)
    expect((asks[0]?.[0] ?? 0) / (bids[0]?.[0] ?? 0) - 1).toBeLessThan(0.001)
  })

  test('places, reads and cancels a limit order, and holds its money meanwhile', async () => {
    const { bid } = await fetchBest('BTC/USD')
    const price = Math.round(bid * 0.8)
    const { id } = await client.createOrder('BTC/USD', 'limit', 'buy', 0.01, price)
    expect(await client.fetchOrder(id, 'BTC/USD')).toMatchObject({
      id,
      status: 'open',
      side: 'buy',
      filled: 0,
      amount: 0.01,
    })
    expect((await client.fetchOpenOrders('BTC/USD')).map((order) => order.id)).toEqual([id])
    const { USD } = await client.fetchBalance({ v3: true })
    expect(USD?.total).toBe(100_000)
    expect(USD?.used).toBeGreaterThan(0.01 * price)
    expect(USD?.free).toBeCloseTo(100_000 - (USD?.used ?? 0), 4)

    await client.cancelOrder(id, 'BTC/USD')
    expect(await client.fetchOrder(id, 'BTC/USD')).toMatchObject({ id, status: 'canceled', filled: 0 })
    expect(await client.fetchOpenOrders('BTC/USD')).toEqual([])
    await expect(client.cancelOrder(id, 'BTC/USD')).rejects.toThrow()
  })

  test('fills a market order in parts, charges the taker, and lists the trades', async () => {
    const { bid } = await fetchBest('ETH/USD')
    const { id } = await client.createOrder('ETH/USD', 'market', 'sell', 9)
    const order = await client.fetchOrder(id, 'ETH/USD')
    expect(order).toMatchObject({ status: 'closed', filled: 9, remaining: 0 })
    expect((order.average ?? 0) / bid).toBeGreaterThan(0.98)
    expect((await client.fetchClosedOrders('ETH/USD')).map((closed) => closed.id)).toContain(id)

    const trades = (await client.fetchMyTrades('ETH/USD')).filter((trade) => trade.order === id)
    expect(trades.length).toBeGreaterThan(1)
    expect(trades.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(9, 8)
    const rate = name === 'kraken' ? 0.008 : 0.012
    for (const { cost, fee, takerOrMaker } of trades.slice(0, 1)) {
      expect([fee.currency, takerOrMaker]).toEqual(['USD', 'taker'])
      expect(Number(fee.cost) / cost).toBeLessThanOrEqual(rate * 1.001)
    }
    const received = trades.reduce((sum, { cost, fee }) => sum + cost - Number(fee.cost), 0)
    const balance = await client.fetchBalance({ v3: true })
    expect(balance.ETH?.total).toBe(1)
    expect(balance.USD?.total).toBeCloseTo(100_000 + received, 2)
  })

  test('buys at the market', async () => {
    const { ask } = await fetchBest('SOL/USD')
    const { id } = await client.createOrder('SOL/USD', 'market', 'buy', 2, ask)
    expect(await client.fetchOrder(id, 'SOL/USD')).toMatchObject({ status: 'closed', side: 'buy' })
    expect((await client.fetchBalance({ v3: true })).SOL?.total).toBeCloseTo(2, 1)
  })

  test('understands the refusals', async () => {
    await expect(client.createOrder('BTC/USD', 'limit', 'buy', 100, 90_000)).rejects.toThrow(
      ccxt.InsufficientFunds,
    )
    const stranger = createClient(name, createVenue(name, { seed: 5 }).credentials)
    await expect(stranger.fetchBalance({ v3: true })).rejects.toThrow(ccxt.AuthenticationError)
  })
})

test('ccxt trades at the simulated Coinbase with an Ed25519 key', async () => {
  venue = createVenue('coinbase', { seed: 4 })
  server = await serveVenue(venue)
  client = createClient('coinbase', venue.newKey({ algorithm: 'EdDSA' }))
  expect((await client.fetchBalance({ v3: true })).USD?.total).toBe(100_000)
  await server.close()
})
