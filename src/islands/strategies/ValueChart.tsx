import { useMemo } from 'react'
import type { PositionDay } from '../../contract/allocations.ts'
import { Chart } from '../../design/Chart.tsx'

/** The unit price over the days on which units were held, and how far it lay under its highest. */
export function ValueChart({ name, history }: { name: string; history: readonly PositionDay[] }) {
  const course = useMemo(() => {
    let highest = 0
    return {
      label: `A unit of ${name}`,
      days: history.map(({ day }) => day),
      worth: history.map(({ unitPrice }) => unitPrice),
      falls: history.map(({ unitPrice }) => {
        highest = Math.max(highest, unitPrice)
        return 1 - unitPrice / highest
      }),
    }
  }, [name, history])
  return <Chart title={`A unit of ${name} at each day’s close, while you held it`} course={course} />
}
