import type { TrendingCoin } from '../../contract/investing/market.ts'
import { describeChange, formatChange, formatPrice } from '../../contract/money.ts'
import { LoadFailure } from '../../design/Notice.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { trending } from '../investing/market/lists.ts'
import styles from './Market.module.css'
import { CoinName, Source, useMarketList } from './MarketParts.tsx'

const SHOWN = 3

export function TrendingCoins() {
  const list = useMarketList(trending.$list)
  return (
    <div className={styles.trending}>
      <Panel title="Trending">
        <Source list={list} />
        <p className={styles.about}>The largest 24-hour changes among the most searched coins.</p>
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

function Change({ percent }: { percent: number }) {
  const word = describeChange(percent)
  return (
    <span className={styles[word]}>
      <span aria-hidden="true">{`${ARROWS[word]} `}</span>
      <span className="visually-hidden">{`${word} `}</span>
      <span>{formatChange(percent)}</span>
    </span>
  )
}

const WIDTH = 96
const HEIGHT = 32

/** `series` is prices, oldest first. Hidden from screen readers, which read the change beside it. */
function Sparkline({ series }: { series: readonly number[] }) {
  const first = series[0] ?? 0
  const low = Math.min(...series)
  const span = Math.max(...series) - low || 1
  const y = (price: number) => HEIGHT - 2 - ((price - low) / span) * (HEIGHT - 4)
  const points = series.map(
    (price, i) => `${((i * WIDTH) / Math.max(1, series.length - 1)).toFixed(1)},${y(price).toFixed(1)}`,
  )
  return (
    <svg
      className={(series.at(-1) ?? 0) < first ? styles.falling : styles.rising}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <line x1="0" x2={WIDTH} y1={y(first)} y2={y(first)} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}
