import { type ChartCourse, chartReading } from '../../../design/chartCourse.ts'
import { drawChart } from '../../../design/drawChart.ts'

/** Draws a course in `.place`, with what `.read` says of the day that the slider, or a pointer, stands on: the last one at first. */
export function readByDay(within: HTMLElement, course: ChartCourse): void {
  const place = within.querySelector<HTMLElement>('.place')
  const read = within.querySelector<HTMLElement>('.read')
  const slider = within.querySelector('input')
  if (!place || !read || !slider) throw new Error('The chart has lost a part.')
  const end = course.days.length - 1
  const tell = (index: number | null) => {
    const at = index ?? end
    read.textContent = chartReading(course, at)
    slider.value = String(at)
    slider.setAttribute('aria-valuetext', chartReading(course, at))
  }
  slider.max = String(end)
  tell(null)
  const chart = drawChart(place, course, tell)
  slider.addEventListener('input', () => {
    const at = Number(slider.value)
    chart.mark(at)
    tell(at)
  })
}
