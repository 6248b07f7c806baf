import type { Backtest } from '../../../engine/backtestResult.ts'
import { courseOf } from './courseOf.ts'
import { readByDay } from './readByDay.ts'

/** Fetches a strategy’s figures and puts a chart that can be read day by day in the place of the picture. */
export async function exploreChart(element: HTMLElement): Promise<void> {
  const { slug = '', name = '' } = element.dataset
  const response = await fetch(`/strategies/${slug}.json`)
  if (!response.ok) throw new Error(`The figures answer ${response.status}.`)
  const course = courseOf(name, (await response.json()) as Backtest)
  const picture = element.querySelector<SVGElement>('svg')
  const explored = element.querySelector<HTMLElement>('.explored')
  if (!picture || !explored) throw new Error('The chart has lost a part.')
  picture.remove()
  explored.hidden = false
  readByDay(explored, course)
}
