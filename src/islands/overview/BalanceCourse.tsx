import { type PointerEvent, useState } from 'react'
import { formatDay } from '../../contract/dates.ts'
import { type DailyCloses, getDailyCloses } from '../../contract/investing/market.ts'
import { type DayValue, getValueHistory, VALUE_DAYS } from '../../contract/money/statements.ts'
import { formatMoney, Money } from '../../design/Money.tsx'
import { LoadFailure } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useAmountsHidden } from '../lib/amounts.ts'
import { call } from '../lib/api.ts'
import { type Fresh, getData, type Resource, useResource } from '../lib/resource.ts'
import styles from './BalanceCourse.module.css'
import { computeScale, cutEmptyDays, formatAxisLabel } from './balanceScale.ts'
import { COURSE } from './figures.ts'
import { computeSamePayments } from './samePayments.ts'

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

/** The balance of each day as a line, and on request what the same payments would be worth elsewhere. */
export function BalanceCourse({ course }: BalanceCourseProps) {
  const [days, setDays] = useState<(typeof VALUE_DAYS)[number]>('365')
  const [isComparing, setComparing] = useState(false)
  const [choice, setChoice] = useState<Choice>('coin')
  const closes = useResource(isComparing ? 'daily closes' : null, () => call(getDailyCloses))
  const whole = course.state === 'ready' ? cutEmptyDays(course.data.data) : null
  const others = whole && isComparing ? selectCoins(getData(closes), choice) : null
  const values = whole && others && computeSamePayments(whole, others)
  const shown = whole?.map((value, index) => ({ ...value, other: values?.[index] ?? null }))
  return (
    <section
      className={styles.course}
      aria-labelledby="balance-course"
      aria-busy={course.state === 'loading'}
    >
      <h2 id="balance-course" className="visually-hidden">
        Balance over time
      </h2>
      <div className={styles.controls}>
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
        <div className={styles.choices}>
          <label>
            <input
              type="checkbox"
              checked={isComparing}
              onChange={({ target }) => setComparing(target.checked)}
            />
            Compare
          </label>
        </div>
      </div>
      {isComparing && <Comparison closes={closes} choice={choice} onChoose={setChoice} />}
      {course.state === 'failed' ? (
        <div className={styles.frame}>
          <LoadFailure msg={course.msg} onRetry={course.reload} />
        </div>
      ) : (
        <Drawn
          course={shown?.slice(-Number(days)) ?? null}
          other={others && { label: nameOther(others), about: describeOther(others, values !== null) }}
        />
      )}
    </section>
  )
}

type Choice = 'coin' | 'coins' | 'cash'

type ComparedCoins = Pick<DailyCloses, 'market' | 'days' | 'coins'>

/** The chosen coins; none for cash. Null while their prices are not loaded. */
function selectCoins(closes: ComparedCoins | undefined, choice: Choice): ComparedCoins | null {
  if (closes === undefined) return null
  return {
    ...closes,
    coins: choice === 'coins' ? closes.coins : choice === 'coin' ? closes.coins.slice(0, 1) : [],
  }
}

interface ComparisonProps {
  closes: Resource<DailyCloses> & { reload: () => void }
  choice: Choice
  onChoose: (choice: Choice) => void
}

function Comparison({ closes, choice, onChoose }: ComparisonProps) {
  if (closes.state === 'failed') return <LoadFailure msg={closes.msg} onRetry={closes.reload} />
  const coins = getData(closes)?.coins
  const labels: [Choice, string | undefined][] = [
    ['coin', coins?.[0]?.name],
    ['coins', coins && `${coins.length} coins`],
    ['cash', 'Cash'],
  ]
  return (
    <fieldset className={styles.choices}>
      <legend>
        The same <span className="visually-hidden">payments</span> in
      </legend>
      {labels.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="compared-with"
            checked={value === choice}
            onChange={() => onChoose(value)}
          />
          <span>{label ?? <Skeleton width="short" />}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** in Bitcoin */
function nameOther({ coins }: ComparedCoins): string {
  if (coins.length === 0) return 'as cash'
  return `in ${coins.length === 1 ? listNames(coins) : `${coins.length} coins`}`
}

function listNames(coins: ComparedCoins['coins']): string {
  return coins.map(({ name }) => name).join(', ')
}

function describeOther({ coins, market }: ComparedCoins, isKnown: boolean): string {
  if (coins.length === 0) return ' Dashed: all payments left as cash.'
  if (!isKnown) return ' The price on the day of the first payment is not known, so nothing can be compared.'
  const split = coins.length > 1 ? ', in equal parts' : ''
  return ` Dashed: the same payments on the same days in ${listNames(coins)}${split}, without costs. Daily closes: ${market.name}.`
}

/** A day of the chart. */
interface ChartDay extends DayValue {
  /** The worth of the same payments elsewhere, in USD; null if nothing is compared. */
  readonly other: number | null
}

interface OtherLine {
  /** in Bitcoin */
  readonly label: string
  readonly about: string
}

interface DrawnProps {
  course: readonly ChartDay[] | null
  /** The dashed line. */
  other: OtherLine | null
}

function Drawn({ course, other }: DrawnProps) {
  return (
    <>
      <div className={styles.frame}>
        {course === null ? (
          <Skeleton width="full" height="block" />
        ) : (
          <BalanceChart course={course} otherLabel={other?.label} />
        )}
      </div>
      <p className={styles.about}>
        Includes deposits and withdrawals.
        <span>{course !== null && isFitted(course) && ' The axis does not start at zero.'}</span>
        <span role="status">{other?.about}</span>
      </p>
      <details className={styles.table}>
        <summary>As a table</summary>
        {course !== null && <BalanceTable course={course} otherLabel={other?.label} />}
      </details>
    </>
  )
}

function isFitted(course: readonly ChartDay[]): boolean {
  const [bottom = 0] = computeScale(listValues(course))
  return bottom > 0
}

function listValues(course: readonly ChartDay[]): number[] {
  return course.flatMap(({ balance, other }) => (other === null ? [balance] : [balance, other]))
}

interface LinesProps {
  course: readonly ChartDay[]
  otherLabel: string | undefined
}

/** Newest day first, without days on which nothing changed. */
function BalanceTable({ course, otherLabel = '' }: LinesProps) {
  const changes = course
    .filter(({ balance, other }, index) => {
      const before = course[index - 1]
      return balance !== before?.balance || other !== before.other
    })
    .reverse()
  const columns: Column<ChartDay>[] = [
    { key: 'day', header: 'Day (UTC)', cell: ({ day }) => day },
    { key: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Money value={balance} /> },
  ]
  const compared: Column<ChartDay> = {
    key: 'other',
    header: `The same ${otherLabel}`,
    align: 'end',
    cell: ({ other }) => other !== null && <Money value={other} />,
  }
  return (
    <Table
      caption="Balance at the end of each day on which it changed, and of the first"
      columns={course.some(({ other }) => other !== null) ? [...columns, compared] : columns}
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
function BalanceChart({ course, otherLabel = '' }: LinesProps) {
  const areAmountsHidden = useAmountsHidden()
  const [pointed, setPointed] = useState<number | null>(null)
  const end = course.length - 1
  const at = Math.min(pointed ?? end, end)
  const [first, middle, last, read] = [course[0], course[Math.round(end / 2)], course[end], course[at]]
  if (!first || !middle || !last || !read) return null

  const values = course.map(({ balance }) => balance)
  const others = course.flatMap(({ other }) => other ?? [])
  const lines = computeScale(listValues(course))
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1]
  // A single day is drawn as a horizontal line.
  const x = (index: number) => ((index / (end || 1)) * WIDTH).toFixed(1)
  const y = (usd: number) => (HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT).toFixed(1)
  const buildPath = (amounts: readonly number[]) =>
    `${amounts.map((usd, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(usd)}`).join('')}H${WIDTH}`
  const buildArea = (amounts: readonly number[]) => `${buildPath(amounts)}V${y(0)}H0Z`
  const describeDay = ({ day, balance, other }: ChartDay) =>
    areAmountsHidden
      ? formatDay(day)
      : `${formatDay(day)}: ${formatMoney(balance)}${other === null ? '' : `, ${otherLabel} ${formatMoney(other)}`}`

  const handlePointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.max(0, Math.min(end, Math.round(((clientX - left) / width) * end))))
  }

  return (
    <figure className={styles.chart}>
      <p className={styles.read}>
        <Money value={read.balance} />{' '}
        <span className="soft">{at === end ? 'now' : `at the end of ${formatDay(read.day)}`}</span>
        {read.other !== null && (
          <span className={styles.compared}>
            <Money value={read.other} /> <span className="soft">{otherLabel}</span>
          </span>
        )}
      </p>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          {lines.map((line) => (
            <span key={line}>{areAmountsHidden ? '' : formatAxisLabel(line, (lines[1] ?? 0) - bottom)}</span>
          ))}
        </div>
        <div className={styles.drawing}>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={
              areAmountsHidden
                ? `Total balance from ${formatDay(first.day)} to ${formatDay(last.day)}`
                : `Total balance from ${formatMoney(first.balance)} on ${formatDay(first.day)} to ${formatMoney(last.balance)} on ${formatDay(last.day)}`
            }
          >
            <path className={styles.lines} d={lines.map((line) => `M0 ${y(line)}H${WIDTH}`).join('')} />
            {bottom <= 0 && (
              <path className={styles.area} d={buildArea(values.map((usd) => Math.max(0, usd)))} />
            )}
            {bottom < 0 && (
              <path className={styles.under} d={buildArea(values.map((usd) => Math.min(0, usd)))} />
            )}
            {bottom <= 0 && <path className={styles.water} d={`M0 ${y(0)}H${WIDTH}`} />}
            {others.length > 0 && <path className={styles.other} d={buildPath(others)} />}
            <path className={styles.line} d={buildPath(values)} />
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
            aria-valuetext={describeDay(read)}
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
