import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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
    expect((await ask('Balance', { nonce: '5' })).error).toEqual([])
    for (const nonce of ['5', '4', 'x', '', '-1'])
      expect((await ask('Balance', { nonce })).error).toEqual(['EAPI:Invalid nonce'])
    expect((await ask('Balance', { nonce: '6' })).error).toEqual([])
    const key = venue.newKey({ nonceWindow: 10 })
    const errors: (readonly string[])[] = []
    for (const nonce of ['100', '95', '95', '90', '91'])
      errors.push((await ask('Balance', { nonce }, key)).error)
    expect(errors).toEqual([[], [], ['EAPI:Invalid nonce'], ['EAPI:Invalid nonce'], []])
  })

  test('refuses an unknown key, a wrong signature and what a key may not do', async () => {
    const { ask, venue } = kraken()
    expect((await ask('Balance', {}, { key: 'none', secret: venue.credentials.secret })).error).toEqual([
      'EAPI:Invalid key',
    ])
    const { secret } = venue.newKey()
    expect((await ask('Balance', {}, { ...venue.credentials, secret })).error).toEqual([
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
    expect((await ask('Balance')).error).toEqual(['EAPI:Rate limit exceeded'])
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
    const deadline = new Date(START - 1).toISOString()
    expect((await ask('AddOrder', { ...LIMIT, deadline })).error).toEqual(['EService:Deadline elapsed'])
    await ask('AddOrder', { ...LIMIT, timeinforce: 'GTD', expiretm: '+5' })
    pass(6000)
    expect((await ask('OpenOrders')).result).toEqual({ open: {} })
    expect((await ask('ClosedOrders')).result?.count).toBe(2)
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
    const balances = (await ask('Balance')).result as Record<string, string>
    expect(Number(balances.ZUSD)).toBeCloseTo(100_000 + sum('ZUSD'), 4)
    expect(Number(balances.XXBT)).toBeCloseTo(1 + sum('XXBT'), 10)
    expect(rows.some(({ asset, fee }) => asset === 'XXBT' && Number(fee) > 0)).toBe(true)
    const paid = sum('ZUSD')
    expect((await ask('TradeVolume', { pair: 'XBTUSD' })).result).toMatchObject({
      fees: { XXBTZUSD: { fee: '0.4000' } },
    })
    expect(paid).toBeLessThan(-1000)
  })

  test('lowers the fees as the volume grows', async () => {
    const { ask, pass } = kraken()
    for (let count = 0; count < 16; count++) {
      for (const type of ['buy', 'sell'])
        await ask('AddOrder', { pair: 'XBTUSD', type, ordertype: 'market', volume: '0.5' })
      pass(60_000)
    }
    const { volume, fees } = (await ask('TradeVolume', { pair: 'XBTUSD' })).result as {
      volume: string
      fees: Record<string, { fee: string }>
    }
    expect(Number(volume)).toBeGreaterThan(1_000_000)
    expect(fees.XXBTZUSD?.fee).toBe('0.1600')
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
