import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { type ChartCourse, describeReading } from '../../../islands/investing/chart/chartCourse.ts'
import { drawChart } from '../../../islands/investing/chart/drawChart.ts'
import { buildCourse } from './course.ts'

/** Fetches a strategy’s figures and replaces the picture by an interactive chart. */
export async function exploreChart(element: HTMLElement): Promise<void> {
  const { source = '', name = '' } = element.dataset
  const response = await fetch(source)
  if (!response.ok) throw new Error(`The figures answer ${response.status}.`)
  const course = buildCourse(name, (await response.json()) as Backtest)
  const explored = element.querySelector<HTMLElement>('.explored')
  if (!explored) throw new Error('The chart has lost a part.')
  element.querySelector('svg')?.remove()
  explored.hidden = false
  readByDay(explored, course)
}

/** Draws a course in `.place`. `.read` shows the values of the day under the pointer or the slider, initially the last day. */
export function readByDay(within: HTMLElement, course: ChartCourse): void {
  const place = within.querySelector<HTMLElement>('.place')
  const reading = within.querySelector<HTMLElement>('.read')
  const slider = within.querySelector('input')
  if (!place || !reading || !slider) throw new Error('The chart has lost a part.')
  const end = course.days.length - 1
  const show = (index: number | null) => {
    const at = index ?? end
    reading.textContent = describeReading(course, at)
    slider.value = String(at)
    slider.setAttribute('aria-valuetext', describeReading(course, at))
  }
  slider.max = String(end)
  show(null)
  const chart = drawChart(place, course, show)
  slider.addEventListener('input', () => {
    const at = Number(slider.value)
    chart.mark(at)
    show(at)
  })
}
