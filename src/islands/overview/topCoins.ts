import type { MarketCoin } from '../../contract/market.ts'

export type SortKey = 'market_cap_rank' | 'name' | 'current_price' | 'ath' | 'ath_date'
export type Direction = 'ascending' | 'descending'

export interface Sorting {
  readonly by: SortKey
  readonly direction: Direction
}

export const BY_RANK: Sorting = { by: 'market_cap_rank', direction: 'ascending' }

/** What pressing a column's heading asks for: its natural direction first, names and ranks from the top, the rest greatest first. */
export function sortedBy(key: SortKey, before: Sorting): Sorting {
  if (key === before.by)
    return { by: key, direction: before.direction === 'ascending' ? 'descending' : 'ascending' }
  return { by: key, direction: key === 'market_cap_rank' || key === 'name' ? 'ascending' : 'descending' }
}

/** The coins whose name or symbol holds what was typed, in an order; equal ones stay in that of their rank. */
export function shownCoins(
  coins: readonly MarketCoin[],
  typed: string,
  { by, direction }: Sorting,
): MarketCoin[] {
  const sought = typed.trim().toLowerCase()
  const sign = direction === 'ascending' ? 1 : -1
  return coins
    .filter(({ name, symbol }) => `${name} ${symbol}`.toLowerCase().includes(sought))
    .sort((a, b) => sign * compared(a[by], b[by]) || a.market_cap_rank - b.market_cap_rank)
}

function compared(a: string | number, b: string | number): number {
  return typeof a === 'string' || typeof b === 'string'
    ? String(a).localeCompare(String(b), 'en', { sensitivity: 'base' })
    : a - b
}
