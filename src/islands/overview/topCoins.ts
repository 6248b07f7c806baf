import type { MarketCoin } from '../../contract/investing/market.ts'

export type SortKey = 'market_cap_rank' | 'name' | 'current_price' | 'ath' | 'ath_date'
export type Direction = 'ascending' | 'descending'

export interface Sorting {
  readonly by: SortKey
  readonly direction: Direction
}

export const BY_RANK: Sorting = { by: 'market_cap_rank', direction: 'ascending' }

/** The choices on narrow screens, which have no headings. */
export const ORDERS: readonly (Sorting & { label: string })[] = [
  { ...BY_RANK, label: 'Rank' },
  { by: 'market_cap_rank', direction: 'descending', label: 'Rank, last first' },
  { by: 'name', direction: 'ascending', label: 'Name, A to Z' },
  { by: 'name', direction: 'descending', label: 'Name, Z to A' },
  { by: 'current_price', direction: 'descending', label: 'Price, highest first' },
  { by: 'current_price', direction: 'ascending', label: 'Price, lowest first' },
  { by: 'ath', direction: 'descending', label: 'All-time high, highest first' },
  { by: 'ath', direction: 'ascending', label: 'All-time high, lowest first' },
  { by: 'ath_date', direction: 'descending', label: 'All-time high, newest first' },
  { by: 'ath_date', direction: 'ascending', label: 'All-time high, oldest first' },
]

/** The order after a click on a heading. Names and ranks start ascending, other columns descending. */
export function toggleSorting(key: SortKey, before: Sorting): Sorting {
  if (key === before.by)
    return { by: key, direction: before.direction === 'ascending' ? 'descending' : 'ascending' }
  return { by: key, direction: key === 'market_cap_rank' || key === 'name' ? 'ascending' : 'descending' }
}

/**
 * The sorted coins whose name or symbol contains the typed text. Equal coins stay in the order of their rank. Unknown
 * values come last in both directions.
 */
export function listShownCoins(
  coins: readonly MarketCoin[],
  typed: string,
  { by, direction }: Sorting,
): MarketCoin[] {
  const sought = typed.trim().toLowerCase()
  const sign = direction === 'ascending' ? 1 : -1
  return coins
    .filter(({ name, symbol }) => `${name} ${symbol}`.toLowerCase().includes(sought))
    .sort(
      (a, b) =>
        Number(a[by] === null) - Number(b[by] === null) ||
        sign * compareValues(a[by] ?? 0, b[by] ?? 0) ||
        a.market_cap_rank - b.market_cap_rank,
    )
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'string' || typeof b === 'string'
    ? String(a).localeCompare(String(b), 'en', { sensitivity: 'base' })
    : a - b
}
