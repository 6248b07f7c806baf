import type { TrendingCoin } from '../../contract/investing/market.ts'
import { changeWord, formatChange, formatPrice } from '../../contract/money.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { trending } from '../investing/market/lists.ts'
import { CoinName } from './CoinName.tsx'
import styles from './Market.module.css'
import { Source } from './Source.tsx'
import { Sparkline } from './Sparkline.tsx'
import { useMarketList } from './useMarketList.ts'

const SHOWN = 3

/** The three trending coins that changed most in a day, greatest first. */
export function TrendingCoins() {
  const list = useMarketList(trending.$list)
  return (
    <div className={styles.trending}>
      <Panel title="Trending">
        <Source list={list} />
        <p className={styles.about}>The greatest changes in 24 hours among what is searched for most.</p>
        {list.state === 'failed' ? (
          <LoadFailure msg={list.msg} onRetry={trending.retry} />
        ) : (
          <ol className={styles.trends} aria-busy={list.state === 'loading'}>
            {list.state === 'loading'
              ? [1, 2, 3].map((place) => (
                  <li key={place}>
                    <Skeleton />
                    <Skeleton width="medium" />
                  </li>
                ))
              : list.rows.slice(0, SHOWN).map((coin) => <Trend key={coin.id} coin={coin} />)}
          </ol>
        )}
      </Panel>
    </div>
  )
}

function Trend({ coin: { name, symbol, large, data } }: { coin: TrendingCoin }) {
  return (
    <li>
      <CoinName name={name} symbol={symbol} picture={large} />
      <span className={styles.end}>{formatPrice(data.price)}</span>
      <Sparkline series={data.series} />
      <span className={styles.end}>
        <Change percent={data.price_change_percentage_24h.usd} />
        <span className="visually-hidden"> in 24 hours</span>
      </span>
    </li>
  )
}

const ARROWS = { up: '▲', down: '▼', unchanged: '' } as const

/** A change in percent: sign, arrow and word, and colour after all of them. */
function Change({ percent }: { percent: number }) {
  const word = changeWord(percent)
  return (
    <span className={styles[word]}>
      <span aria-hidden="true">{ARROWS[word]} </span>
      <span className="visually-hidden">{word} </span>
      {formatChange(percent)}
    </span>
  )
}
