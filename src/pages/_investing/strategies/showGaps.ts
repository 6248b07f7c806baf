import { formatDay } from '../../../contract/dates.ts'
import {
  buildGapLines,
  computeGapScale,
  drawGapBars,
  formatBasisPoints,
  GAP_PARTS,
  GAP_WORDS,
  type GapLine,
} from '../../../contract/investing/gapParts.ts'
import type { StrategyGap } from '../../../contract/investing/gaps.ts'
import styles from '../../../islands/investing/gaps/GapBars.module.css'
import bars from '../../../islands/investing/gaps/GapBars.module.css?inline'
import { get } from '../../../layouts/publicApi.ts'
import { createElement, renderFiguresTable } from './element.ts'
import around from './gaps.css?inline'

const DAYS = 90
/** The chart's styles. They come with this script, because most visitors never open the chart. */
const sheet = new CSSStyleSheet()

/** Fetches the newest days of a strategy and shows them as a chart and as a table. */
export async function showGaps(place: HTMLElement, { slug = '', simulated }: DOMStringMap): Promise<void> {
  if (place.querySelector('figure') !== null) return
  place.dataset.claim = 'gap-explained'
  const status = place.querySelector('[role="status"]')
  const answer = await get<StrategyGap[]>(`/strategies/${slug}/gaps?limit=${DAYS}`)
  if (answer.state === 'failed') {
    status?.replaceChildren(answer.status === 404 ? 'It does not run here yet.' : answer.msg)
    return
  }
  // Only once: with a figure, this function ends at its first line.
  sheet.replaceSync(bars + around)
  document.adoptedStyleSheets.push(sheet)
  const days = answer.body.toReversed()
  if (days.length === 0) {
    status?.replaceChildren('No day has been explained yet. The first one appears after its close.')
    return
  }
  const lines = buildGapLines(days)
  status?.replaceChildren(describeGaps(days, lines))
  const market = simulated === undefined ? '' : 'Simulated prices and money. '
  place.appendChild(renderGapChart(days, lines, market))
  place.appendChild(renderGapTable(days))
  place.appendChild(renderMeanings())
}

function renderMeanings(): HTMLElement {
  const list = createElement(
    'dl',
    ...GAP_PARTS.map((part) => {
      const [name, meaning] = GAP_WORDS[part]
      return createElement('div', createElement('dt', name), createElement('dd', meaning))
    }),
  )
  list.className = 'facts'
  const details = createElement(
    'details',
    createElement('summary', 'What the parts mean'),
    createElement('p', 'A basis point is a hundredth of a percent.'),
    list,
    createElement(
      'p',
      'Costs above those of the test are first paid from the pool’s reserve, which holds trading costs that investors paid and that were not spent. Once it is used up, they lower the unit price, in whole basis points. These parts explain the unit price. The pool’s own parts are private, because they would reveal what investors pay in and take out.',
    ),
  )
  return details
}

function describeGaps(days: readonly StrategyGap[], [all]: readonly GapLine[]): string {
  const [first, last] = getEnds(days)
  const many =
    days.length === 1
      ? `On ${formatDay(first)}`
      : `In ${days.length} days from ${formatDay(first)} to ${formatDay(last)}`
  const total = all?.total ?? 0
  const words = formatBasisPoints(total) === '0.00' ? 'as much as' : total < 0 ? 'less than' : 'more than'
  const by =
    words === 'as much as'
      ? 'to the hundredth of a basis point'
      : `by ${formatBasisPoints(Math.abs(total)).slice(1)} basis points`
  return `${many} a unit returned ${words} its test, ${by}.`
}

function getEnds(days: readonly StrategyGap[]): [first: string, last: string] {
  return [days[0]?._id ?? '', days.at(-1)?._id ?? '']
}

function renderGapChart(
  days: readonly StrategyGap[],
  lines: readonly GapLine[],
  market: string,
): HTMLElement {
  const scale = computeGapScale(lines)
  const rows = lines.map((line) => {
    const total = createElement('span', formatBasisPoints(line.total))
    total.className = line.total < -0.005 ? 'number loss' : 'number'
    return createElement('li', createElement('span', line.name), drawBars(line, scale), total)
  })
  const list = createElement('ul', ...rows)
  list.className = styles.lines ?? ''
  const reach = scale.toFixed(scale < 10 ? 1 : 0)
  const caption = createElement(
    'figcaption',
    `${market}Each bar is a day, ${getEnds(days)
      .map((day) => formatDay(day))
      .join(
        ' to ',
      )}: up if the live return was higher than the test’s, down if it was lower. A full bar is ${reach} basis points. On the right, all days added up.`,
  )
  caption.className = 'note'
  return createElement('figure', list, caption)
}

function drawBars(line: GapLine, scale: number): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', `0 0 ${line.values.length} 2`)
  svg.setAttribute('preserveAspectRatio', 'none')
  // The table has the figures.
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', styles.bars ?? '')
  const { gains, losses } = drawGapBars(line, scale)
  for (const [name = '', data] of [
    [styles.zero, `M0 1H${line.values.length}`],
    [styles.gains, gains],
    [styles.losses, losses],
  ] as const) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('class', name)
    path.setAttribute('d', data)
    svg.appendChild(path)
  }
  return svg
}

function renderGapTable(days: readonly StrategyGap[]): HTMLElement {
  const details = createElement('details', createElement('summary', 'Day by day'))
  details.addEventListener(
    'toggle',
    () =>
      details.appendChild(
        renderFiguresTable(
          'Live minus test, day by day',
          'In basis points, newest first.',
          ['Day', 'Live', 'Test', 'Live minus test', ...GAP_PARTS.map((part) => GAP_WORDS[part][0])],
          days.toReversed().map((day) => [day._id, ...formatGapCells(day)]),
        ),
      ),
    { once: true },
  )
  return details
}

function formatGapCells({ live, test, difference, parts }: StrategyGap): string[] {
  return [live, test, difference, ...GAP_PARTS.map((part) => parts[part])].map(formatBasisPoints)
}
