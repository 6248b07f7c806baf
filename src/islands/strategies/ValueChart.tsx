import { useMemo } from 'react'
import type { PositionDay } from '../../contract/allocations.ts'
import { Chart } from '../../design/Chart.tsx'
import type { ChartCourse } from '../../design/chartCourse.ts'

interface ValueChartProps {
  name: string
  history: readonly PositionDay[]
}

/** What somebody's money in a strategy was worth, beside what they had put in, less what they took out: between the two lies the gain or loss. */
export function ValueChart({ name, history }: ValueChartProps) {
  const course = useMemo(
    (): ChartCourse => ({
      label: 'Worth',
      days: history.map(({ day }) => day),
      worth: history.map(({ value }) => value),
      gains: history.map(({ value, putIn }) => Math.round((value - putIn) * 100) / 100),
      beside: [{ label: 'Your own money in it', worth: history.map(({ putIn }) => putIn) }],
    }),
    [history],
  )
  return <Chart title={`What your money in ${name} was worth at each day’s close`} course={course} />
}
