import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { useEffect, useState } from 'react'
import { formatTime } from '../../contract/dates.ts'
import { Skeleton } from '../../design/Skeleton.tsx'
import type { MarketList } from '../investing/market/lists.ts'
import { describePriceAge, describePriceSource, FRESH_MS } from '../lib/priceWords.ts'
import styles from './Market.module.css'

const UNKNOWN = '/coins/unknown.svg'

export function CoinName({ name, symbol, picture }: { name: string; symbol: string; picture: string }) {
  return (
    <span className={styles.coin}>
      <img
        src={picture}
        alt=""
        width="24"
        height="24"
        loading="lazy"
        decoding="async"
        onError={({ currentTarget }) => {
          if (!currentTarget.src.endsWith(UNKNOWN)) currentTarget.src = UNKNOWN
        }}
      />
      <span className={styles.words}>
        {name} <span className={styles.symbol}>{symbol.toUpperCase()}</span>
      </span>
    </span>
  )
}

export function Source({ list }: { list: MarketList<unknown> }) {
  const nowMs = useNow(list)
  if (list.state === 'failed') return null
  if (list.state === 'loading') {
    return (
      <p className={styles.source}>
        <Skeleton width="medium" />
      </p>
    )
  }
  const age = describePriceAge(list.source, list.seenAtMs, nowMs)
  const isOld = age !== '' && nowMs - list.seenAtMs > FRESH_MS
  return (
    <p className={styles.source}>
      <span>
        {list.source === 'CoinGecko' ? (
          <span>
            Prices by <a href="https://www.coingecko.com">CoinGecko</a>
          </span>
        ) : (
          describePriceSource(list.source)
        )}
      </span>
      <span>
        {age === '' ? (
          ' (not live)'
        ) : (
          <span>
            <span>{`, ${age}`}</span>
            <time className={styles.time} dateTime={new Date(list.seenAtMs).toISOString()}>
              {` (${formatTime(list.seenAtMs, nowMs)})`}
            </time>
          </span>
        )}
      </span>
      {isOld && <strong className={styles.old}>. Newer prices could not be loaded.</strong>}
    </p>
  )
}

/** Now, updated with the list and every half minute. */
function useNow(list: unknown): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    void list
    const updateNow = () => setNowMs(Date.now())
    updateNow()
    const timer = setInterval(updateNow, 30_000)
    return () => clearInterval(timer)
  }, [list])
  return nowMs
}

const LOADING = { state: 'loading' } as const

/** Loading on the first render, so that hydration matches the built page. */
export function useMarketList<Row>($list: ReadableAtom<MarketList<Row>>): MarketList<Row> {
  return useStore($list, { ssr: () => LOADING })
}
