import { formatUsd } from '../../../contract/money.ts'
import type { FallsCourse } from '../../../design/chartCourse.ts'
import { element, figuresTable } from './element.ts'
import { NONE } from './figures.ts'

/** The elements in which `readByDay` draws a record's course. The table of days is built when it is opened. */
export function recordChart(course: FallsCourse): HTMLElement {
  const reading = element('p')
  reading.className = 'read'
  const place = element('div')
  place.className = 'place'
  place.ariaHidden = 'true'
  const slider = element('input')
  slider.type = 'range'
  slider.min = '0'
  slider.ariaLabel = 'Day of the record'
  const source = element('a', 'Charts by TradingView')
  source.href = 'https://www.tradingview.com/'
  source.rel = 'noopener noreferrer'
  const caption = element('figcaption', captionOf(course), source)
  caption.className = 'note'
  return element('figure', reading, place, slider, caption, daysOf(course))
}

function captionOf({ beside }: FallsCourse): string {
  const expected = beside
    ? 'The test of these rules expects the price between the dashed lines 98 times out of 100, counted from the start. After a suspension, the count begins again on the day it resumed. '
    : ''
  return `Simulated. Unit price at each day’s close, after costs. Below: its drawdowns. ${expected}`
}

function daysOf(course: FallsCourse): HTMLElement {
  const details = element('details', element('summary', 'Day by day'))
  details.addEventListener('toggle', () => details.appendChild(tableOf(course)), { once: true })
  return details
}

function tableOf({ days, worth, beside = [] }: FallsCourse): HTMLElement {
  const lines = [worth, ...beside.map((line) => line.worth)]
  return figuresTable(
    'The record day by day',
    'Simulated, at each day’s close.',
    ['Day', 'Price of a unit', ...beside.map(({ label }) => label.charAt(0).toUpperCase() + label.slice(1))],
    days.map((day, index) => [
      day,
      ...lines.map((line) => {
        const price = line[index]
        return price == null ? NONE : formatUsd(price)
      }),
    ]),
  )
}
