import { useMemo } from 'react'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { mulberry32 } from '../../../../engine/random.ts'
import { formatDay } from '../../../contract/dates.ts'
import { listDueDates, type Schedule } from '../../../contract/investing/planDates.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { joinClasses } from '../../../design/classes.ts'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { DAY_MS } from '../../../time.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { drawPath, findRange } from '../playback/playbackShape.ts'
import { loadBacktest } from '../strategies/loadBacktest.ts'
import { describeBasis, formatWholeDollars } from '../strategies/words.ts'
import styles from './Plans.module.css'
import { BLOCK_DAYS, PATHS, type PlanOutlook, playPlan, simulatePlan, sumFirst } from './planPaths.ts'

const YEARS = 5
const YEAR_DAYS = 365
/** A fixed seed: the same plan shows the same lines to everybody. */
const SEED = 20_200_101

interface OutlookProps {
  strategy: Strategy
  schedule: Schedule
  /** USD on each date. */
  amount: number
}

/** The worth of a plan that invests in five years, simulated from the strategy's test: bad, middle and good together. */
export function Outlook({ strategy, ...plan }: OutlookProps) {
  const test = useResource(`test ${strategy.slug}`, () => loadBacktest(strategy))
  if (strategy.backtest === null) return <p>These rules were not tested, so nothing can be simulated.</p>
  return (
    <Loaded
      resource={test}
      waiting={
        <Waiting label="Loading the test of the strategy">
          <Skeleton width="full" height="block" />
        </Waiting>
      }
    >
      {(backtest) => <Courses strategy={strategy} backtest={backtest} {...plan} />}
    </Loaded>
  )
}

function Courses({ strategy, backtest, schedule, amount }: OutlookProps & { backtest: Backtest }) {
  const { rhythm, starts, day, zone } = schedule
  const { feeBasisPoints, slippageBasisPoints } = strategy.costs
  const cost = (feeBasisPoints + slippageBasisPoints) / 10_000
  const { unit, payments, returns } = useMemo(() => {
    const payments = listPayments({ rhythm, starts, day, zone })
    const returns = listReturns(backtest)
    return { payments, returns, unit: simulatePlan(returns, { payments, cost }, mulberry32(SEED)) }
  }, [backtest, rhythm, starts, day, zone, cost])
  const outlook = multiplyOutlook(unit, amount)
  const getLast = (line: readonly number[]) => formatWholeDollars(line.at(-1) ?? 0)
  const year = strategy.backtest?.worstYear.year ?? 0
  const worstReturns = listReturns(backtest, `${year}-`)
  const worst = amount * playPlan(worstReturns, { payments, cost })
  const inYear = amount * sumFirst(payments, worstReturns.length)
  const words = `After ${YEARS} years you would have paid in ${getLast(outlook.paidIn)}. Bad: ${getLast(outlook.bad)}, and 1 of 10 was worse. Middle: ${getLast(outlook.middle)}. Good: ${getLast(outlook.good)}, and 1 of 10 was better.`
  return (
    <figure className={styles.outlook}>
      <p className={styles.worst}>
        In a year like the worst of the test, {year}, {formatWholeDollars(inYear)} paid in by this plan would
        be worth {formatWholeDollars(worst)}.
      </p>
      <Lines outlook={outlook} label={words} />
      <p className={styles.keys} aria-hidden="true">
        <span className={styles.good}>Good</span>
        <span className={styles.middle}>Middle</span>
        <span className={styles.bad}>Bad</span>
        <span className={styles.paidIn}>Paid in</span>
      </p>
      <figcaption>
        <p>{words}</p>
        <p className="small soft">
          Simulated, not a forecast. Each of {formatNumber(PATHS, 0)} courses joins blocks of {BLOCK_DAYS}{' '}
          days on average from the {formatNumber(returns.length, 0)} tested days of {strategy.name},{' '}
          {formatDay(backtest.firstDay)} to {formatDay(backtest.lastDay)} (stationary bootstrap, Politis and
          Romano 1994). {describeBasis(strategy.backtest?.market ?? strategy.market)} Each purchase costs{' '}
          {(cost * 100).toFixed(2)}%. Platform <a href="/fees">fees</a>, where there are any, are not counted.
          Bad, middle and good are the middles of the worst, the middle and the best fifth of the courses. The
          future can be worse than all of them.
        </p>
      </figcaption>
      <details>
        <summary>As a table</summary>
        <Table
          caption="What the plan could be worth"
          columns={COLUMNS}
          data={{ state: 'ready', rows: listYears(outlook) }}
          rowKey={({ years }) => String(years)}
          emptyText=""
        />
      </details>
    </figure>
  )
}

/** The daily returns of a test, or those of the days that begin with `during`. */
function listReturns({ firstDay, equity }: Backtest, during = ''): number[] {
  const first = toDayNumber(firstDay)
  return equity.flatMap((usd, index) => {
    const before = equity[index - 1]
    return before === undefined || before === 0 || !toDayName(first + index).startsWith(during)
      ? []
      : [usd / before - 1]
  })
}

const MOST_DATES = { weekly: 53, monthly: 13, quarterly: 5, yearly: 2 } as const

/** Payments of $1 on the dates of a plan, for each day of five years from its first date. */
function listPayments(schedule: Schedule): number[] {
  const dates = listDueDates(schedule, 0, MOST_DATES[schedule.rhythm] * YEARS)
  const first = Date.parse(dates[0]?.on ?? schedule.starts)
  const payments = new Array<number>(YEARS * YEAR_DAYS).fill(0)
  for (const { on } of dates) {
    const day = Math.round((Date.parse(on) - first) / DAY_MS)
    if (day < payments.length) payments[day] = 1
  }
  return payments
}

/** Twice the payments are worth twice as much, so a typed amount needs no new simulation. */
function multiplyOutlook({ days, ...lines }: PlanOutlook, amount: number): PlanOutlook {
  const multiply = (line: readonly number[]) => line.map((usd) => usd * amount)
  const { paidIn, bad, middle, good } = lines
  return {
    ...{ days, paidIn: multiply(paidIn), bad: multiply(bad) },
    ...{ middle: multiply(middle), good: multiply(good) },
  }
}

const WIDTH = 1000
const HEIGHT = 300

function Lines({ outlook, label }: { outlook: PlanOutlook; label: string }) {
  const { bad, middle, good, paidIn } = outlook
  const end = outlook.days.length - 1
  const range = findRange([good, paidIn], end, 0)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path className={joinClasses(styles.line, styles.good)} d={drawPath(good, end, range)} />
      <path className={joinClasses(styles.line, styles.middle)} d={drawPath(middle, end, range)} />
      <path className={joinClasses(styles.line, styles.bad)} d={drawPath(bad, end, range)} />
      <path className={joinClasses(styles.line, styles.paidIn)} d={drawPath(paidIn, end, range)} />
    </svg>
  )
}

interface YearRow {
  years: number
  paidIn: number
  bad: number
  middle: number
  good: number
}

/** The last point of each year. */
function listYears({ days, paidIn, bad, middle, good }: PlanOutlook): YearRow[] {
  return Array.from({ length: YEARS }, (_, index) => {
    const at = days.findLastIndex((day) => day <= (index + 1) * YEAR_DAYS)
    const read = (line: readonly number[]) => line[at] ?? 0
    return {
      ...{ years: index + 1, paidIn: read(paidIn) },
      ...{ bad: read(bad), middle: read(middle), good: read(good) },
    }
  })
}

const createColumn = (key: 'paidIn' | 'bad' | 'middle' | 'good', header: string): Column<YearRow> => ({
  ...{ key, header, align: 'end' },
  cell: (row) => formatWholeDollars(row[key]),
})

const COLUMNS: readonly Column<YearRow>[] = [
  { key: 'years', header: 'Years', cell: ({ years }) => years },
  createColumn('paidIn', 'Paid in'),
  createColumn('bad', 'Bad'),
  createColumn('middle', 'Middle'),
  createColumn('good', 'Good'),
]
