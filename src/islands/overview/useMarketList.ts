import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import type { MarketList } from '../investing/market/lists.ts'

const LOADING = { state: 'loading' } as const

/** A list of the market as it comes and changes. Loading on the first render, so that what was built can be taken over. */
export function useMarketList<Row>($list: ReadableAtom<MarketList<Row>>): MarketList<Row> {
  return useStore($list, { ssr: () => LOADING })
}
