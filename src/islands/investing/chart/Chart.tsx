import { type ChangeEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { formatDay, formatMonth } from '../../../contract/dates.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import styles from './Chart.module.css'
import { buildChartRows, type ChartCourse, type ChartRow, describeReading, getUnder } from './chartCourse.ts'
import type { DrawnChart } from './drawChart.ts'

export interface ChartProps {
  title: string
  /** Must keep its identity while its figures are equal: a new object redraws the chart. At least one day. */
  course: ChartCourse
}

const SPANS = [
  { label: '3 months', days: 91 },
  { label: '1 year', days: 365 },
  { label: 'All', days: null },
] as const

/**
 * A chart with its reading, slider, legend and table. The drawing library loads when the chart is on the page. The text
 * above describes the selected day; the slider selects days by touch, keyboard and screen reader.
 */
export function Chart({ title, course }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<number | null>(null)
  const drawing = useDrawnChart(place, course, setSelected)
  const end = course.days.length - 1
  const at = Math.min(selected ?? end, end)
  const chart = drawing.state === 'drawn' ? drawing.chart : null
  const mark = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setSelected(Number(target.value))
    chart?.mark(Number(target.value))
  }
  return (
    <figure className={styles.chart} aria-label={title}>
      <p className={styles.read}>{describeReading(course, at)}</p>
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
          {/* The library's elements are useless to screen readers. */}
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
        aria-valuetext={describeReading(course, at)}
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

/** The legend, with the link that the library's licence requires. */
function ChartLegend({ course }: { course: ChartCourse }) {
  const { label, beside = [], heldOutFrom } = course
  return (
    <figcaption className={styles.legend}>
      <span className={joinClasses(styles.key, styles.worth)}>{label}</span>
      {beside.map((line, index) => (
        <span key={line.label} className={joinClasses(styles.key, index > 0 && styles.dashed)}>
          {line.label}
        </span>
      ))}
      <span className={joinClasses(styles.key, 'gains' in course ? styles.gains : styles.falls)}>
        {getUnder(course).legend}
      </span>
      {heldOutFrom !== undefined && (
        <span className={joinClasses(styles.key, styles.heldOut)}>Not used for choosing</span>
      )}
      <a href="https://www.tradingview.com/" rel="noopener noreferrer">
        Charts by TradingView
      </a>
    </figcaption>
  )
}

/** The chart's table, rendered once opened. */
function ChartTable({ title, course }: { title: string; course: ChartCourse }) {
  const [isOpen, setOpen] = useState(false)
  const { header, text } = getUnder(course)
  const columns: Column<ChartRow>[] = [
    {
      key: 'time',
      header: 'Until',
      // A month has no day: 2026-06.
      cell: ({ time }) => (time.length > 7 ? formatDay(time) : formatMonth(time)),
    },
    { key: 'under', header, align: 'end', cell: ({ under }) => text(under) },
    { key: 'worth', header: course.label, align: 'end', cell: ({ worth }) => formatUsd(worth) },
    ...(course.beside ?? []).map(
      ({ label }, index): Column<ChartRow> => ({
        key: label,
        header: label,
        align: 'end',
        cell: ({ beside }) => {
          const value = beside[index]
          return value === null || value === undefined ? '–' : formatUsd(value)
        },
      }),
    ),
  ]
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table
          caption={title}
          columns={columns}
          data={{ state: 'ready', rows: buildChartRows(course) }}
          rowKey={({ time }) => time}
          emptyText="No day has closed yet."
        />
      )}
    </details>
  )
}

type Drawing = { state: 'loading' } | { state: 'drawn'; chart: DrawnChart } | { state: 'failed' }

/** Loads the drawing library and draws the course until unmounted. */
function useDrawnChart(
  place: RefObject<HTMLElement | null>,
  course: ChartCourse,
  onPoint: (index: number | null) => void,
): Drawing & { retry: () => void } {
  const [drawing, setDrawing] = useState<Drawing>({ state: 'loading' })
  const draw = useCallback(() => {
    let chart: DrawnChart | null = null
    let isGone = false
    setDrawing({ state: 'loading' })
    import('./drawChart.ts').then(
      ({ drawChart }) => {
        if (isGone || place.current === null) return
        chart = drawChart(place.current, course, onPoint)
        setDrawing({ state: 'drawn', chart })
      },
      () => isGone || setDrawing({ state: 'failed' }),
    )
    return () => {
      isGone = true
      chart?.remove()
    }
  }, [place, course, onPoint])
  useEffect(draw, [draw])
  return { ...drawing, retry: draw }
}
