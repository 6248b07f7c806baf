import { type ChangeEvent, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './Chart.module.css'
import { ChartLegend } from './ChartLegend.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartCourse, chartReading } from './chartCourse.ts'
import { LoadFailure } from './LoadFailure.tsx'
import { Skeleton } from './Skeleton.tsx'
import { useDrawnChart } from './useDrawnChart.ts'

export interface ChartProps {
  /** Names the picture and its table. */
  title: string
  /** The same object as long as its figures are the same: another one is drawn anew. It has a day at least. */
  course: ChartCourse
}

/** How many days each choice shows. */
const SPANS = [
  { label: '3 months', days: 91 },
  { label: '1 year', days: 365 },
  { label: 'All', days: null },
] as const

/**
 * Worth above the waterline and falls below it. The library that draws is fetched once the chart stands on the page. What is
 * pointed at is written above the picture; the slider under it goes along the days by finger, keyboard and screen reader, and
 * the table has the numbers.
 */
export function Chart({ title, course }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const drawing = useDrawnChart(place, course, setPointed)
  const end = course.days.length - 1
  const at = Math.min(pointed ?? end, end)
  const chart = drawing.state === 'drawn' ? drawing.chart : null
  const mark = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setPointed(Number(target.value))
    chart?.mark(Number(target.value))
  }
  return (
    <figure className={styles.chart} aria-label={title}>
      <p className={styles.read}>{chartReading(course, at)}</p>
      {drawing.state === 'failed' ? (
        <LoadFailure
          msg="The chart could not be loaded. Its numbers stand in the table below."
          onRetry={drawing.retry}
        />
      ) : (
        <div className={styles.canvas}>
          {drawing.state === 'loading' && (
            <div className={styles.waits} role="status">
              <Skeleton width="full" height="block" />
              <span className="visually-hidden">Loading the chart</span>
            </div>
          )}
          {/* The library builds its own elements, of which a screen reader would hear nothing of use. */}
          <div ref={place} className={styles.place} aria-hidden="true" />
        </div>
      )}
      <input
        className={styles.days}
        type="range"
        aria-label="Day"
        min={0}
        max={end}
        value={at}
        aria-valuetext={chartReading(course, at)}
        onChange={mark}
      />
      <div className={styles.spans}>
        {SPANS.filter(({ days }) => days === null || days < end).map(({ label, days }) => (
          <Button
            key={label}
            size="small"
            variant="quiet"
            disabled={chart === null}
            onClick={() => chart?.show(days)}
          >
            {label}
          </Button>
        ))}
      </div>
      <ChartLegend course={course} />
      <ChartTable title={title} course={course} />
    </figure>
  )
}
