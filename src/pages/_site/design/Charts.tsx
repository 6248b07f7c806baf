import { Chart } from '../../../design/Chart.tsx'
import { type ChartCourse, fallsOf } from '../../../design/chartCourse.ts'
import { Panel } from '../../../design/Panel.tsx'

/** A line that rises and falls, for nothing but being looked at. */
function sampleOf(days: number): ChartCourse {
  const start = Date.UTC(2024, 0, 1)
  const worth = Array.from(
    { length: days },
    (_, day) => 1000 * (1 + 0.25 * Math.sin(day / 90) + day / 2500 + 0.03 * Math.sin(day * 1.7)),
  )
  return {
    label: 'Sample strategy',
    days: worth.map((_, day) => new Date(start + day * 86_400_000).toISOString().slice(0, 10)),
    worth,
    falls: fallsOf(worth, 1000),
    beside: [
      { label: 'Bought and held', worth: worth.map((_, day) => 1000 + 200 * Math.sin(day / 60)) },
      { label: 'Expected at least', worth: worth.map((_, day) => (day < 30 ? null : 800)) },
    ],
    ...(days > 400 && { heldOutFrom: '2025-01-01' }),
  }
}

const LONG = sampleOf(900)
const SHORT = sampleOf(12)
const FIRST = sampleOf(1)

export function Charts() {
  return (
    <Panel title="Charts">
      <Chart title="A chart of 900 days" course={LONG} />
      <Chart title="A chart of 12 days" course={SHORT} />
      <Chart title="A chart of its first day" course={FIRST} />
    </Panel>
  )
}
