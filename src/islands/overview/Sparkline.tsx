import styles from './Market.module.css'

const WIDTH = 96
const HEIGHT = 32

/** Prices, oldest first, as a line over where they began. For eyes alone: the change stands beside it. */
export function Sparkline({ series }: { series: readonly number[] }) {
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
