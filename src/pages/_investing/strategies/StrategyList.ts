import { runWhileBusy } from '../../../layouts/runWhileBusy.ts'

/** At most this many strategies fit into one picture. */
const MOST = 3

/** Sorts the lists of strategies, and compares up to three of them. */
export class StrategyList extends HTMLElement {
  readonly #chosen: HTMLTableRowElement[] = []

  connectedCallback(): void {
    const order = this.querySelector('select')
    order?.addEventListener('change', () => this.#sort(order.value))
    for (const box of this.#boxes()) {
      const row = box.closest('tr')
      if (row) box.addEventListener('change', () => this.#choose(row, box.checked))
    }
    this.#markCurrent()
    addEventListener('hashchange', () => this.#markCurrent())
    const button = this.querySelector<HTMLButtonElement>('.bar button')
    button?.addEventListener('click', () => void runWhileBusy(button, () => this.#compare()))
  }

  /** Tells screen readers which list is shown. */
  #markCurrent() {
    const links = [...this.querySelectorAll<HTMLAnchorElement>('.switch a')]
    const current = links.find(({ hash }) => hash === location.hash) ?? links[0]
    for (const link of links) link.ariaCurrent = link === current ? 'true' : null
  }

  #boxes() {
    return this.querySelectorAll<HTMLInputElement>('.choose input')
  }

  #sort(by: string) {
    for (const body of this.querySelectorAll('tbody')) {
      const rows = [...body.rows].sort((firstRow, secondRow) => compareRows(firstRow, secondRow, by))
      for (const row of rows) body.insertAdjacentElement('beforeend', row)
    }
  }

  #choose(row: HTMLTableRowElement, isChosen: boolean) {
    if (isChosen) this.#chosen.push(row)
    else this.#chosen.splice(this.#chosen.indexOf(row), 1)
    const many = this.#chosen.length
    for (const box of this.#boxes()) box.disabled = many === MOST && !box.checked
    const bar = this.querySelector<HTMLElement>('.bar')
    if (bar) bar.hidden = many === 0
    this.querySelector('.bar [role=status]')?.replaceChildren(
      many === MOST ? '3 chosen, the most' : `${many} chosen`,
    )
  }

  async #compare() {
    const place = this.querySelector<HTMLElement>('.compared')
    if (place === null) return
    const { compareCurves } = await import('./compareCurves.ts')
    await compareCurves(place, this.#chosen)
  }
}

/** Deepest fall and largest amount first; names from A to Z. */
function compareRows(firstRow: HTMLTableRowElement, secondRow: HTMLTableRowElement, by: string): number {
  const [a, b] = [firstRow.dataset[by] ?? '', secondRow.dataset[by] ?? '']
  if (by === 'name') return a.localeCompare(b, 'en')
  return by === 'fall' ? Number(a) - Number(b) : Number(b) - Number(a)
}
