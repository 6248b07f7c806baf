import { formatTableDate } from '../../../contract/dates.ts'
import type { PublishedRoot } from '../../../contract/money/liabilities.ts'
import { formatCents } from '../../../contract/money.ts'
import { get } from '../../../layouts/publicApi.ts'
import { runWhileBusy } from '../../../layouts/runWhileBusy.ts'
import { LOADED } from './reserves.ts'

/** The table of published totals. Tells the other parts of the page what it loaded. */
export class PublishedDays extends HTMLElement {
  #next: string | null = '/liabilities?limit=10'

  connectedCallback() {
    const button = this.querySelector('button')
    button?.addEventListener('click', () => void runWhileBusy(button, () => this.#load()))
    // Retries when the network is back.
    addEventListener('online', () => this.querySelector('tbody tr') === null && void this.#load())
    void this.#load()
  }

  async #load() {
    if (this.#next === null) return
    const answer = await get<PublishedRoot[]>(this.#next)
    if (answer.state === 'failed') {
      this.#tell(null)
      return this.#show(answer.msg, 'Try again')
    }
    if (this.querySelector('tbody tr') === null) this.#tell(answer.body)
    this.#next = answer.next
    for (const root of answer.body) this.querySelector('tbody')?.appendChild(this.#row(root))
    const isEmpty = this.querySelector('tbody tr') === null
    this.#show(isEmpty ? 'Nothing is published yet.' : '', this.#next === null ? '' : 'Show older days')
  }

  /** Other sections show the newest total, and its reserves. */
  #tell(published: readonly PublishedRoot[] | null) {
    document.dispatchEvent(new CustomEvent(LOADED, { detail: published }))
  }

  #row({ at, investors, totalCents, root }: PublishedRoot): DocumentFragment {
    const row = document.importNode(this.querySelector('template')?.content ?? new DocumentFragment(), true)
    const texts = [
      `${formatTableDate(at, 'both', 'UTC')} UTC`,
      investors.toLocaleString('en-US'),
      formatCents(totalCents),
      root,
    ]
    for (const [n, cell] of row.querySelectorAll('th, td.end, code').entries())
      cell.textContent = texts[n] ?? ''
    return row
  }

  #show(words: string, action: string) {
    const note = this.querySelector('.note')
    if (note) note.textContent = words
    const [table, more] = [this.querySelector('table'), this.querySelector<HTMLElement>('.more')]
    if (table) table.hidden = table.querySelector('tbody tr') === null
    if (more) more.hidden = action === ''
    const button = this.querySelector('button')
    if (button && action !== '') button.textContent = action
  }
}
