import { formatDay } from '../../../contract/dates.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { DAY_MS } from '../../../time.ts'
import styles from './Strategies.module.css'
import { describeBasis, formatWholeDollars, formatWorstFall } from './words.ts'

/** The height in units of the paths of `/strategies/…svg`, down to the waterline. A day is a unit of width. */
const HEIGHT = 280

/** The worth of the strategy over its whole test, drawn by the file that its page uses. Thin line: the same assets, held. */
export function TestCurve({ strategy, testPath }: { strategy: Strategy; testPath: string }) {
  const { backtest, name } = strategy
  if (backtest === null) return null
  const { from, to, became, market } = backtest
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
  const words = `$1,000 became ${formatWholeDollars(became)} in the whole test, ${formatDay(from)} to ${formatDay(to)}, with a worst fall of ${formatWorstFall(strategy).replace('−', '')}.`
  return (
    <figure className={styles.curve}>
      <svg
        viewBox={`0 0 ${days} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${words}`}
      >
        <use className={styles.held} href={`${testPath}.svg#beside`} />
        <use className={styles.worth} href={`${testPath}.svg#worth`} />
      </svg>
      <figcaption className="small soft">
        {words} {describeBasis(market)} Thin line: the same coins, held.
      </figcaption>
    </figure>
  )
}
