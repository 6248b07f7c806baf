import { getLossClass } from './loss.ts'

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.replaceChildren(...children)
  return made
}

/**
 * A table of figures that scrolls sideways on narrow screens. The first cell of each row is its header.
 *
 * @param label names the scrolling region
 */
export function renderFiguresTable(
  label: string,
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly [header: string, ...cells: string[]])[],
): HTMLElement {
  const head = columns.map((text) => (text === '' ? createElement('td') : createHeaderCell('col', text)))
  const body = rows.map(([header, ...cells]) =>
    createElement('tr', createHeaderCell('row', header), ...cells.map(createFigureCell)),
  )
  const table = createElement(
    'table',
    createElement('caption', caption),
    createElement('thead', createElement('tr', ...head)),
    createElement('tbody', ...body),
  )
  table.className = 'figures'
  return wrapInScroll(label, table)
}

/** Lets a wide table scroll sideways, also by keyboard. `label` names the region. */
export function wrapInScroll(label: string, table: HTMLTableElement): HTMLElement {
  const scroll = createElement('div', table)
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.role = 'group'
  scroll.ariaLabel = label
  return scroll
}

function createFigureCell(text: string): HTMLElement {
  const cell = createElement('td', text)
  cell.className = getLossClass(text) ?? ''
  return cell
}

function createHeaderCell(scope: 'col' | 'row', text: string): HTMLElement {
  const cell = createElement('th', text)
  cell.scope = scope
  return cell
}
