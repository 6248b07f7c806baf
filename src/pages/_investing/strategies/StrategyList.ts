import { createElement, wrapInScroll } from './element.ts'

/** At most this many strategies fit side by side. */
const MOST = 3

/** Sorts the lists of strategies, and compares up to three of them side by side. */
export class StrategyList extends HTMLElement {
  readonly #chosen: HTMLTableRowElement[] = []

  connectedCallback(): void {
    const order = this.querySelector('select')
    order?.addEventListener('change', () => this.#sort(order.value))
    for (const box of this.querySelectorAll<HTMLInputElement>('.choose input')) {
      const row = box.closest('tr')
      if (row) box.addEventListener('change', () => this.#choose(row, box.checked))
    }
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
    this.#show()
  }

  #show() {
    const isFull = this.#chosen.length === MOST
    for (const box of this.querySelectorAll<HTMLInputElement>('.choose input')) {
      box.disabled = isFull && !box.checked
    }
    const place = this.querySelector<HTMLElement>('.compared')
    if (place === null) return
    place.hidden = this.#chosen.length === 0
    if (place.hidden) return
    const words = isFull ? 'Three is the most.' : `You can add ${MOST - this.#chosen.length} more.`
    place.replaceChildren(createElement('h2', 'Side by side'), createElement('p', words), this.#table())
    this.querySelector('[role=status]')?.replaceChildren(
      `${this.#chosen.length} of ${MOST} compared. ${words}`,
    )
  }

  #table(): HTMLElement {
    const names = this.#chosen.map(({ dataset }) => {
      const cell = createElement('th', dataset.name ?? '')
      cell.scope = 'col'
      return cell
    })
    const head = createElement('tr', createElement('td'), ...names)
    const labels = [...(this.querySelector('.list thead')?.querySelectorAll('th') ?? [])].map(
      (cell) => cell.textContent,
    )
    const body = labels.slice(1).map((label, index) => {
      const header = createElement('th', label)
      header.scope = 'row'
      return createElement('tr', header, ...this.#chosen.map((row) => copyCell(row.cells[index + 1])))
    })
    const table = createElement('table', createElement('thead', head), createElement('tbody', ...body))
    table.className = 'figures'
    return wrapInScroll('Strategies side by side', table)
  }
}

/** A cell without the label that narrow screens show in it. */
function copyCell(cell: HTMLTableCellElement | undefined): HTMLElement {
  const copy = (cell?.cloneNode(true) ?? createElement('td')) as HTMLElement
  copy.querySelector('span')?.remove()
  return copy
}

/** Deepest fall, smallest rest and largest return first; names from A to Z. */
function compareRows(firstRow: HTMLTableRowElement, secondRow: HTMLTableRowElement, by: string): number {
  const [a, b] = [firstRow.dataset[by] ?? '', secondRow.dataset[by] ?? '']
  if (by === 'name') return a.localeCompare(b, 'en')
  return by === 'return' ? Number(b) - Number(a) : Number(a) - Number(b)
}
