import { expect, test } from 'vitest'
import { BY_RANK, listShownCoins, toggleSorting } from './topCoins.ts'

const coin = (
  market_cap_rank: number,
  name: string,
  symbol: string,
  current_price: number,
  ath_date: string,
) => ({
  id: name,
  symbol,
  name,
  image: '/coins/unknown.svg',
  current_price,
  market_cap_rank,
  price_change_percentage_24h: 0,
  ath: current_price,
  ath_date,
})

const coins = [
  coin(1, 'Bitcoin', 'btc', 64_200, '2025-01-20T00:00:00.000Z'),
  coin(2, 'Tether', 'usdt', 1, '2018-07-24T00:00:00.000Z'),
  coin(3, 'eCash', 'xec', 0.00003, '2021-09-04T00:00:00.000Z'),
  coin(4, 'Dai', 'dai', 1, '2020-03-13T00:00:00.000Z'),
]
const names = (typed: string, sorting = BY_RANK) =>
  listShownCoins(coins, typed, sorting).map(({ name }) => name)

test('coins are found by name and by symbol, without case and blanks', () => {
  expect(names('')).toEqual(['Bitcoin', 'Tether', 'eCash', 'Dai'])
  expect(names('  BIT ')).toEqual(['Bitcoin'])
  expect(names('xec')).toEqual(['eCash'])
  expect(names('a.b*')).toEqual([])
})

test('coins are sorted by number, by name without case and by day, equal ones by rank', () => {
  expect(names('', { by: 'current_price', direction: 'descending' })).toEqual([
    'Bitcoin',
    'Tether',
    'Dai',
    'eCash',
  ])
  expect(names('', { by: 'current_price', direction: 'ascending' })).toEqual([
    'eCash',
    'Tether',
    'Dai',
    'Bitcoin',
  ])
  expect(names('', { by: 'name', direction: 'ascending' })).toEqual(['Bitcoin', 'Dai', 'eCash', 'Tether'])
  expect(names('', { by: 'ath_date', direction: 'descending' })).toEqual([
    'Bitcoin',
    'eCash',
    'Dai',
    'Tether',
  ])
})

test('a coin of which something is not known comes last in its order, both ways', () => {
  const some = [{ ...coin(9, 'Newest', 'new', 2, ''), ath: null, ath_date: null }, ...coins]
  for (const by of ['ath', 'ath_date'] as const)
    for (const direction of ['ascending', 'descending'] as const)
      expect(listShownCoins(some, '', { by, direction }).at(-1)?.name).toBe('Newest')
})

test('a heading pressed again turns the order round, another one begins with its own', () => {
  expect(toggleSorting('market_cap_rank', BY_RANK).direction).toBe('descending')
  const byPrice = toggleSorting('current_price', BY_RANK)
  expect(byPrice).toEqual({ by: 'current_price', direction: 'descending' })
  expect(toggleSorting('name', byPrice)).toEqual({ by: 'name', direction: 'ascending' })
})
