import { formatUsd } from '../../../contract/money.ts'
import type { FallsCourse } from '../../../islands/investing/chart/chartCourse.ts'
import { createElement, renderFiguresTable } from './element.ts'
import { NONE } from './figures.ts'

/** The elements in which `readByDay` draws a record's course. The table of days is built when it is opened. */
export function recordChart(course: FallsCourse): HTMLElement {
  const chart = renderReadableChart(describeChart(course), 'Day of the record')
  chart.appendChild(renderDays(course))
  return chart
}

/** The elements in which `readByDay` draws. `sliderLabel` names the slider that moves through the days. */
export function renderReadableChart(caption: string, sliderLabel: string): HTMLElement {
  const reading = createElement('p')
  reading.className = 'read'
  const place = createElement('div')
  place.className = 'place'
  place.ariaHidden = 'true'
  const slider = createElement('input')
  slider.type = 'range'
  slider.min = '0'
  slider.ariaLabel = sliderLabel
  const source = createElement('a', 'Charts by TradingView')
  source.href = 'https://www.tradingview.com/'
  source.rel = 'noopener noreferrer'
  const words = createElement('figcaption', caption, source)
  words.className = 'note'
  return createElement('figure', reading, place, slider, words)
}

function describeChart({ beside }: FallsCourse): string {
  const expected = beside
    ? 'The test of these rules expects the price between the dashed lines 98 times out of 100, counted from the start. After a suspension, the count begins again on the day it resumed. '
    : ''
  return `Simulated. Unit price at each day’s close, after costs. Below: its falls. ${expected}`
}

function renderDays(course: FallsCourse): HTMLElement {
  const details = createElement('details', createElement('summary', 'Day by day'))
  details.addEventListener('toggle', () => details.appendChild(renderDayTable(course)), { once: true })
  return details
}

function renderDayTable({ days, worth, beside = [] }: FallsCourse): HTMLElement {
  const lines = [worth, ...beside.map((line) => line.worth)]
  return renderFiguresTable(
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
