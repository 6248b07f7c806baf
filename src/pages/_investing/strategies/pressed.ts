import type { Backtest } from '../../../../engine/backtestResult.ts'
import { checkRecord } from './checkRecord.ts'
import { courseOf } from './courseOf.ts'
import { LOST, Lost } from './lost.ts'
import { readByDay } from './readByDay.ts'

const WORK: Readonly<Record<string, (element: HTMLElement) => Promise<void>>> = {
  'strategy-chart': exploreChart,
  'strategy-record': checkRecord,
}

for (const element of document.querySelectorAll<HTMLElement>('[data-pressed]')) {
  delete element.dataset.pressed
  const tell = (wrong: string | null) => element.dispatchEvent(new CustomEvent('pressed', { detail: wrong }))
  WORK[element.localName]?.(element).then(
    () => tell(null),
    (error: unknown) => tell(error instanceof Lost ? error.message : LOST),
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
  if (!picture || !explored) throw new Error('The chart has lost a part.')
  picture.remove()
  explored.hidden = false
  readByDay(explored, course)
}
