import { atom, onMount, type ReadableAtom } from 'nanostores'
import type { MarketCoin, TrendingCoin } from '../../../contract/investing/market.ts'
import {
  BLOCKED,
  createNetworkFailure,
  describeFailure,
  isNetworkFailure,
  readFailure,
} from '../../lib/ApiFailure.ts'
import { retryOnReconnect } from '../../lib/connection.ts'
import { send } from '../../lib/request.ts'

export interface ListedRows<Row> {
  readonly rows: readonly Row[]
  readonly source: string
  readonly seenAtMs: number
}

export type MarketList<Row> =
  | { state: 'loading' }
  | ({ state: 'ready' } & ListedRows<Row>)
  | { state: 'failed'; msg: string }

/** Polling interval. The server has new prices every ten minutes and answers 304 until then. */
const REFRESH_MS = 2 * 60_000

/** The top 50, shared by the ticker and the table. */
export const coins = createMarketList<MarketCoin>('coins')
export const trending = createMarketList<TrendingCoin>('trending')

/** Loads a list on the first subscription and refreshes it while the page is visible. A later failure keeps the old rows. */
function createMarketList<Row>(name: string) {
  const $list = atom<MarketList<Row>>({ state: 'loading' })
  let requestedAtMs = 0
  let stopRetry: (() => void) | null = null
  let failures = 0
  const load = async () => {
    requestedAtMs = Date.now()
    try {
      $list.set({ state: 'ready', ...(await fetchList<Row>(name)) })
      failures = 0
    } catch (error) {
      stopRetry?.()
      stopRetry = isNetworkFailure(error) ? retryOnReconnect(++failures, () => void load()) : null
      const msg = isNetworkFailure(error) && stopRetry === null ? BLOCKED : describeFailure(error)
      if ($list.get().state !== 'ready') $list.set({ state: 'failed', msg })
    }
  }
  onMount($list, () => {
    void load()
    const timer = setInterval(() => {
      if (!document.hidden && Date.now() - requestedAtMs >= REFRESH_MS) void load()
    }, 10_000)
    return () => clearInterval(timer)
  })
  return {
    $list: $list as ReadableAtom<MarketList<Row>>,
    retry: () => {
      failures = 0
      $list.set({ state: 'loading' })
      void load()
    },
  }
}

/** Not by `call`, which returns only the body: the source and age are in the headers. */
async function fetchList<Row>(name: string): Promise<ListedRows<Row>> {
  const request = { url: `/api/v1/market/${name}`, method: 'GET', headers: {}, body: null }
  const response = await send(request).catch(() => {
    throw createNetworkFailure()
  })
  if (!response.ok) throw await readFailure(response)
  return {
    rows: (await response.json().catch(() => {
      throw createNetworkFailure()
    })) as Row[],
    source: response.headers.get('X-Market-Source') ?? '',
    seenAtMs: Date.now() - Number(response.headers.get('Age')) * 1000,
  }
}
