import { formatDay } from '../../../contract/dates.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { get } from '../../../layouts/publicApi.ts'
import { onClick } from './clickable.ts'
import { createElement } from './element.ts'
import { count, formatFigureUsd, formatPercent, formatSignedPercent, NONE } from './figures.ts'
import { getLossClass } from './loss.ts'

/** The live figures of a strategy, if it runs on the page's market. A click fetches its whole record and verifies the hashes. */
export class StrategyRecord extends HTMLElement {
  connectedCallback(): void {
    void this.#load()
    onClick(this, async () => {
      const { checkRecord } = await import('./checkRecord.ts')
      await checkRecord(this)
    })
  }

  async #load() {
    const answer = await get<Strategy[]>('/strategies')
    if (answer.state === 'failed') {
      this.querySelector('.wrong')?.replaceChildren(answer.msg)
      return
    }
    const strategy = answer.body.find(({ slug }) => slug === this.dataset.slug)
    if (strategy === undefined) return
    this.hidden = false
    this.parentElement?.querySelector('.idle')?.remove()
    const facts = describeStrategy(strategy)
    for (const [name, text] of Object.entries(facts)) {
      const place = this.querySelector(`[data-fact="${name}"]`)
      place?.replaceChildren(text)
      place?.classList.toggle('loss', getLossClass(text) !== undefined)
    }
    this.#showLive(strategy, strategy.status === 'active' ? [] : [`${facts.status} Since ${facts.since}. `])
  }

  /** On the page's first screen: whether it has ended, and the live return beside that of the test. */
  #showLive({ live }: Strategy, ended: string[]) {
    const check = createElement('a', 'Check the record')
    check.href = '#record'
    check.addEventListener('click', () => this.querySelector<HTMLElement>('.explore button')?.click())
    document.querySelector('.live')?.replaceChildren(...ended, ...describeLive(live), check)
  }
}

function describeLive({ from, totalReturn, testReturn }: Strategy['live']): (Node | string)[] {
  if (from === null || totalReturn === null) return ['No day has closed yet. ']
  const since = `Since it started on ${formatDay(from)}, after costs: `
  if (testReturn === null) return [since, renderReturn(totalReturn), '. ']
  const why = createElement('a', 'Why')
  why.href = '#gaps'
  return [since, renderReturn(totalReturn), '. The test says ', renderReturn(testReturn), '. ', why, ' · ']
}

function renderReturn(share: number): HTMLElement {
  const text = formatSignedPercent(share)
  const figure = createElement('strong', text)
  figure.className = getLossClass(text) ?? ''
  return figure
}

const STATUSES = {
  active: 'Running',
  suspended: 'Suspended: it takes no new money. Investors can redeem.',
  stopped: 'Stopped for good: it takes no new money. Investors can redeem.',
} as const

function describeStrategy({ status, since, reason, hash, unitPrice, at, live, startedAt }: Strategy) {
  const { days, totalReturn, testReturn, maximumDrawdown, band } = live
  const started = formatDay(startedAt.slice(0, 10))
  return {
    status: reason === null ? STATUSES[status] : `${STATUSES[status]} ${reason}`,
    since: status === 'active' ? started : `${formatDay(since.slice(0, 10))}; started ${started}`,
    fall: maximumDrawdown === null ? NONE : formatPercent(-maximumDrawdown),
    return: totalReturn === null ? NONE : formatSignedPercent(totalReturn),
    test: testReturn === null ? NONE : formatSignedPercent(testReturn),
    price: `${formatFigureUsd(unitPrice)} on ${formatDay(at.slice(0, 10))}`,
    days: count(days),
    band:
      band === null
        ? NONE
        : `${formatFigureUsd(band.lower)} to ${formatFigureUsd(band.upper)} a unit, 98 of 100 times`,
    hash,
  }
}
