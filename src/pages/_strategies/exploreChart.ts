import type { Backtest } from '../../../engine/backtestResult.ts'
import { chartReading } from '../../design/chartCourse.ts'
import { drawChart } from '../../design/drawChart.ts'
import { courseOf } from './courseOf.ts'

for (const element of document.querySelectorAll<HTMLElement>('strategy-chart')) {
  exploreChart(element).then(
    () => element.dispatchEvent(new Event('explored')),
    () => element.dispatchEvent(new Event('lost')),
  )
}

/** Fetches a strategy’s figures and puts a chart that can be read day by day in the place of the picture. */
async function exploreChart(element: HTMLElement): Promise<void> {
  const { slug = '', name = '' } = element.dataset
  const response = await fetch(`/strategies/${slug}.json`)
  if (!response.ok) throw new Error(`The figures answer ${response.status}.`)
  const course = courseOf(name, (await response.json()) as Backtest)
  const picture = element.querySelector<SVGElement>('svg')
  const explored = element.querySelector<HTMLElement>('.explored')
  const place = element.querySelector<HTMLElement>('.place')
  const read = element.querySelector<HTMLElement>('.read')
  const slider = element.querySelector('input')
  if (!picture || !explored || !place || !read || !slider) throw new Error('The chart has lost a part.')
  picture.remove()
  explored.hidden = false
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
