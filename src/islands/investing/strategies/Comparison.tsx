import { useMemo } from 'react'
import { formatDay } from '../../../contract/dates.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Table } from '../../../design/Table.tsx'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { Chart } from '../chart/Chart.tsx'
import { layOver, type NamedTest } from '../chart/layOver.ts'
import { loadBacktest } from './loadBacktest.ts'
import styles from './Strategies.module.css'
import { FIGURE_COLUMNS } from './strategyColumns.tsx'
import { describeBasis } from './words.ts'

/** The published tests of strategies laid over each other, with their figures below. */
export function Comparison({ strategies }: { strategies: readonly Strategy[] }) {
  const tests = useResource(`tests ${strategies.map(({ slug }) => slug).join(' ')}`, () =>
    Promise.all(strategies.map(loadTest)),
  )
  return (
    <>
      <Loaded
        resource={tests}
        waiting={
          <Waiting label="Loading the curves">
            <Skeleton width="full" height="block" />
          </Waiting>
        }
      >
        {(loaded) => <Curves tests={loaded} />}
      </Loaded>
      <div className={styles.list}>
        <Table
          caption="Their figures"
          columns={[
            { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
            ...FIGURE_COLUMNS,
          ]}
          data={{ state: 'ready', rows: strategies }}
          rowKey={({ slug }) => slug}
          emptyText=""
        />
      </div>
      <p className="soft small">
        Each over its whole test. <span>{strategies[0] && describeBasis(strategies[0].market)}</span>
      </p>
    </>
  )
}

async function loadTest(strategy: Strategy): Promise<NamedTest> {
  return { name: strategy.name, backtest: await loadBacktest(strategy) }
}

function Curves({ tests }: { tests: readonly NamedTest[] }) {
  const course = useMemo(() => layOver(tests), [tests])
  const [first = '', last = ''] = [course.days[0], course.days.at(-1)]
  if (first === '') return <p>These tests have no day in common.</p>
  return (
    <>
      <p>
        $1,000 in each on {formatDay(first)}, the first day that all were tested, to {formatDay(last)}. Below:
        the falls of {course.label}.
      </p>
      <Chart title="The curves of the strategies, laid over each other" course={course} />
    </>
  )
}
