import { describe, expect, test } from 'vitest'
import { isLong } from '../../../test/random.ts'
import { type Meeting, meet } from '../../../test/support/venues.ts'
import type { Fault } from '../../../test/venues/faults.ts'
import { faultsOf } from '../../../test/venues/faults.ts'
import { type ClientOrder, requireTradingKey, VenueFailure } from './client.ts'
import type { VenueFill } from './venue.ts'

const MINUTE = 60_000
const COIN = 100_000_000
const USD = 100_000_000

let orders = 0
/** A client's id, as trading makes them: a UUID. */
const newId = () => `00000000-0000-4000-8000-${String(++orders).padStart(12, '0')}`

/** A purchase of 0.1 BTC, by default far below the market. */
async function order({ client, now }: Meeting, change: Partial<ClientOrder> & { readonly at?: number } = {}) {
  const { at = 0.8, ...given } = change
  const asset = given.asset ?? 'btc'
  const { bid, ask } = await client.book(asset)
  const best = (given.side === 'sell' ? bid : ask) ?? 0
  const step = asset === 'btc' ? 1e8 : 1e7
  const wanted: ClientOrder = {
    clientId: newId(),
    asset,
    side: 'buy',
    quantity: COIN / 10,
    limitPrice: Math.round((best * at) / step) * step,
    expiresAt: now() + 10 * MINUTE,
    ...given,
  }
  return wanted
}

/** What fills changed, in 10⁻⁸. */
function changesBy(fills: readonly VenueFill[]) {
  const sums = { usd: 0, btc: 0, eth: 0 }
  for (const { asset, side, quantity, value, fee } of fills) {
    const sign = side === 'buy' ? 1 : -1
    sums[asset as 'btc'] += sign * quantity - (fee.asset === 'base' ? fee.amount : 0)
    sums.usd -= sign * value + (fee.asset === 'usd' ? fee.amount : 0)
  }
  return sums
}

/** The faults without the one that is measured once at the start. */
const OFF: readonly Fault[] = []

describe.each(['kraken', 'coinbase'] as const)('the client of %s', (name) => {
  test('accepts a key that trades, and refuses one that may withdraw or may not trade', () =>
    meet(name, {}, async ({ client, venue, clientWith }) => {
      expect(await client.permissions()).toEqual({ missing: [], withdraw: false })
      await requireTradingKey(client)
      const withdrawing = clientWith(venue.newKey({ canWithdraw: true }))
      await expect(requireTradingKey(withdrawing)).rejects.toThrow('may withdraw')
      await expect(requireTradingKey(clientWith(venue.newKey({ canTrade: false })))).rejects.toThrow(
        /lacks .*trade/,
      )
      const stranger = clientWith({ ...venue.credentials, secret: venue.newKey().secret })
      await expect(stranger.balances()).rejects.toMatchObject({ kind: 'credentials' })
    }))

  test('reads markets with their precision and smallest orders, and leaves out unknown assets', () =>
    meet(name, {}, async ({ client }) => {
      const [btc, xrp, ...more] = await client.markets(['btc', 'xrp', 'nothing'])
      expect(more).toEqual([])
      const expected = {
        kraken: { leastQuantity: 5_000, leastValue: USD / 2, quantityStep: 1, priceStep: 1e8 },
        coinbase: { leastQuantity: 1, leastValue: USD, quantityStep: 1, priceStep: 1e7 },
      }[name]
      expect(btc).toEqual({ asset: 'btc', ...expected })
      expect(xrp?.priceStep).toBe(name === 'kraken' ? 10_000 : 100_000)
    }))

  test('reads the fee that the account pays as a taker', () =>
    meet(name, {}, async (meeting) => {
      const { client } = meeting
      const before = await client.takerFee(['btc', 'eth'])
      expect(before).toBe({ kraken: 8_000, coinbase: 12_000 }[name])
      await client.submit(await order(meeting, { at: 1.01 }))
      expect(await client.takerFee(['btc', 'eth'])).toBe({ kraken: 3_800, coinbase: 4_000 }[name])
    }))

  test('reads the best prices and the balances, with what open orders reserve', () =>
    meet(name, {}, async (meeting) => {
      const { client } = meeting
      const { bid, ask } = await client.book('eth')
      expect(ask).toBeGreaterThan(bid ?? Number.POSITIVE_INFINITY)
      expect((ask ?? 0) / (bid ?? 1)).toBeLessThan(1.001)
      await client.submit(await order(meeting))
      const balances = await client.balances()
      expect([balances.get('usd'), balances.get('btc'), balances.get('eth')]).toEqual([
        100_000 * USD,
        COIN,
        10 * COIN,
      ])
    }))

  test('measures a clock that is wrong, and then works with it', () =>
    meet(name, { faults: ['clock'], seed: 14 }, async (meeting) => {
      const { client, venue, access, now } = meeting
      expect(venue.skewMs).toBeLessThan(-50_000)
      // Without being asked for it, before the first order.
      expect(await client.submit(await order(meeting))).toMatchObject({ state: 'accepted' })
      expect(Math.abs((access.clock.skewMs ?? 0) - venue.skewMs)).toBeLessThanOrEqual(500)
      expect(Math.abs((await client.time()) - now() - venue.skewMs)).toBeLessThanOrEqual(500)
      meeting.pass(11 * MINUTE)
      expect(await client.openOrders()).toEqual([])
    }))

  test('reads each mode, and says that the market is closed to orders', () =>
    meet(name, {}, async (meeting) => {
      const { client, venue } = meeting
      const wanted = await order(meeting)
      for (const mode of ['online', 'limit_only', 'post_only', 'cancel_only', 'maintenance'] as const) {
        venue.setMode(mode)
        expect(await client.status('btc')).toBe(mode)
        const submitted = await client.submit({ ...wanted, clientId: newId() })
        const expected = {
          online: { state: 'accepted' },
          limit_only: { state: 'accepted' },
          post_only: { state: 'refused', reason: 'market_closed' },
          cancel_only: { state: 'refused', reason: 'market_closed' },
          // Offline: whether the order arrived is not said.
          maintenance: { state: 'unknown' },
        }[mode]
        expect(submitted).toMatchObject(expected)
      }
      await expect(client.balances()).rejects.toThrow(VenueFailure)
      venue.setMode('cancel_only')
      for (const { venueId } of await client.openOrders()) await client.cancel(venueId)
      expect(await client.openOrders()).toEqual([])
    }))

  test('places, finds, cancels and lists a limit order', () =>
    meet(name, {}, async (meeting) => {
      const { client, now } = meeting
      const wanted = await order(meeting)
      const submitted = await client.submit(wanted)
      if (submitted.state !== 'accepted') throw new Error(submitted.state)
      const { venueId } = submitted
      const open = { venueId, clientId: wanted.clientId, asset: 'btc', side: 'buy', isOpen: true, filled: 0 }
      expect(await client.order(venueId)).toEqual(open)
      expect(await client.order(wanted.clientId)).toEqual(open)
      expect(await client.openOrders()).toEqual([open])
      expect(await client.orders(now() - MINUTE)).toEqual([open])
      await client.cancel(venueId)
      expect(await client.order(wanted.clientId)).toEqual({ ...open, isOpen: false })
      expect(await client.closedOrders(now() - MINUTE)).toEqual([{ ...open, isOpen: false }])
      // Too late, and for an order that never was.
      await client.cancel(venueId)
      await client.cancel(name === 'kraken' ? 'OAAAAA-BBBBB-CCCCCC' : newId())
      expect(await client.order(newId())).toBeNull()
      expect(await client.order('OAAAAA-BBBBB-CCCCCC')).toBeNull()
    }))

  test('lets the venue end an order at its time', () =>
    meet(name, {}, async (meeting) => {
      const { client, now, pass } = meeting
      const wanted = await order(meeting, { expiresAt: now() + 2 * MINUTE })
      await client.submit(wanted)
      pass(90_000)
      expect(await client.order(wanted.clientId)).toMatchObject({ isOpen: true })
      pass(31_000)
      expect(await client.order(wanted.clientId)).toMatchObject({ isOpen: false, filled: 0 })
      expect(await client.submit({ ...wanted, clientId: newId() })).toMatchObject({ reason: 'deadline' })
    }))

  test('reads fills whose values and fees explain the balances', () =>
    meet(name, {}, async (meeting) => {
      const { client, now } = meeting
      const buy = await order(meeting, { quantity: COIN * 0.7, at: 1.01, timeInForce: 'ioc' })
      const sell = await order(meeting, { asset: 'eth', side: 'sell', quantity: 9 * COIN, at: 0.98 })
      expect(await client.submit(buy)).toMatchObject({ state: 'accepted' })
      expect(await client.submit(sell)).toMatchObject({ state: 'accepted' })
      const fills = await client.fills(now() - MINUTE)
      expect(fills.length).toBeGreaterThan(5)
      const changes = changesBy(fills)
      expect(changes).toMatchObject({ btc: COIN * 0.7, eth: -9 * COIN })
      const balances = await client.balances()
      expect(balances.get('btc')).toBe(COIN * 1.7)
      // Kraken books 10⁻⁴ USD. Coinbase books more decimals than are kept, half a unit for each value and fee.
      const rounding = name === 'kraken' ? 0 : fills.length + 1
      expect(Math.abs((balances.get('usd') ?? 0) - 100_000 * USD - changes.usd)).toBeLessThanOrEqual(rounding)
      for (const { value, fee } of fills) {
        expect(fee.asset).toBe('usd')
        expect(fee.amount / value).toBeGreaterThan(0.001)
        expect(fee.amount / value).toBeLessThan(0.013)
      }
    }))

  test('says why an order was refused', () =>
    meet(name, {}, async (meeting) => {
      const { client, venue } = meeting
      const refusals: readonly (readonly [Partial<ClientOrder>, string])[] = [
        [{ quantity: 50 * COIN }, 'funds'],
        [{ side: 'sell', quantity: 2 * COIN }, 'funds'],
        [{ quantity: 100 }, 'size'],
        [{ limitPrice: 70_000_123_456_789 }, 'price'],
        [{ asset: 'nothing', limitPrice: 1e9 }, 'other'],
      ]
      for (const [change, reason] of refusals) {
        const wanted = { ...(await order(meeting)), ...change }
        expect(await client.submit(wanted)).toMatchObject({ state: 'refused', reason })
      }
      expect(venue.account.orders).toEqual([])
    }))

  test('does not send an order before it knows the clock of the venue', () =>
    meet(name, { faults: ['lost-answers'] }, async ({ client, venue, now }) => {
      const wanted = {
        clientId: newId(),
        asset: 'btc',
        side: 'buy',
        quantity: COIN,
        limitPrice: 1e12,
      } as const
      const submitted = await client.submit({ ...wanted, expiresAt: now() + MINUTE })
      expect(submitted).toMatchObject({ state: 'refused', reason: 'other' })
      expect(venue.account.orders).toEqual([])
    }))

  describe('with an answer that does not come', () => {
    test('calls an order that was placed unknown, and finds it by asking', () =>
      meet(name, {}, async (meeting) => {
        const { client, venue } = meeting
        const wanted = await order(meeting, { at: 1.01 })
        venue.setFaults(['lost-answers'])
        expect(await client.submit(wanted)).toMatchObject({ state: 'unknown' })
        await expect(client.balances()).rejects.toMatchObject({ kind: 'lost' })
        venue.setFaults(OFF)
        expect(await client.order(wanted.clientId)).toMatchObject({ isOpen: false, filled: wanted.quantity })
        expect(venue.exchange.faults.counts['lost-answers']).toBe(2)
      }))

    test('calls an order that never arrived unknown, and does not find it', () =>
      meet(name, {}, async (meeting) => {
        const { client, venue, pass } = meeting
        const wanted = await order(meeting)
        venue.setFaults(['lost-requests'])
        expect(await client.submit(wanted)).toMatchObject({ state: 'unknown' })
        venue.setFaults(OFF)
        pass(40 * MINUTE)
        expect(await client.order(wanted.clientId)).toBeNull()
        expect(venue.account.orders).toEqual([])
      }))

    test('calls an order unknown that arrives later, which it cannot once its time is over', () =>
      meet(name, {}, async (meeting) => {
        const { client, venue, pass } = meeting
        const sent: ClientOrder[] = []
        for (let count = 0; count < 30; count++) {
          venue.setFaults(OFF)
          sent.push(await order(meeting, { quantity: COIN / 1000, expiresAt: meeting.now() + 20_000 }))
          venue.setFaults(['late-requests'])
          expect(await client.submit(sent.at(-1) as ClientOrder)).toMatchObject({ state: 'unknown' })
          expect(venue.account.orders.some(({ clientId }) => clientId === sent.at(-1)?.clientId)).toBe(false)
        }
        venue.setFaults(OFF)
        pass(2 * MINUTE)
        const arrived = venue.account.orders.map(({ clientId }) => clientId)
        expect(arrived.length).toBeGreaterThan(0)
        expect(arrived.length).toBeLessThan(30)
        for (const { openedAt, expiresAt } of venue.account.orders)
          expect(openedAt).toBeLessThan(expiresAt ?? 0)
        for (const { clientId } of sent.slice(0, 5))
          expect((await client.order(clientId)) !== null).toBe(arrived.includes(clientId))
      }))

    test('calls an order unknown when a gateway answers with an error page', () =>
      meet(name, {}, async (meeting) => {
        const { client, venue } = meeting
        const wanted = await order(meeting, { quantity: COIN / 1000 })
        venue.setFaults(['gateway'])
        for (let count = 0; count < 12; count++)
          expect(await client.submit({ ...wanted, clientId: newId() })).toMatchObject({ state: 'unknown' })
        // About half of them were carried out.
        expect(venue.account.orders.length).toBeGreaterThan(0)
        expect(venue.account.orders.length).toBeLessThan(12)
        await expect(client.openOrders()).rejects.toMatchObject({ kind: 'lost' })
      }))
  })

  test('does not see an accepted order for up to 30 minutes, nor its effect', () =>
    meet(name, {}, async (meeting) => {
      const { client, venue, now, pass } = meeting
      const wanted = await order(meeting, { at: 1.01 })
      const since = now() - MINUTE
      venue.setFaults(['invisible'])
      const submitted = await client.submit(wanted)
      expect(submitted).toMatchObject({ state: 'accepted' })
      expect(venue.account.orders).toMatchObject([{ state: 'filled' }])
      expect(await client.order(wanted.clientId)).toBeNull()
      expect(await client.orders(since)).toEqual([])
      expect(await client.fills(since)).toEqual([])
      expect((await client.balances()).get('usd')).toBe(100_000 * USD)
      pass(30 * MINUTE)
      expect(await client.order(wanted.clientId)).toMatchObject({ filled: wanted.quantity })
      expect(changesBy(await client.fills(since)).btc).toBe(wanted.quantity)
      expect((await client.balances()).get('usd')).toBeLessThan(100_000 * USD)
    }))

  test('lists every fill once, although pages overlap and rows repeat in any order', () =>
    meet(name, { seed: 5 }, async (meeting) => {
      const { client, venue, now, pass } = meeting
      const since = now() - MINUTE
      const size = COIN / 2
      for (let count = 0; count < 30; count++) {
        await client.submit(await order(meeting, { quantity: size, at: 1.01 }))
        await client.submit(await order(meeting, { side: 'sell', quantity: size, at: 0.99 }))
        pass(MINUTE)
      }
      const really = venue.account.trades.map(({ id }) => id)
      expect(really.length).toBeGreaterThan(name === 'kraken' ? 150 : 250)
      venue.setFaults(['duplicates', 'reordered'])
      const fills = await client.fills(since)
      expect(fills.map(({ tradeId }) => tradeId).toSorted()).toEqual(really.toSorted())
      expect(fills.every(({ atMs }, index) => atMs >= (fills[index - 1]?.atMs ?? 0))).toBe(true)
      const { counts } = venue.exchange.faults
      expect([counts.duplicates > 0, counts.reordered > 0]).toEqual([true, true])
      // Those since a time, and at most a few seconds more.
      const last = fills.at(-1)?.atMs ?? 0
      const recent = await client.fills(last)
      expect(recent).toEqual(fills.filter(({ atMs }) => atMs >= last))
    }))

  test('one row in an unknown form keeps no other row of a list from being read', () =>
    meet(name, { seed: 9 }, async (meeting) => {
      const { client, venue, now } = meeting
      const since = now() - MINUTE
      await client.submit(await order(meeting, { at: 1.01 }))
      const open = await order(meeting)
      await client.submit(open)
      const readAll = async () => ({
        orders: await client.orders(since),
        fills: await client.fills(since),
        balances: await client.balances(),
        markets: await client.markets(['btc', 'eth']),
      })
      const before = await readAll()
      expect([before.orders.length, before.fills.length > 0]).toEqual([2, true])
      const honest = venue.fetch
      let spoilt = 0
      const spoil = (list: unknown) => {
        if (Array.isArray(list)) list.push({ product_id: 7 })
        else if (typeof list === 'object' && list !== null) Object.assign(list, { ODD: { pair: 7 } })
        else return
        spoilt++
      }
      Object.assign(venue, {
        fetch: async (request: Request) => {
          const path = new URL(request.url).pathname
          const answer = await honest(request)
          const body = await answer.json<Record<string, unknown>>()
          const result = (body.result ?? body) as Record<string, unknown>
          if (/AssetPairs|BalanceEx/.test(path)) spoil(result)
          for (const list of [
            'open',
            'closed',
            'trades',
            'ledger',
            'orders',
            'fills',
            'accounts',
            'products',
          ])
            spoil(result[list])
          if (typeof result.count === 'number') result.count++
          return Response.json(body, { status: answer.status })
        },
      })
      expect(await readAll()).toEqual(before)
      expect(spoilt).toBeGreaterThan(4)
      // An order that is asked for must be readable, or it would count as absent.
      Object.assign(venue, {
        fetch: async (request: Request) => {
          const answer = await honest(request)
          const text = (await answer.text()).replaceAll(/"(?:vol_exec|filled_size)":"/g, '$&?')
          return new Response(text, { status: answer.status })
        },
      })
      await expect(client.order(open.clientId)).rejects.toMatchObject({ kind: 'unreadable' })
    }))

  test('reads a fill when it appears, after its order has shown it', () =>
    meet(name, { faults: ['late-fills'] }, async (meeting) => {
      const { client, now, pass } = meeting
      const wanted = await order(meeting, { at: 1.01 })
      const since = now() - MINUTE
      await client.submit(wanted)
      expect(await client.order(wanted.clientId)).toMatchObject({ filled: wanted.quantity })
      expect(changesBy(await client.fills(since)).btc).toBeLessThan(wanted.quantity)
      pass(2 * MINUTE)
      expect(changesBy(await client.fills(since)).btc).toBe(wanted.quantity)
    }))

  test('fills a resting order in parts when the price comes', () =>
    meet(name, { seed: 8 }, async (meeting) => {
      const { client, venue, pass, now } = meeting
      const wanted = await order(meeting, { at: 0.9995, quantity: COIN, expiresAt: now() + 600 * MINUTE })
      await client.submit(wanted)
      for (let count = 0; count < 600 && venue.account.orders[0]?.state === 'open'; count++) pass(MINUTE)
      expect(venue.account.orders).toMatchObject([{ state: 'filled' }])
      const fills = await client.fills(0)
      expect(fills.length).toBeGreaterThan(1)
      expect(fills.every(({ price }) => price === wanted.limitPrice)).toBe(true)
      expect(venue.account.trades.every(({ isMaker }) => isMaker)).toBe(true)
    }))

  test('does not place an order while the venue says that it is too busy, and knows when that is unclear', () =>
    meet(name, {}, async (meeting) => {
      const { client, venue } = meeting
      const wanted = await order(meeting)
      venue.setFaults(['busy'])
      const states = new Set<string>()
      for (let count = 0; count < 12; count++) {
        const submitted = await client.submit({ ...wanted, clientId: newId() })
        states.add(submitted.state === 'refused' ? submitted.reason : submitted.state)
      }
      // Kraken's `EService:Busy` does not say whether the order was taken.
      expect([...states].toSorted()).toEqual(name === 'kraken' ? ['rate_limit', 'unknown'] : ['rate_limit'])
      await expect(client.openOrders()).rejects.toThrow(VenueFailure)
    }))

  test('cancels an order that others trade with at the same moment', () =>
    meet(name, {}, async (meeting) => {
      const { client, venue, now, pass } = meeting
      const since = now() - MINUTE
      const endings = new Set<string>()
      for (let count = 0; count < 30; count++) {
        const wanted = await order(meeting, { quantity: COIN / 100 })
        const submitted = await client.submit(wanted)
        if (submitted.state !== 'accepted') throw new Error(submitted.state)
        venue.setFaults(['cancel-races'])
        await client.cancel(submitted.venueId)
        venue.setFaults(OFF)
        pass(MINUTE)
        const ended = await client.order(submitted.venueId)
        expect(ended).toMatchObject({ isOpen: false })
        endings.add(ended?.filled === 0 ? 'cancelled' : ended?.filled === wanted.quantity ? 'filled' : 'part')
      }
      expect(endings.size).toBe(3)
      const balances = await client.balances()
      expect((balances.get('btc') ?? 0) - COIN).toBe(changesBy(await client.fills(since)).btc)
    }))

  test('keeps within the rate limits of the venue by waiting', () =>
    meet(name, {}, async ({ client, waitedMs }) => {
      const reads = Array.from({ length: 60 }, () => client.openOrders())
      const done = await Promise.allSettled(reads)
      const failed = done.filter(({ status }) => status === 'rejected')
      // What would wait too long is not sent at all.
      for (const failure of failed) expect(failure).toMatchObject({ reason: { kind: 'rate_limit' } })
      expect(done.length - failed.length).toBeGreaterThan(20)
      expect(waitedMs()).toBeGreaterThan(1000)
    }))

  test('tells a certain refusal from an open question through a storm, and explains every balance after it', async () => {
    for (let seed = 1; seed <= (isLong ? 100 : 12); seed++)
      await meet(name, { seed, faults: faultsOf('storm'), likelihood: 0.12 }, (meeting) => storm(meeting))
  })
})

/** Trades for an hour through all faults. Then asks, when everything is visible, and compares with what really happened. */
async function storm(meeting: Meeting): Promise<void> {
  const { client, venue, now, pass } = meeting
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof VenueFailure) || tries > 50) throw error
        pass(20_000)
      }
    }
  }
  const since = now() - 5 * MINUTE
  await patiently(() => client.time())
  const sent: { readonly wanted: ClientOrder; readonly state: string }[] = []
  for (let count = 0; count < 12; count++) {
    const side = count % 2 === 0 ? 'buy' : 'sell'
    const at = [0.999, 1.01, 1][count % 3] ?? 1
    const wanted = await patiently(() =>
      order(meeting, {
        side,
        quantity: COIN / 10,
        at: side === 'buy' ? at : 2 - at,
        expiresAt: now() + 5 * MINUTE,
      }),
    )
    const submitted = await client.submit(wanted)
    sent.push({ wanted, state: submitted.state })
    if (submitted.state === 'accepted' && count % 4 === 0)
      await client.cancel(submitted.venueId).catch((error) => expect(error).toBeInstanceOf(VenueFailure))
    pass(5 * MINUTE)
  }
  venue.setFaults(OFF)
  pass(40 * MINUTE)
  const placed = new Map(venue.account.orders.map((order) => [order.clientId, order]))
  expect(placed.size).toBe(venue.account.orders.length)
  const listed = new Map((await client.orders(since)).map((order) => [order.clientId, order]))
  for (const { wanted, state } of sent) {
    const really = placed.get(wanted.clientId)
    if (state === 'accepted') expect(really).toBeDefined()
    if (state === 'refused') expect(really).toBeUndefined()
    expect(listed.get(wanted.clientId)?.filled ?? 0).toBe(Number((really?.filled ?? 0n) / 10n ** 8n))
  }
  const fills = await client.fills(since)
  expect(fills).toHaveLength(venue.account.trades.length)
  const changes = changesBy(fills)
  const balances = await client.balances()
  // Fees in coins are rounded up.
  const more = (balances.get('btc') ?? 0) - COIN - changes.btc
  expect(more).toBeGreaterThanOrEqual(0)
  expect(more).toBeLessThanOrEqual(fills.filter(({ fee }) => fee.asset === 'base').length)
  const rounding = venue.name === 'kraken' ? 0 : fills.length + 1
  expect(Math.abs((balances.get('usd') ?? 0) - 100_000 * USD - changes.usd)).toBeLessThanOrEqual(rounding)
}
