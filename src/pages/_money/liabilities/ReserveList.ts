import { formatDay, formatTableDate } from '../../../contract/dates.ts'
import type { PublishedRoot } from '../../../contract/money/liabilities.ts'
import { describeReserve, formatCoins, formatVenueHolding, LOADED } from './reserves.ts'

const NONE =
  'No reserves are counted yet. They are counted once a day, on networks whose payments are proved.'

const FAILED = 'What the wallets held could not be loaded.'

/** What the wallets held on the day of the newest total. */
export class ReserveList extends HTMLElement {
  connectedCallback() {
    // `PublishedDays` loads them.
    document.addEventListener(LOADED, (event) => this.#show(event.detail))
  }

  #show(published: readonly PublishedRoot[] | null) {
    const newest = published?.[0]
    const list = this.querySelector<HTMLElement>('.wallets')
    const reserves = newest?.reserves ?? []
    list?.replaceChildren(...reserves.map((reserve) => this.#row(reserve)))
    if (list) list.hidden = reserves.length === 0
    const moved = newest?.atVenues ?? []
    const venues = this.querySelector<HTMLElement>('.venues')
    venues?.querySelector('ul')?.replaceChildren(
      ...moved.map((each) => {
        const item = document.createElement('li')
        item.textContent = formatVenueHolding(each)
        return item
      }),
    )
    if (venues) venues.hidden = moved.length === 0
    const note = this.querySelector('.note')
    if (note)
      note.textContent =
        published === null
          ? FAILED
          : newest === undefined || reserves.length === 0
            ? NONE
            : `On ${formatDay(newest.day)}, the day of the newest total.`
  }

  #row(reserve: PublishedRoot['reserves'][number]): DocumentFragment {
    const row = document.importNode(this.querySelector('template')?.content ?? new DocumentFragment(), true)
    const { asset, onChain, booked, difference, block, at } = reserve
    const { title, words, isShort } = describeReserve(reserve)
    const texts = [
      formatCoins(asset, onChain),
      formatCoins(asset, booked),
      formatCoins(asset, difference),
      `Block ${block.height.toLocaleString('en-US')} (${block.hash}), ${formatTableDate(at, 'both', 'UTC')} UTC`,
    ]
    for (const [n, value] of row.querySelectorAll('dd').entries()) value.textContent = texts[n] ?? ''
    const heading = row.querySelector('h3')
    if (heading) heading.textContent = title
    const verdict = row.querySelector('.verdict')
    if (verdict) verdict.textContent = words
    verdict?.classList.toggle('short', isShort)
    return row
  }
}
