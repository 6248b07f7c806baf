import { type PointerEvent, useState } from 'react'
import type { DayValue } from '../../contract/statements.ts'
import { moneyText } from '../../design/Money.tsx'
import styles from './BalanceCourse.module.css'
import { axisText, dayText, roundBottom, roundTop } from './balanceScale.ts'

const WIDTH = 600
const HEIGHT = 160

/** The balance at each day's end as a line over the waterline, zero; below it where something is owed. */
export function BalanceChart({ course }: { course: readonly DayValue[] }) {
  const [pointed, setPointed] = useState<number | null>(null)
  const values = course.map(({ balance }) => balance)
  const [bottom, top] = [roundBottom(Math.min(...values)), roundTop(Math.max(...values))]
  const x = (index: number) => (index / Math.max(1, course.length - 1)) * WIDTH
  const y = (usd: number) => HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT
  const line = values.map(
    (value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`,
  )
  const first = course[0]
  const last = course.at(-1)
  if (first === undefined || last === undefined) return null
  const read = (pointed === null ? undefined : course[pointed]) ?? last

  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.round(((clientX - left) / width) * (course.length - 1))
    setPointed(Math.max(0, Math.min(course.length - 1, index)))
  }

  return (
    <figure className={styles.chart}>
      {/* Follows the pointer; what it says stands in the table too, so nothing is announced at each move. */}
      <p className={styles.read}>
        <span className="number">{moneyText(read.balance)}</span>{' '}
        <span className="soft">at the end of {dayText(read.day)}</span>
      </p>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          <span>{axisText(top)}</span>
          <span>{axisText(bottom)}</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Total balance from ${moneyText(first.balance)} on ${dayText(first.day)} to ${moneyText(last.balance)} on ${dayText(last.day)}`}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(null)}
        >
          <path className={styles.area} d={`${line.join('')}L${WIDTH} ${y(0)}L0 ${y(0)}Z`} />
          <path className={styles.water} d={`M0 ${y(0)}H${WIDTH}`} />
          <path className={styles.line} d={line.join('')} />
          {pointed !== null && <path className={styles.pointer} d={`M${x(pointed)} 0V${HEIGHT}`} />}
        </svg>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{dayText(first.day, last.day)}</span>
        <span>{dayText(last.day, last.day)}</span>
      </div>
    </figure>
  )
}
