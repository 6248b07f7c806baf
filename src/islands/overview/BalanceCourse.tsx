import { type PointerEvent, useState } from 'react'
import { formatDay } from '../../contract/dates.ts'
import { type DayValue, getValueHistory, VALUE_DAYS } from '../../contract/money/statements.ts'
import { formatMoney, Money } from '../../design/Money.tsx'
import { LoadFailure } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Table } from '../../design/Table.tsx'
import { call } from '../lib/api.ts'
import type { Fresh, Resource } from '../lib/resource.ts'
import styles from './BalanceCourse.module.css'
import { computeScale, cutEmptyDays, formatAxisLabel } from './balanceScale.ts'
import { COURSE } from './figures.ts'

const LABELS: Record<(typeof VALUE_DAYS)[number], string> = {
  '30': '30 days',
  '90': '90 days',
  '365': 'A year',
}

export function loadCourse(): Promise<DayValue[]> {
  return call(getValueHistory, COURSE)
}

interface BalanceCourseProps {
  course: Resource<Fresh<DayValue[]>> & { reload: () => void }
}

export function BalanceCourse({ course }: BalanceCourseProps) {
  const [days, setDays] = useState<(typeof VALUE_DAYS)[number]>('30')
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
        <Drawn
          course={course.state === 'ready' ? cutEmptyDays(course.data.data).slice(-Number(days)) : null}
        />
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
        Deposits and withdrawals move this line, too. Days end at midnight UTC.
        <span>{course !== null && describeAxisStart(course)}</span>
      </p>
      <details className={styles.table}>
        <summary>As a table</summary>
        {course !== null && <BalanceTable course={course} />}
      </details>
    </>
  )
}

/** Warns where the axis does not begin at zero. */
function describeAxisStart(course: readonly DayValue[]): string {
  const [bottom = 0] = computeScale(course.map(({ balance }) => balance))
  return bottom > 0 ? ` The axis starts at ${formatMoney(bottom)}, not at zero.` : ''
}

/** Newest day first, without days on which the balance did not change. */
function BalanceTable({ course }: { course: readonly DayValue[] }) {
  const changes = course.filter(({ balance }, index) => balance !== course[index - 1]?.balance).reverse()
  return (
    <Table
      caption="Balance at the end of each day on which it changed, and of the first"
      columns={[
        { key: 'day', header: 'Day (UTC)', cell: ({ day }: DayValue) => day },
        { key: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Money value={balance} /> },
      ]}
      data={{ state: 'ready', rows: changes }}
      rowKey={({ day }) => day}
      emptyText="No day yet"
    />
  )
}

const WIDTH = 600
const HEIGHT = 160

/**
 * The balance at the end of each day as a line. The waterline is zero, where the axis has it; a debt is below it. An invisible slider over the
 * chart chooses the day, by touch, keyboard and screen reader; a mouse chooses by hovering.
 */
function BalanceChart({ course }: { course: readonly DayValue[] }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const end = course.length - 1
  const at = Math.min(pointed ?? end, end)
  const [first, middle, last, read] = [course[0], course[Math.round(end / 2)], course[end], course[at]]
  if (!first || !middle || !last || !read) return null

  const values = course.map(({ balance }) => balance)
  const lines = computeScale(values)
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1]
  // A single day is drawn as a horizontal line.
  const x = (index: number) => ((index / (end || 1)) * WIDTH).toFixed(1)
  const y = (usd: number) => (HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT).toFixed(1)
  const buildPath = (of: (usd: number) => number) =>
    values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(of(value))}`).join('') +
    `H${WIDTH}`
  const buildArea = (of: (usd: number) => number) => `${buildPath(of)}V${y(0)}H0Z`

  const handlePointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.max(0, Math.min(end, Math.round(((clientX - left) / width) * end))))
  }

  return (
    <figure className={styles.chart}>
      <p className={styles.read}>
        <span className="number">{formatMoney(read.balance)}</span>{' '}
        <span className="soft">{at === end ? 'now' : `at the end of ${formatDay(read.day)}`}</span>
      </p>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          {lines.map((line) => (
            <span key={line}>{formatAxisLabel(line, (lines[1] ?? 0) - bottom)}</span>
          ))}
        </div>
        <div className={styles.drawing}>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Total balance from ${formatMoney(first.balance)} on ${formatDay(first.day)} to ${formatMoney(last.balance)} on ${formatDay(last.day)}`}
          >
            <path className={styles.lines} d={lines.map((line) => `M0 ${y(line)}H${WIDTH}`).join('')} />
            {bottom <= 0 && <path className={styles.area} d={buildArea((usd) => Math.max(0, usd))} />}
            {bottom < 0 && <path className={styles.under} d={buildArea((usd) => Math.min(0, usd))} />}
            {bottom <= 0 && <path className={styles.water} d={`M0 ${y(0)}H${WIDTH}`} />}
            <path className={styles.line} d={buildPath((usd) => usd)} />
            {pointed !== null && <path className={styles.pointer} d={`M${x(at)} 0V${HEIGHT}`} />}
            {/* A zero-length line with round caps: a dot that does not stretch. */}
            <path className={styles.dot} d={`M${x(at)} ${y(read.balance)}h0`} />
          </svg>
          <input
            type="range"
            aria-label="Day"
            min={0}
            max={end}
            value={at}
            aria-valuetext={`${formatDay(read.day)}: ${formatMoney(read.balance)}`}
            onChange={({ target }) => setPointed(Number(target.value))}
            onPointerMove={handlePointer}
            onPointerLeave={({ pointerType }) => {
              // Lifting a finger also fires this event, but should keep the chosen day.
              if (pointerType === 'mouse') setPointed(null)
            }}
            onBlur={() => setPointed(null)}
          />
        </div>
        <div className={styles.ends} aria-hidden="true">
          <span>{formatDay(first.day, last.day)}</span>
          {end > 1 && <span>{formatDay(middle.day, last.day)}</span>}
          {end > 0 && <span>{formatDay(last.day, last.day)}</span>}
        </div>
      </div>
    </figure>
  )
}
