import { useMemo } from 'react'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { groupStopEntries, listStopEntries, type StopYear } from '../../../../engine/backtest/stopTest.ts'
import { formatDay } from '../../../contract/dates.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { loadBacktest } from './loadBacktest.ts'
import { describeBasis, formatSignedPercent } from './words.ts'

interface StopTestProps {
  strategy: Strategy
  percent: number
}

/** The effect of a stop in the tested years, for purchases at the start of each month. */
export function StopTest({ strategy, percent }: StopTestProps) {
  const { slug, backtest } = strategy
  const test = useResource(backtest && `test ${slug}`, () => loadBacktest(strategy))
  if (backtest === null)
    return <p>These rules were not tested, so we cannot show what a stop would have done.</p>
  return (
    <section className="stack">
      <h3>What this stop would have done</h3>
      <Loaded
        resource={test}
        waiting={
          <Waiting label="Loading the test of the strategy">
            <Skeleton width="full" height="block" />
          </Waiting>
        }
      >
        {(loaded) => <Outcome strategy={strategy} percent={percent} test={loaded} />}
      </Loaded>
    </section>
  )
}

function Outcome({ strategy, percent, test }: StopTestProps & { test: Backtest }) {
  const { feeBasisPoints, slippageBasisPoints } = strategy.costs
  const cost = (feeBasisPoints + slippageBasisPoints) / 10_000
  const years = useMemo(
    () => groupStopEntries(listStopEntries(test, { below: percent / 100, cost })),
    [test, percent, cost],
  )
  const all = years.at(-1)
  if (all === undefined) return <p>The test is shorter than a year, so there is nothing to compare.</p>
  return (
    <div className="stack">
      <p>
        Bought at the start of each month of the test and looked at a year later, {all.entries} times: the
        stop would have sold {all.fired} times. {all.hurt} times you would have had less than without it, and{' '}
        {all.helped} times more.
      </p>
      <p>
        On average, a year made {formatSignedPercent(all.without)} without the stop and{' '}
        {formatSignedPercent(all.with)} with it. The worst year made {formatSignedPercent(all.worstWithout)}{' '}
        without it and {formatSignedPercent(all.worstWith)} with it.
      </p>
      <p className="small soft">
        Simulated, not a forecast. From the tested days of {strategy.name}, {formatDay(test.firstDay)} to{' '}
        {formatDay(test.lastDay)}. {describeBasis(strategy.backtest?.market ?? strategy.market)} Each purchase
        and each sale costs {(cost * 100).toFixed(2)}%. A sale is made at the value of the day after the stop
        was reached. After it the money stays cash until the year is over. The returns of a year are averages
        of its purchases.
      </p>
      <details>
        <summary>Year by year</summary>
        <Table
          caption="One year after buying, with this stop and without it"
          columns={COLUMNS}
          data={{ state: 'ready', rows: years }}
          rowKey={({ year }) => String(year)}
          emptyText=""
        />
      </details>
    </div>
  )
}

const COLUMNS: readonly Column<StopYear>[] = [
  { key: 'year', header: 'Bought in', narrow: 'start', cell: ({ year }) => year ?? 'All years' },
  {
    key: 'fired',
    header: 'Sold by the stop',
    narrow: 'end',
    label: true,
    cell: ({ fired, entries }) => `${fired} of ${entries}`,
  },
  {
    key: 'outcome',
    header: 'Less or more than without it',
    narrow: 'line',
    label: true,
    cell: ({ hurt, helped }) => `${hurt} less, ${helped} more`,
  },
  createColumn('without', 'Year without it', 'start'),
  createColumn('with', 'Year with it', 'end'),
]

function createColumn(key: 'with' | 'without', header: string, narrow: 'start' | 'end'): Column<StopYear> {
  return {
    ...{ key, header, narrow, align: 'end', label: true },
    cell: (row) => {
      const text = formatSignedPercent(row[key])
      return <span className={text.startsWith('−') ? 'loss' : undefined}>{text}</span>
    },
  }
}
