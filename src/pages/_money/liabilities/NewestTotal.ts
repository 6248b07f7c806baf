import { formatDay } from '../../../contract/dates.ts'
import { formatCents } from '../../../contract/money.ts'
import { LOADED } from './reserves.ts'

/** The newest published total. */
export class NewestTotal extends HTMLElement {
  connectedCallback() {
    // `PublishedDays` loads them.
    document.addEventListener(LOADED, ({ detail: published }) => {
      const [total, words] = [this.querySelector('.total'), this.querySelector('.of')]
      if (total === null || words === null || published === null) return
      const [newest] = published
      total.textContent = newest ? formatCents(newest.totalCents) : 'Not published yet'
      words.textContent = newest
        ? `owed to ${newest.investors.toLocaleString('en-US')} investors on ${formatDay(newest.at)}`
        : 'We publish a total once 20 or more investors have a balance.'
    })
  }
}
