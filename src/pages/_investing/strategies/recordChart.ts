import { formatUsd } from '../../../contract/money.ts'
import type { FallsCourse } from '../../../design/chartCourse.ts'
import { element, part, scoped, scrolled } from './element.ts'
import { NONE } from './figures.ts'

/** Where a record's course is drawn by `readByDay`, with its words, and its days as a table once that is opened. */
export function recordChart(course: FallsCourse): HTMLElement {
  const figure = element('figure')
  const read = element('p')
  read.className = 'read'
  const place = element('div')
  place.className = 'place'
  place.ariaHidden = 'true'
  const slider = element('input')
  slider.type = 'range'
  slider.min = '0'
  slider.ariaLabel = 'Day of the record'
  const caption = element('figcaption', captionOf(course))
  caption.className = 'note'
  const source = element('a', 'Charts by TradingView')
  source.href = 'https://www.tradingview.com/'
  source.rel = 'noopener noreferrer'
  caption.appendChild(source)
  figure.replaceChildren(read, place, slider, caption, daysOf(course))
  return figure
}

function captionOf({ beside }: FallsCourse): string {
  const expected = beside
    ? 'Between the dashed lines it is expected, 98 of 100 times, by the test of these rules, counted from the start. If it was resumed after a suspension, it is judged anew from that day on. '
    : ''
  return `Simulated. The price of a unit at each day’s close, after costs, and under the line how far it lay below its highest. ${expected}`
}

function daysOf(course: FallsCourse): HTMLElement {
  const details = element('details')
  details.appendChild(element('summary', 'Day by day'))
  details.addEventListener(
    'toggle',
    () => details.appendChild(scrolled('The record day by day', tableOf(course))),
    {
      once: true,
    },
  )
  return details
}

function tableOf({ days, worth, beside = [] }: FallsCourse): HTMLTableElement {
  const table = element('table')
  table.className = 'figures'
  const head = element('tr')
  head.replaceChildren(
    ...['Day', 'Price of a unit', ...beside.map(({ label }) => capital(label))].map((text) =>
      scoped('col', text),
    ),
  )
  const rows = days.map((day, index) => {
    const row = element('tr')
    const prices = [worth[index], ...beside.map((line) => line.worth[index])]
    row.replaceChildren(
      scoped('row', day),
      ...prices.map((usd) => element('td', usd == null ? NONE : formatUsd(usd))),
    )
    return row
  })
  table.replaceChildren(
    element('caption', 'Simulated, at each day’s close.'),
    part('thead', head),
    part('tbody', ...rows),
  )
  return table
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
