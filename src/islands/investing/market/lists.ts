import { atom, onMount, type ReadableAtom } from 'nanostores'
import type { MarketCoin, TrendingCoin } from '../../../contract/investing/market.ts'
import { ApiFailure, failureOf, failureWords, networkFailure } from '../../lib/ApiFailure.ts'
import { onReconnect } from '../../lib/connection.ts'
import { send } from '../../lib/request.ts'

export interface Listed<Row> {
  readonly rows: readonly Row[]
  readonly source: string
  readonly seenAtMs: number
}

export type MarketList<Row> =
  | { state: 'loading' }
  | ({ state: 'ready' } & Listed<Row>)
  | { state: 'failed'; msg: string }

/**
 * How often what is shown is asked for again, which is answered 304 while there is nothing new. The server has something
 * new every ten minutes: what is seen is two minutes older at most.
 */
const EVERY_MS = 2 * 60_000

/** The top 50, shared by the ticker and the table. */
export const coins = listOf<MarketCoin>('coins')
export const trending = listOf<TrendingCoin>('trending')

/**
 * A list that is loaded when somebody first looks, and kept fresh while the page is seen. A later failure keeps what there
 * is, whose age is told anyway.
 */
function listOf<Row>(name: string) {
  const $list = atom<MarketList<Row>>({ state: 'loading' })
  let askedAtMs = 0
  let stopWaiting = () => {}
  const load = async () => {
    askedAtMs = Date.now()
    try {
      $list.set({ state: 'ready', ...(await ask<Row>(name)) })
    } catch (error) {
      if ($list.get().state !== 'ready') $list.set({ state: 'failed', msg: failureWords(error) })
      stopWaiting()
      if (error instanceof ApiFailure && error.status === 0) stopWaiting = onReconnect(() => void load())
    }
  }
  onMount($list, () => {
    void load()
    const timer = setInterval(() => {
      if (!document.hidden && Date.now() - askedAtMs >= EVERY_MS) void load()
    }, 10_000)
    return () => clearInterval(timer)
  })
  return {
    $list: $list as ReadableAtom<MarketList<Row>>,
    retry: () => {
      $list.set({ state: 'loading' })
      void load()
    },
  }
}

// `call` answers the body only; this needs headers too.
async function ask<Row>(name: string): Promise<Listed<Row>> {
  const response = await send({
    url: `/api/v1/market/${name}`,
    method: 'GET',
    headers: {},
    body: null,
  }).catch(() => {
    throw networkFailure()
  })
  if (!response.ok) throw await failureOf(response)
  return {
    rows: (await response.json().catch(() => {
      throw networkFailure()
    })) as Row[],
    source: response.headers.get('X-Market-Source') ?? '',
    seenAtMs: Date.now() - Number(response.headers.get('Age')) * 1000,
  }
}
