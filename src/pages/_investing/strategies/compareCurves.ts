import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { layOver } from '../../../islands/investing/chart/layOver.ts'
import { createElement, renderFiguresTable } from './element.ts'
import { readByDay } from './exploreChart.ts'
import { formatPeriod, NONE } from './figures.ts'
import { renderReadableChart } from './recordChart.ts'

/** How `drawChart` draws the lines, in their order. */
const LINES = ['Thick line', 'Thin line', 'Dashed line']

/** A test of a list, with the figures that its row shows. */
interface ComparedTest {
  readonly name: string
  readonly row: HTMLTableRowElement
  readonly backtest: Backtest
}

/** Lays the curves of chosen rows over each other in `place`, over the days that all of them have, and lists their figures below. */
export async function compareCurves(place: HTMLElement, rows: readonly HTMLTableRowElement[]): Promise<void> {
  const heading = createElement('h2', 'Side by side')
  heading.tabIndex = -1
  place.hidden = false
  try {
    const tests = await Promise.all(rows.map(fetchTest))
    const course = layOver(tests)
    const [firstDay = '', lastDay = ''] = [course.days[0], course.days.at(-1)]
    const lines = tests.map(({ name }, index) => `${LINES[index]}: ${name}.`).join(' ')
    const chart = renderReadableChart(
      `${lines} ${formatPeriod({ firstDay, lastDay })}, $1,000 each at the start, after costs. Below: the falls of the first. `,
      'Day',
    )
    place.replaceChildren(heading, chart, renderFigures(tests))
    readByDay(chart, course)
  } catch {
    place.replaceChildren(heading, createElement('p', 'The curves could not be loaded. Please try again.'))
  }
  heading.focus()
}

async function fetchTest(row: HTMLTableRowElement): Promise<ComparedTest> {
  const { name = '', source = '' } = row.dataset
  const response = await fetch(source)
  if (!response.ok) throw new Error(`The figures answer ${response.status}.`)
  return { name, row, backtest: (await response.json()) as Backtest }
}

/** The figures of the rows, each over its whole test. */
function renderFigures(tests: readonly ComparedTest[]): HTMLElement {
  const columns = tests.map(({ row }) => readFigures(row))
  const labels = new Set(columns.flatMap((figures) => [...figures.keys()]))
  return renderFiguresTable(
    'Strategies side by side',
    'Each over its whole test.',
    ['', ...tests.map(({ name }) => name)],
    [...labels].map((label) => [label, ...columns.map((figures) => figures.get(label) ?? NONE)]),
  )
}

/** A row's figures by the labels that narrow screens show. */
function readFigures(row: HTMLTableRowElement): ReadonlyMap<string, string> {
  return new Map(
    [...row.querySelectorAll('td > span')].map(({ textContent: label, parentElement: cell }) => [
      label,
      (cell?.textContent ?? '').replace(label, '').trim(),
    ]),
  )
}
