import { type PointerEvent, useState } from 'react'
import type { DayValue } from '../../contract/money/statements.ts'
import { moneyText } from '../../design/Money.tsx'
import styles from './BalanceCourse.module.css'
import { axisText, dayText, scaleOf } from './balanceScale.ts'

const WIDTH = 600
const HEIGHT = 160

/**
 * The balance at each day's end as a line over the waterline, zero; below it where something is owed. A slider lies over
 * it, unseen: it is what finger, keyboard and screen reader go along the days with. A pointer only needs to stand there.
 */
export function BalanceChart({ course }: { course: readonly DayValue[] }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const end = course.length - 1
  const at = Math.min(pointed ?? end, end)
  const [first, middle, last, read] = [course[0], course[Math.round(end / 2)], course[end], course[at]]
  if (!first || !middle || !last || !read) return null

  const values = course.map(({ balance }) => balance)
  const lines = scaleOf(values)
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1]
  // A single day is a line, too: across.
  const x = (index: number) => ((index / (end || 1)) * WIDTH).toFixed(1)
  const y = (usd: number) => (HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT).toFixed(1)
  const path = (of: (usd: number) => number) =>
    values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(of(value))}`).join('') +
    `H${WIDTH}`
  const area = (of: (usd: number) => number) => `${path(of)}V${y(0)}H0Z`

  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.max(0, Math.min(end, Math.round(((clientX - left) / width) * end))))
  }

  return (
    <figure className={styles.chart}>
      <p className={styles.read}>
        <span className="number">{moneyText(read.balance)}</span>{' '}
        <span className="soft">{at === end ? 'now' : `at the end of ${dayText(read.day)}`}</span>
      </p>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          {lines.map((line) => (
            <span key={line}>{axisText(line)}</span>
          ))}
        </div>
        <div className={styles.drawing}>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Total balance from ${moneyText(first.balance)} on ${dayText(first.day)} to ${moneyText(last.balance)} on ${dayText(last.day)}`}
          >
            <path className={styles.lines} d={lines.map((line) => `M0 ${y(line)}H${WIDTH}`).join('')} />
            <path className={styles.area} d={area((usd) => Math.max(0, usd))} />
            {bottom < 0 && <path className={styles.under} d={area((usd) => Math.min(0, usd))} />}
            <path className={styles.water} d={`M0 ${y(0)}H${WIDTH}`} />
            <path className={styles.line} d={path((usd) => usd)} />
            {pointed !== null && <path className={styles.pointer} d={`M${x(at)} 0V${HEIGHT}`} />}
            {/* A line of no length with round ends: a dot, however the drawing is stretched. */}
            <path className={styles.dot} d={`M${x(at)} ${y(read.balance)}h0`} />
          </svg>
          <input
            type="range"
            aria-label="Day"
            min={0}
            max={end}
            value={at}
            aria-valuetext={`${dayText(read.day)}: ${moneyText(read.balance)}`}
            onChange={({ target }) => setPointed(Number(target.value))}
            onPointerMove={point}
            onPointerLeave={({ pointerType }) => {
              // A finger that is lifted leaves, too, and what it pointed at stays to be read.
              if (pointerType === 'mouse') setPointed(null)
            }}
            onBlur={() => setPointed(null)}
          />
        </div>
        <div className={styles.ends} aria-hidden="true">
          <span>{dayText(first.day, last.day)}</span>
          {end > 1 && <span>{dayText(middle.day, last.day)}</span>}
          {end > 0 && <span>{dayText(last.day, last.day)}</span>}
        </div>
      </div>
    </figure>
  )
}
