import { expect, test } from 'vitest'
import { changeResults, meet } from '../../../../test/support/venues.ts'
import { requireTradingKey } from '../client.ts'

const COIN = 100_000_000
const HIDDEN = 'hides a part of a list'

const account = (currency: string, value: string, more: object = {}) => ({
  currency,
  available_balance: { value, currency },
  hold: { value: '0', currency },
  type: 'ACCOUNT_TYPE_CRYPTO',
  ...more,
})

test('a key that may not view is refused, and the permission is named', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    changeResults(venue, 'key_permissions', (result) => ({ ...result, can_view: false }))
    await expect(requireTradingKey(client)).rejects.toThrow('The key for coinbase lacks view.')
  }))

test('accounts of one currency are added up', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    changeResults(venue, 'accounts', (result) => ({
      ...result,
      accounts: [account('USD', '5000'), account('USD', '0'), account('BTC', '1'), account('BTC', '0.5')],
    }))
    expect(Object.fromEntries(await client.balances())).toEqual({ usd: 5000 * COIN, btc: 1.5 * COIN })
  }))

test('vaults and the accounts of other portfolios do not count', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    const before = await client.balances()
    changeResults(venue, 'accounts', (result) => ({
      ...result,
      accounts: [
        ...(result.accounts as unknown[]),
        account('BTC', '7', { type: 'ACCOUNT_TYPE_VAULT' }),
        account('USD', '9000', { retail_portfolio_id: '6cc6fcbf-2dd0-4e6c-b0b7-c4a1a1c6ae9c' }),
      ],
    }))
    expect(await client.balances()).toEqual(before)
  }))

test.each(['accounts', 'fills', 'batch'])('a list of %s that hides a part is incomplete', (call) =>
  meet('coinbase', {}, async ({ venue, client }) => {
    changeResults(venue, call, (result) => ({
      ...result,
      accounts: [],
      fills: [],
      orders: [],
      cursor: '',
      proof_token_required: true,
    }))
    const read = {
      accounts: () => client.balances(),
      fills: () => client.fills(0),
      batch: () => client.orders(0),
    }[call]
    await expect(read?.()).rejects.toMatchObject({
      kind: 'unreadable',
      message: expect.stringContaining(HIDDEN),
    })
  }),
)

test('an order is not absent while its list hides a part', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    changeResults(venue, 'batch', (result) => ({ ...result, orders: [], proof_token_required: true }))
    await expect(client.order('00000000-0000-4000-8000-000000000001')).rejects.toThrow(HIDDEN)
  }))

test('a list ends where it says that nothing follows, and not with its cursor', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    const before = await client.balances()
    let pages = 0
    changeResults(venue, 'accounts', (result) => {
      pages++
      return { ...result, has_next: false, cursor: 'a cursor that leads nowhere' }
    })
    expect(await client.balances()).toEqual(before)
    expect(pages).toBe(1)
  }))

test('a list that goes on and does not say where is incomplete', () =>
  meet('coinbase', {}, async ({ venue, client }) => {
    changeResults(venue, 'accounts', (result) => ({ ...result, has_next: true, cursor: '' }))
    await expect(client.balances()).rejects.toMatchObject({ kind: 'unreadable' })
  }))

test('reversals and corrections of a trade are not trades', () =>
  meet('coinbase', {}, async ({ venue, client, now }) => {
    const { ask } = await client.book('btc')
    await client.submit({
      ...{
        clientId: '00000000-0000-4000-8000-000000000002',
        asset: 'btc',
        side: 'buy',
        quantity: COIN / 100,
      },
      ...{ limitPrice: (ask ?? 0) + 1e10, expiresAt: now() + 60_000 },
    })
    const before = await client.fills(0)
    expect(before.length).toBeGreaterThan(0)
    changeResults(venue, 'fills', (result) => ({
      ...result,
      fills: (result.fills as Record<string, unknown>[]).flatMap((fill) => [
        fill,
        ...['REVERSAL', 'CORRECTION', 'SYNTHETIC'].map((trade_type) => ({
          ...fill,
          trade_type,
          trade_id: `${fill.trade_id}-${trade_type}`,
        })),
      ]),
    }))
    expect(await client.fills(0)).toEqual(before)
  }))
