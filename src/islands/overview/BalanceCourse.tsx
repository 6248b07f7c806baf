import { useState } from 'react'
import { type DayValue, getValueHistory, VALUE_DAYS } from '../../contract/money/statements.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Money } from '../../design/Money.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Table } from '../../design/Table.tsx'
import { call } from '../lib/api.ts'
import { useFresh } from '../lib/resource.ts'
import { BalanceChart } from './BalanceChart.tsx'
import styles from './BalanceCourse.module.css'
import { dayText } from './balanceScale.ts'

const LABELS: Record<(typeof VALUE_DAYS)[number], string> = {
  '30': '30 days',
  '90': '90 days',
  '365': 'A year',
}

/** The total balance over time, drawn and as a table. */
export function BalanceCourse() {
  const [days, setDays] = useState<(typeof VALUE_DAYS)[number]>('30')
  const course = useFresh(`value ${days}`, () => call(getValueHistory, { query: { days } }))
  return (
    <section
      className={styles.course}
      aria-labelledby="balance-course"
      aria-busy={course.state === 'loading'}
    >
      <header className={styles.head}>
        <h2 id="balance-course" className={styles.heading}>
          Balance over time
        </h2>
        <fieldset className={styles.spans}>
          <legend className="visually-hidden">How far back</legend>
          {VALUE_DAYS.map((span) => (
            <label key={span}>
              <input
                type="radio"
                name="balance-days"
                checked={span === days}
                onChange={() => setDays(span)}
              />
              {LABELS[span]}
            </label>
          ))}
        </fieldset>
      </header>
      {course.state === 'failed' ? (
        <div className={styles.frame}>
          <LoadFailure msg={course.msg} onRetry={course.reload} />
        </div>
      ) : (
        <Drawn course={course.state === 'ready' ? course.data.data : null} />
      )}
    </section>
  )
}

function Drawn({ course }: { course: readonly DayValue[] | null }) {
  return (
    <>
      <div className={styles.frame}>
        {course === null ? <Skeleton width="full" height="block" /> : <BalanceChart course={course} />}
      </div>
      <p className={styles.about}>
        What you pay in and out moves this line, too: it is no measure of profit. Days end at midnight UTC.
      </p>
      <details className={styles.table}>
        <summary>As a table</summary>
        {course !== null && <BalanceTable course={course} />}
      </details>
    </>
  )
}

/** The course as its numbers: the newest day first, and of days without a change only the first. */
function BalanceTable({ course }: { course: readonly DayValue[] }) {
  const changes = course.filter(({ balance }, index) => balance !== course[index - 1]?.balance).reverse()
  return (
    <Table
      caption="Balance at the end of each day on which it changed, and of the first"
      columns={[
        { key: 'day', header: 'Day (UTC)', cell: ({ day }: DayValue) => dayText(day) },
        { key: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Money value={balance} /> },
      ]}
      data={{ state: 'ready', rows: changes }}
      rowKey={({ day }) => day}
      emptyText="No day yet"
    />
  )
}
