import type { Strategy, StrategyDetail } from '../../../contract/investing/strategies.ts'
import { get } from '../../../layouts/publicApi.ts'
import { onClick } from './clickable.ts'
import { count, NONE, percent, signed, usd } from './figures.ts'

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
    const facts = factsOf(answer.body)
    for (const [name, text] of Object.entries(facts))
      this.querySelector(`[data-fact="${name}"]`)?.replaceChildren(text)
    if (answer.body.status !== 'active') announce(`${facts.status} Since ${facts.since}.`)
  }
}

const STATUSES = {
  active: 'Running',
  suspended: 'Suspended: it takes no new money. Investors can redeem.',
  stopped: 'Stopped for good: it takes no new money. Investors can redeem.',
} as const

function factsOf({ status, since, reason, hash, unitPrice, at, live, startedAt }: Strategy) {
  const { days, totalReturn, maximumDrawdown, band } = live
  return {
    status: reason === null ? STATUSES[status] : `${STATUSES[status]} ${reason}`,
    since: status === 'active' ? day(startedAt) : `${day(since)}; started ${day(startedAt)}`,
    fall: maximumDrawdown === null ? NONE : percent(-maximumDrawdown),
    return: totalReturn === null ? NONE : signed(totalReturn),
    price: `${usd(unitPrice)} on ${day(at)}`,
    days: count(days),
    band: band === null ? NONE : `${usd(band.lower)} to ${usd(band.upper)} a unit, 98 of 100 times`,
    hash,
  }
}

function day(iso: string): string {
  return iso.slice(0, 10)
}

/** Also shows under the strategy's name that it has ended, not only far down the page. */
function announce(text: string): void {
  const line = document.createElement('p')
  line.className = 'loses loss'
  line.textContent = text
  document.querySelector('.lead')?.insertAdjacentElement('afterend', line)
}
