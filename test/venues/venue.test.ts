import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { importSigner, signToken } from '../../worker/investing/venues/coinbase/token.ts'
import { FAULTS, faultsOf } from './faults.ts'
import { serveVenue } from './serve.ts'
import { type Credentials, createVenue, type Venue, type VenueOptions } from './venue.ts'

const START = Date.UTC(2026, 10, 20, 12)

interface Answer {
  readonly error: readonly string[]
  readonly result?: Record<string, unknown>
}

/** A Kraken under a clock of its own, and a client of a few lines. */
function kraken(options: VenueOptions = {}) {
  let now = START
  const venue = createVenue('kraken', { ...options, clock: () => now })
  let nonce = START
  const sign = ({ secret }: Credentials, path: string, nonce: string, body: string) =>
    createHmac('sha512', Buffer.from(secret, 'base64'))
      .update(path)
      .update(
        createHash('sha256')
          .update(nonce + body)
          .digest(),
      )
      .digest('base64')
  return {
    venue,
    pass: (ms: number) => {
      now += ms
    },
    async ask(name: string, fields: Record<string, string> = {}, key = venue.credentials): Promise<Answer> {
      const path = `/0/private/${name}`
      const body = new URLSearchParams({ nonce: String(++nonce), ...fields }).toString()
      const used = new URLSearchParams(body).get('nonce') ?? ''
      const headers = { 'API-Key': key.key, 'API-Sign': sign(key, path, used, body) }
      const request = new Request(`https://api.kraken.com${path}`, { method: 'POST', headers, body })
      return (await venue.fetch(request)).json() as Promise<Answer>
    },
    async read(name: string): Promise<Answer> {
      return (
        await venue.fetch(new Request(`https://api.kraken.com/0/public/${name}`))
      ).json() as Promise<Answer>
    },
  }
}

const LIMIT = { pair: 'XBTUSD', type: 'buy', ordertype: 'limit', volume: '0.01', price: '50000' }

describe('the simulated Kraken', () => {
  test('takes each nonce once and only higher ones, except within the window of a key', async () => {
    const { ask, venue } = kraken()
    expect((await ask('BalanceEx', { nonce: '5' })).error).toEqual([])
    for (const nonce of ['5', '4', 'x', '', '-1'])
      expect((await ask('BalanceEx', { nonce })).error).toEqual(['EAPI:Invalid nonce'])
    expect((await ask('BalanceEx', { nonce: '6' })).error).toEqual([])
    const key = venue.newKey({ nonceWindow: 10 })
    const errors: (readonly string[])[] = []
    for (const nonce of ['100', '95', '95', '90', '91'])
      errors.push((await ask('BalanceEx', { nonce }, key)).error)
    expect(errors).toEqual([[], [], ['EAPI:Invalid nonce'], ['EAPI:Invalid nonce'], []])
  })

  test('refuses an unknown key, a wrong signature and what a key may not do', async () => {
    const { ask, venue } = kraken()
    expect((await ask('BalanceEx', {}, { key: 'none', secret: venue.credentials.secret })).error).toEqual([
      'EAPI:Invalid key',
    ])
    const { secret } = venue.newKey()
    expect((await ask('BalanceEx', {}, { ...venue.credentials, secret })).error).toEqual([
      'EAPI:Invalid signature',
    ])
    const reader = venue.newKey({ canTrade: false })
    expect((await ask('AddOrder', LIMIT, reader)).error).toEqual(['EGeneral:Permission denied'])
    expect((await ask('Withdraw', {})).error).toEqual(['EGeneral:Permission denied'])
    const withdrawing = venue.newKey({ canWithdraw: true })
    expect((await ask('GetApiKeyInfo', {}, withdrawing)).result?.permissions).toContain('withdraw-funds')
  })

  test('counts calls by their cost, and lets the counter fall with time', async () => {
    const { ask, pass } = kraken()
    const errors: string[] = []
    for (let count = 0; count < 12; count++) errors.push(...(await ask('TradesHistory')).error)
    expect(errors).toEqual(['EAPI:Rate limit exceeded', 'EAPI:Rate limit exceeded'])
    pass(2000)
    expect((await ask('TradesHistory')).error).toEqual([])
    expect((await ask('BalanceEx')).error).toEqual(['EAPI:Rate limit exceeded'])
  })

  test('charges a cancellation by the age of its order', async () => {
    const { ask } = kraken()
    let cancelled = 0
    for (;;) {
      const { result, error } = await ask('AddOrder', LIMIT)
      if (error[0] === 'EOrder:Rate limit exceeded') break
      const [txid = ''] = (result?.txid ?? []) as [string?]
      if ((await ask('CancelOrder', { txid })).error[0] === 'EOrder:Rate limit exceeded') break
      cancelled++
    }
    // 1 for each order and 8 for each cancellation, up to 180.
    expect(cancelled).toBe(20)
  })

  test('looks for a repeated client id among open orders only', async () => {
    const { ask } = kraken()
    const order = { ...LIMIT, cl_ord_id: 'one' }
    expect((await ask('AddOrder', order)).error).toEqual([])
    expect((await ask('AddOrder', order)).error).toEqual(['EOrder:Duplicate cl_ord_id'])
    expect((await ask('CancelOrder', { cl_ord_id: 'one' })).result).toEqual({ count: 1 })
    expect((await ask('AddOrder', order)).error).toEqual([])
    const market = { pair: 'XBTUSD', type: 'buy', ordertype: 'market', volume: '0.01', cl_ord_id: 'two' }
    expect([(await ask('AddOrder', market)).error, (await ask('AddOrder', market)).error]).toEqual([[], []])
  })

  test('only checks an order with validate, cancels a post-only one that would match, and holds to its deadline', async () => {
    const { ask, venue, pass } = kraken()
    const dry = await ask('AddOrder', { ...LIMIT, validate: 'true' })
    expect(dry.result).toEqual({ descr: { order: 'buy 0.01000000 XBTUSD @ limit 50000.0' } })
    expect(venue.account.orders).toEqual([])
    await ask('AddOrder', { ...LIMIT, price: '150000', oflags: 'post' })
    expect(venue.account.orders).toMatchObject([
      { state: 'cancelled', reason: 'Post only order', filled: 0n },
    ])
    const collectRefusals = async (...fields: readonly Record<string, string>[]) => {
      const errors: (string | undefined)[] = []
      for (const more of fields) errors.push((await ask('AddOrder', { ...LIMIT, ...more })).error[0])
      return new Set(errors)
    }
    const at = (ms: number) => ({ deadline: new Date(START + ms).toISOString() })
    expect(await collectRefusals(at(-1), at(1_999), at(60_001), { deadline: 'soon' })).toEqual(
      new Set(['EGeneral:Invalid arguments:deadline']),
    )
    const until = (expiretm: string) => ({ timeinforce: 'GTD', expiretm })
    const seconds = START / 1000
    expect(
      await collectRefusals(
        until('+4'),
        until('0'),
        until(String(seconds - 1)),
        until(String(seconds + 32 * 86_400)),
      ),
    ).toEqual(new Set(['EGeneral:Invalid arguments:expiretm']))
    expect(await collectRefusals(at(2_000), at(60_000), until(String(seconds + 30 * 86_400)))).toEqual(
      new Set([undefined]),
    )
    for (const open of venue.account.orders) venue.exchange.cancel(open)
    await ask('AddOrder', { ...LIMIT, timeinforce: 'GTD', expiretm: '+5' })
    pass(6000)
    expect((await ask('OpenOrders')).result).toEqual({ open: {} })
    expect((await ask('ClosedOrders')).result?.count).toBe(5)
  })

  test('fills an order that must be filled whole in whole, or cancels it', async () => {
    const { ask, read, venue } = kraken()
    const { XXBTZUSD } = (await read('Depth?pair=XBTUSD&count=1')).result as Record<
      string,
      { asks: string[][] }
    >
    const [price = '', size = ''] = XXBTZUSD?.asks[0] ?? []
    const whole = { ...LIMIT, price, timeinforce: 'FOK' }
    await ask('AddOrder', { ...whole, volume: String(Number(size) * 1.5) })
    await ask('AddOrder', { ...whole, volume: String(Number(size) / 2) })
    expect(venue.account.orders).toMatchObject([{ state: 'cancelled', filled: 0n }, { state: 'filled' }])
  })

  test('reads markets under all names of a pair, and takes orders under its id and its other name', async () => {
    const { ask, read } = kraken()
    for (const pair of ['XXBTZUSD', 'XBTUSD', 'XBT/USD', 'BTC/USD'])
      expect(Object.keys((await read(`Depth?pair=${pair}`)).result ?? {})).toEqual(['XXBTZUSD'])
    for (const pair of ['XXBTZUSD', 'XBTUSD'])
      expect((await ask('AddOrder', { ...LIMIT, pair })).error).toEqual([])
    expect((await ask('AddOrder', { ...LIMIT, pair: 'BTC/USD' })).error).toEqual([
      'EQuery:Unknown asset pair',
    ])
  })

  test('says the fees of an account by pair, which its markets do not', async () => {
    const { ask, read } = kraken()
    const { XXBTZUSD } = (await read('AssetPairs')).result as Record<string, object>
    expect(XXBTZUSD).toMatchObject({ fees: [], fees_maker: [] })
    expect((await ask('TradeVolume')).result).toEqual({ currency: 'ZUSD', volume: '0.0000' })
    const fees = async () => (await ask('TradeVolume', { pair: 'XBTUSD' })).result
    const rows = { min_fee: '0.1000', max_fee: '0.8000', tier_volume: '0.0000' }
    expect(await fees()).toMatchObject({
      fees: { XXBTZUSD: { fee: '0.8000', next_fee: '0.6000', next_volume: '2500.0000', ...rows } },
      fees_maker: { XXBTZUSD: { fee: '0.4000' } },
    })
    await ask('AddOrder', { pair: 'XBTUSD', type: 'buy', ordertype: 'market', volume: '0.05' })
    expect(await fees()).toMatchObject({ fees: { XXBTZUSD: { fee: '0.6000', tier_volume: '2500.0000' } } })
  })

  test('answers what is wrong with an order in the words of Kraken', async () => {
    const { ask } = kraken()
    const errors: Record<string, string | undefined> = {}
    const wrong: Record<string, Record<string, string>> = {
      pair: { pair: 'NOPE' },
      volume: { volume: 'much' },
      minimum: { volume: '0.00001' },
      cost: { volume: '0.0001', price: '1' },
      price: { price: '50000.12' },
      funds: { volume: '10' },
      leverage: { leverage: '2' },
      stop: { ordertype: 'stop-loss' },
    }
    for (const [name, change] of Object.entries(wrong))
      errors[name] = (await ask('AddOrder', { ...LIMIT, ...change })).error[0]
    expect(errors).toEqual({
      pair: 'EQuery:Unknown asset pair',
      volume: 'EGeneral:Invalid arguments:volume',
      minimum: 'EOrder:Order minimum not met',
      cost: 'EOrder:Cost minimum not met',
      price: 'EOrder:Invalid price:XBTUSD price can only be specified up to 1 decimals.',
      funds: 'EOrder:Insufficient funds',
      leverage: 'EGeneral:Invalid arguments:leverage',
      stop: 'EGeneral:Invalid arguments:ordertype',
    })
    expect((await ask('CancelOrder', { txid: 'OAAAAA-BBBBB-CCCCCC' })).error).toEqual([
      'EOrder:Unknown order',
    ])
    expect((await ask('Nothing')).error).toEqual(['EGeneral:Unknown method'])
  })

  test('books a trade in its ledger with the balances that follow, with a fee in either currency', async () => {
    const { ask } = kraken()
    const market = { pair: 'XBTUSD', type: 'buy', ordertype: 'market', volume: '0.01' }
    await ask('AddOrder', market)
    await ask('AddOrder', { ...market, oflags: 'fcib' })
    const { ledger } = (await ask('Ledgers')).result as { ledger: Record<string, Record<string, string>> }
    const rows = Object.values(ledger)
    const sum = (asset: string) =>
      rows
        .filter((row) => row.asset === asset)
        .reduce((sum, { amount, fee }) => sum + Number(amount) - Number(fee), 0)
    const { ZUSD, XXBT } = (await ask('BalanceEx')).result as Record<string, { balance: string }>
    expect(Number(ZUSD?.balance)).toBeCloseTo(100_000 + sum('ZUSD'), 4)
    expect(Number(XXBT?.balance)).toBeCloseTo(1 + sum('XXBT'), 10)
    expect(rows.some(({ asset, fee }) => asset === 'XXBT' && Number(fee) > 0)).toBe(true)
    expect(sum('ZUSD')).toBeLessThan(-1000)
  })

  test('lowers the fees as the volume grows', async () => {
    const { ask, pass, venue } = kraken()
    for (let count = 0; count < 16; count++) {
      for (const type of ['buy', 'sell'])
        await ask('AddOrder', { pair: 'XBTUSD', type, ordertype: 'market', volume: '0.5' })
      pass(60_000)
    }
    const rates = venue.account.trades.map(({ fee, cost }) => Number(fee) / Number(cost))
    expect(rates[0]).toBeCloseTo(0.008, 6)
    expect(rates.at(-1)).toBeCloseTo(0.0018, 6)
  })
})

/** A Coinbase under a clock of its own, and a client of a few lines. */
function coinbase(options: VenueOptions = {}) {
  let now = START
  const venue = createVenue('coinbase', { ...options, clock: () => now })
  const host = 'api.coinbase.com'
  return {
    venue,
    pass: (ms: number) => {
      now += ms
    },
    /** Differences of the token from the one that would be right. */
    async ask(
      method: 'GET' | 'POST',
      path: string,
      { body, key = venue.credentials, ...wrong }: Asking = {},
    ): Promise<{ status: number; body: Record<string, unknown> }> {
      const whole = `/api/v3/brokerage/${path}`
      const uri = wrong.uri ?? `${method} ${host}${whole.split('?')[0]}`
      const token = await signToken(await importSigner(key.secret), key.key, uri, now + (wrong.aheadMs ?? 0))
      const headers = { Authorization: `Bearer ${token}` }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await venue.fetch(new Request(`https://${host}${whole}`, { method, headers, ...sent }))
      const text = await response.text()
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } }
    },
  }
}

interface Asking {
  readonly body?: unknown
  readonly key?: Credentials
  readonly uri?: string
  readonly aheadMs?: number
}

const orderOf = (id: string, order_configuration: unknown, product_id = 'BTC-USD') => ({
  body: { client_order_id: id, product_id, side: 'BUY', order_configuration },
})
const resting = { limit_limit_gtc: { base_size: '0.01', limit_price: '50000', post_only: false } }

describe('the simulated Coinbase', () => {
  test('takes a token only from its key, for its request and in its two minutes', async () => {
    const { ask, venue } = coinbase()
    expect((await ask('GET', 'accounts?limit=5')).status).toBe(200)
    const other = createVenue('coinbase', { seed: 9 }).credentials
    const wrong: Record<string, Asking> = {
      method: { uri: 'POST api.coinbase.com/api/v3/brokerage/accounts' },
      path: { uri: 'GET api.coinbase.com/api/v3/brokerage/orders' },
      host: { uri: 'GET example.com/api/v3/brokerage/accounts' },
      expired: { aheadMs: -120_000 },
      early: { aheadMs: 20_000 },
      'other key': { key: other },
      'other secret': { key: { ...venue.credentials, secret: other.secret } },
    }
    for (const [name, asking] of Object.entries(wrong))
      expect([name, (await ask('GET', 'accounts', asking)).status]).toEqual([name, 401])
    expect((await ask('GET', 'accounts', { key: venue.newKey({ algorithm: 'EdDSA' }) })).status).toBe(200)
    const permissions = async (key: Credentials) => (await ask('GET', 'key_permissions', { key })).body
    expect(await permissions(venue.newKey({ canWithdraw: true }))).toMatchObject({
      can_trade: true,
      can_transfer: true,
    })
    const reader = venue.newKey({ canTrade: false })
    expect((await ask('POST', 'orders', { ...orderOf('a', resting), key: reader })).status).toBe(403)
  })

  test('gives the first order again for a repeated client id, open or not', async () => {
    const { ask, venue } = coinbase()
    const market = { market_market_ioc: { quote_size: '1000' } }
    const [first, again] = [
      await ask('POST', 'orders', orderOf('a', market)),
      await ask('POST', 'orders', orderOf('a', market)),
    ]
    expect(first.body).toMatchObject({ success: true, success_response: { client_order_id: 'a' } })
    expect(again.body).toEqual(first.body)
    expect(venue.account.orders).toMatchObject([{ state: 'filled' }])
    // The fee is within the amount.
    const order = venue.account.orders[0]
    expect(Number((order?.cost ?? 0n) + (order?.fee ?? 0n)) / 1e16).toBeCloseTo(1000, 1)
    const { body } = await ask('GET', 'orders/historical/fills')
    expect((body.fills as unknown[])[0]).toMatchObject({ size_in_quote: true, liquidity_indicator: 'TAKER' })
  })

  test('answers what is wrong with an order in the words of Coinbase', async () => {
    const { ask, venue } = coinbase()
    const limit = (change: object, kind = 'limit_limit_gtc') => ({
      [kind]: { ...resting.limit_limit_gtc, ...change },
    })
    const wrong: Record<string, unknown> = {
      PREVIEW_INSUFFICIENT_FUND: limit({ base_size: '10' }),
      PREVIEW_INVALID_PRICE_PRECISION: limit({ limit_price: '50000.123' }),
      PREVIEW_INVALID_SIZE_PRECISION: limit({ base_size: '0.0100000001' }),
      PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL: limit({ base_size: '0.00001' }),
      PREVIEW_INVALID_LIMIT_PRICE_POST_ONLY: limit({ limit_price: '150000', post_only: true }),
      PREVIEW_END_TIME_IS_IN_THE_PAST: limit({ end_time: '2026-01-01T00:00:00Z' }, 'limit_limit_gtd'),
    }
    for (const [reason, configuration] of Object.entries(wrong)) {
      const { status, body } = await ask('POST', 'orders', orderOf(reason, configuration))
      expect([status, body.success]).toEqual([200, false])
      expect(body.error_response).toMatchObject({ preview_failure_reason: reason })
    }
    for (const configuration of [null, 'x', {}, { limit_limit_gtc: null }, { stop_limit_stop_limit_gtc: {} }])
      expect((await ask('POST', 'orders', orderOf('x', configuration))).status).toBe(400)
    expect(venue.account.orders).toEqual([])
    expect((await ask('GET', 'orders/historical/none')).status).toBe(404)
  })

  test('says for each cancellation whether it was accepted', async () => {
    const { ask } = coinbase()
    const { body } = await ask('POST', 'orders', orderOf('a', resting))
    const cancel = async (...order_ids: unknown[]) =>
      (
        (await ask('POST', 'orders/batch_cancel', { body: { order_ids } })).body.results as {
          failure_reason: string
        }[]
      ).map(({ failure_reason }) => failure_reason)
    expect(await cancel(body.order_id, 'none')).toEqual([
      'UNKNOWN_CANCEL_FAILURE_REASON',
      'UNKNOWN_CANCEL_ORDER',
    ])
    expect(await cancel(body.order_id)).toEqual(['INVALID_CANCEL_REQUEST'])
  })

  test('pages its lists with a cursor, and limits the requests in a second', async () => {
    const { ask, pass } = coinbase()
    for (const id of ['a', 'b', 'c']) await ask('POST', 'orders', orderOf(id, resting))
    const first = (await ask('GET', 'orders/historical/batch?order_status=OPEN&limit=2')).body
    expect([(first.orders as unknown[]).length, first.has_next]).toEqual([2, true])
    const second = (
      await ask('GET', `orders/historical/batch?order_status=OPEN&limit=2&cursor=${first.cursor}`)
    ).body
    expect([(second.orders as unknown[]).length, second.has_next]).toEqual([1, false])
    const statuses: number[] = []
    for (let count = 0; count < 30; count++) statuses.push((await ask('GET', 'accounts')).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    pass(1000)
    expect((await ask('GET', 'accounts')).status).toBe(200)
  })
})

test('a seed always gives the same keys and prices, and another one others', async () => {
  const [first, same, other] = [kraken({ seed: 3 }), kraken({ seed: 3 }), kraken({ seed: 4 })]
  expect(same.venue.credentials).toEqual(first.venue.credentials)
  expect(other.venue.credentials).not.toEqual(first.venue.credentials)
  const depth = 'Depth?pair=XBTUSD'
  expect(await same.read(depth)).toEqual(await first.read(depth))
  expect(await other.read(depth)).not.toEqual(await first.read(depth))
})

test('an order takes what is in the book, so the next one pays more', async () => {
  const { ask, venue } = kraken()
  const market = { pair: 'XBTUSD', type: 'buy', ordertype: 'market', volume: '0.5' }
  await ask('AddOrder', market)
  await ask('AddOrder', market)
  const [first, second] = venue.account.orders
  expect(first?.trades.length).toBeGreaterThan(1)
  expect(second?.trades[0]?.price).toBeGreaterThanOrEqual(first?.trades.at(-1)?.price ?? 0n)
  expect((second?.cost ?? 0n) > (first?.cost ?? 0n)).toBe(true)
})

test('each fault happens when it is on, is counted, and does not happen when it is off', async () => {
  expect(faultsOf('storm')).toEqual(Object.keys(FAULTS))
  expect(() => faultsOf('storm,rain')).toThrow('There is no fault')
  const { ask, venue, pass } = kraken({ seed: 2, faults: faultsOf('storm'), likelihood: 0.3 })
  const trade = async (venue: Venue) => {
    for (let count = 0; count < 400; count++) {
      const quick = { ...LIMIT, price: '150000', timeinforce: 'IOC' }
      const placed = await ask('AddOrder', count % 2 === 0 ? LIMIT : quick).catch(() => undefined)
      const txid = venue.account.orders.at(-1)?.id ?? ''
      if (placed !== undefined && count % 2 === 0) await ask('CancelOrder', { txid }).catch(() => {})
      if (count % 5 === 0) for (const ofs of ['0', '20']) await ask('TradesHistory', { ofs }).catch(() => {})
      pass(60_000)
    }
  }
  await trade(venue)
  const never = Object.entries(venue.exchange.faults.counts).filter(([, count]) => count === 0)
  expect(never).toEqual([])
  const calm = kraken({ seed: 2 })
  for (let count = 0; count < 5; count++) await calm.ask('AddOrder', LIMIT)
  expect(Object.values(calm.venue.exchange.faults.counts).every((count) => count === 0)).toBe(true)
})

test('a served exchange cuts connections where its faults say so, and is steered by its control calls', async () => {
  const venue = createVenue('kraken', { likelihood: 1 })
  const { url, close } = await serveVenue(venue)
  try {
    const control = async (name: string, body: object) => {
      const response = await fetch(`${url}/_control/${name}`, { method: 'POST', body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    expect((await fetch(`${url}/0/public/Time`)).status).toBe(200)
    expect((await control('faults', { faults: 'lost-answers', likelihood: 1 })).body.on).toEqual([
      'lost-answers',
    ])
    await expect(fetch(`${url}/0/public/Time`)).rejects.toThrow('fetch failed')
    expect((await control('faults', {})).body.counts).toMatchObject({ 'lost-answers': 1 })
    expect((await control('mode', { mode: 'cancel_only' })).body.mode).toBe('cancel_only')
    const status = (await (await fetch(`${url}/0/public/SystemStatus`)).json()) as Answer
    expect(status.result?.status).toBe('cancel_only')
    expect((await control('keys', { canWithdraw: true })).body).toMatchObject({ key: expect.any(String) })
    expect((await control('nothing', {})).status).toBe(404)
    expect((await control('faults', { faults: 'rain' })).status).toBe(400)
  } finally {
    await close()
  }
})
