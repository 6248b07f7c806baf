import { useEffect, useState } from 'react'
import { Skeleton } from '../../design/Skeleton.tsx'
import type { MarketList } from '../investing/market/lists.ts'
import { ageWords, FRESH_MS, sourceWords, timeWords } from '../lib/priceWords.ts'
import styles from './Market.module.css'

/** Whose prices these are and how old, which goes on by itself. Nothing where there are none. */
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
  const age = ageWords(list.source, list.seenAtMs, nowMs)
  const isOld = age !== '' && nowMs - list.seenAtMs > FRESH_MS
  return (
    <p className={styles.source}>
      {list.source === 'CoinGecko' ? (
        <>
          Prices by <a href="https://www.coingecko.com">CoinGecko</a>
        </>
      ) : (
        sourceWords(list.source)
      )}
      {age === '' ? (
        ', made up, of no day'
      ) : (
        <>
          , {age}
          <time className={styles.time} dateTime={new Date(list.seenAtMs).toISOString()}>
            {' '}
            ({timeWords(list.seenAtMs, nowMs)})
          </time>
        </>
      )}
      {isOld && <strong className={styles.old}>. No newer ones could be had since.</strong>}
    </p>
  )
}

/** The time when the list came, and then each half minute. */
function useNow(list: unknown): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    void list
    const look = () => setNowMs(Date.now())
    look()
    const timer = setInterval(look, 30_000)
    return () => clearInterval(timer)
  }, [list])
  return nowMs
}
