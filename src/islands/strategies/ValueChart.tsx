import { useMemo } from 'react'
import type { PositionDay } from '../../contract/allocations.ts'
import { Chart } from '../../design/Chart.tsx'
import { fallsOf } from '../../design/chartCourse.ts'

/** The unit price over the days on which units were held, and how far it lay under its highest. */
export function ValueChart({ name, history }: { name: string; history: readonly PositionDay[] }) {
  const course = useMemo(() => {
    const worth = history.map(({ unitPrice }) => unitPrice)
    return {
      label: `A unit of ${name}`,
      days: history.map(({ day }) => day),
      worth,
      falls: fallsOf(worth),
    }
  }, [name, history])
  return <Chart title={`A unit of ${name} at each day’s close, while you held it`} course={course} />
}
