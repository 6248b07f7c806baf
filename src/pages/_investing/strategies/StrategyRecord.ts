import type { Strategy, StrategyDetail } from '../../../contract/investing/strategies.ts'
import { get } from '../../../layouts/publicApi.ts'
import { onClick } from './clickable.ts'
import { count, formatFigureUsd, formatPercent, formatSignedPercent, NONE } from './figures.ts'
import { getLossClass } from './loss.ts'

/** The live figures of a strategy. A click fetches its whole record and verifies the hashes. */
export class StrategyRecord extends HTMLElement {
  connectedCallback(): void {
    void this.#load()
    onClick(this, async () => {
      const { checkRecord } = await import('./checkRecord.ts')
      await checkRecord(this)
    })
  }

  async #load() {
    const answer = await get<StrategyDetail>(`/strategies/${this.dataset.slug ?? ''}`)
    if (answer.state === 'failed') {
      this.querySelector('.wrong')?.replaceChildren(answer.msg)
      return
    }
    const facts = describeStrategy(answer.body)
    for (const [name, text] of Object.entries(facts)) {
      const place = this.querySelector(`[data-fact="${name}"]`)
      place?.replaceChildren(text)
      place?.classList.toggle('loss', getLossClass(text) !== undefined)
    }
    if (answer.body.status !== 'active') showEndNotice(`${facts.status} Since ${facts.since}.`)
  }
}

const STATUSES = {
  active: 'Running',
  suspended: 'Suspended: it takes no new money. Investors can redeem.',
  stopped: 'Stopped for good: it takes no new money. Investors can redeem.',
} as const

function describeStrategy({ status, since, reason, hash, unitPrice, at, live, startedAt }: Strategy) {
  const { days, totalReturn, maximumDrawdown, band } = live
  return {
    status: reason === null ? STATUSES[status] : `${STATUSES[status]} ${reason}`,
    since:
      status === 'active' ? formatDay(startedAt) : `${formatDay(since)}; started ${formatDay(startedAt)}`,
    fall: maximumDrawdown === null ? NONE : formatPercent(-maximumDrawdown),
    return: totalReturn === null ? NONE : formatSignedPercent(totalReturn),
    price: `${formatFigureUsd(unitPrice)} on ${formatDay(at)}`,
    days: count(days),
    band:
      band === null
        ? NONE
        : `${formatFigureUsd(band.lower)} to ${formatFigureUsd(band.upper)} a unit, 98 of 100 times`,
    hash,
  }
}

function formatDay(iso: string): string {
  return iso.slice(0, 10)
}

/** Also shows under the strategy's name that it has ended, not only far down the page. */
function showEndNotice(text: string): void {
  const line = document.createElement('p')
  line.className = 'loses loss'
  line.textContent = text
  document.querySelector('.lead')?.insertAdjacentElement('afterend', line)
}
