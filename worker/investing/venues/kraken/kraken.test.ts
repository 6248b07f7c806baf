import { expect, test } from 'vitest'
import { answerError, changeResults, meet } from '../../../../test/support/venues.ts'
import { requireTradingKey } from '../client.ts'

const COIN = 100_000_000
const ORDER = { asset: 'btc', side: 'buy', quantity: COIN / 100, limitPrice: 50_000e9 } as const

test.each([
  'query-funds',
  'query-open-trades',
  'query-closed-trades',
  'query-ledger',
  'modify-trades',
  'close-trades',
])('a key without %s is refused, and the permission is named', (lacks) =>
  meet('kraken', {}, async ({ venue, clientWith }) => {
    const client = clientWith(venue.newKey({ lacks }))
    await expect(requireTradingKey(client)).rejects.toThrow(`The key for kraken lacks ${lacks}.`)
  }),
)

test('a secret that is not base64 is named and not shown', () =>
  meet('kraken', {}, async ({ venue, clientWith, now }) => {
    const secret = 'kQH5-HW_8p1uGOVj'
    const client = clientWith({ ...venue.credentials, secret })
    const failure = await requireTradingKey(client).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      kind: 'credentials',
      message: 'VENUE_SECRET is not the secret of a key for kraken',
    })
    const submitted = await client.submit({ ...ORDER, clientId: 'a', expiresAt: now() + 60_000 })
    expect(submitted).toMatchObject({ state: 'refused', reason: 'credentials' })
  }))

test('balances that earn rewards count as the asset, fee credits as none, and zeros in any notation', () =>
  meet('kraken', {}, async ({ venue, client }) => {
    const before = await client.balances()
    const row = (balance: string) => ({ balance, hold_trade: '0.0000' })
    changeResults(venue, 'BalanceEx', (result) => ({
      ...result,
      'XBT.F': row('0.5000000000'),
      'SOL.F': row('2.0000000000'),
      'ETH.B': row('1.0000000000'),
      KFEE: row('1250.00'),
      ADA: row('0E-8'),
    }))
    expect(Object.fromEntries(await client.balances())).toEqual({
      ...Object.fromEntries(before),
      btc: (before.get('btc') ?? 0) + COIN / 2,
      sol: 2 * COIN,
      'eth.b': COIN,
      ada: 0,
    })
  }))

test('markets of pairs that are not traded may look like anything', () =>
  meet('kraken', {}, async ({ venue, client }) => {
    const before = await client.markets(['btc', 'eth'])
    changeResults(venue, 'AssetPairs', (result) => ({
      NEWUSD: { altname: 'NEWUSD', status: 'auction', ordermin: '1e+06', pair_decimals: 'many' },
      ...result,
    }))
    expect(await client.markets(['btc', 'eth'])).toEqual(before)
  }))

test('the highest fee of the traded pairs counts, and each must be named', () =>
  meet('kraken', {}, async ({ venue, client }) => {
    changeResults(venue, 'TradeVolume', (result) => ({
      ...result,
      fees: { XXBTZUSD: { fee: '0.3500' }, XETHZUSD: { fee: '0.38001' } },
    }))
    expect(await client.takerFee(['btc', 'eth'])).toBe(3_801)
    await expect(client.takerFee(['btc', 'eth', 'sol'])).rejects.toMatchObject({ kind: 'unreadable' })
  }))

test('a mode that we do not know takes no orders', () =>
  meet('kraken', {}, async ({ venue, client }) => {
    changeResults(venue, 'SystemStatus', (result) => ({ ...result, status: 'auction' }))
    expect(await client.status()).toBe('maintenance')
  }))

test('a market of a pair in a mode that we do not know takes no orders', () =>
  meet('kraken', {}, async ({ venue, client }) => {
    changeResults(venue, 'AssetPairs', ({ XXBTZUSD }) => ({
      XXBTZUSD: { ...(XXBTZUSD as object), status: 'auction' },
    }))
    expect(await client.status('btc')).toBe('maintenance')
    expect(await client.markets(['btc'])).toHaveLength(1)
  }))

// https://docs.kraken.com/exchange/guides/general/errors
test.each([
  ['EAuth:Account temporary disabled', 'credentials'],
  ['EAuth:Account unconfirmed', 'credentials'],
  ['EAuth:Rate limit exceeded', 'rate_limit'],
  ['EAuth:Too many requests', 'rate_limit'],
  ['EAccount:Invalid permissions', 'credentials'],
  ['ETrade:Invalid request', 'other'],
  ['ETrade:User Locked', 'other'],
  ['EBM:limit exceeded:CAL', 'other'],
])('%s is a refusal: no order was placed', (error, reason) =>
  meet('kraken', {}, async ({ venue, client, now }) => {
    answerError(venue, 'AddOrder', error)
    const submitted = await client.submit({ ...ORDER, clientId: 'a', expiresAt: now() + 60_000 })
    expect(submitted).toMatchObject({ state: 'refused', reason })
  }),
)

test.each(['EService:Busy', 'EService:Unavailable', 'EGeneral:Internal error'])(
  '%s does not say whether an order was placed',
  (error) =>
    meet('kraken', {}, async ({ venue, client, now }) => {
      answerError(venue, 'AddOrder', error)
      const submitted = await client.submit({ ...ORDER, clientId: 'a', expiresAt: now() + 60_000 })
      expect(submitted).toMatchObject({ state: 'unknown' })
    }),
)
