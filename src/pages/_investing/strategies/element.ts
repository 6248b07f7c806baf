export function element<Name extends keyof HTMLElementTagNameMap>(
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
export function figuresTable(
  label: string,
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly [header: string, ...cells: string[]])[],
): HTMLElement {
  const head = columns.map((text) => (text === '' ? element('td') : headerCell('col', text)))
  const body = rows.map(([header, ...cells]) =>
    element('tr', headerCell('row', header), ...cells.map((text) => element('td', text))),
  )
  const table = element(
    'table',
    element('caption', caption),
    element('thead', element('tr', ...head)),
    element('tbody', ...body),
  )
  table.className = 'figures'
  return scrolling(label, table)
}

/** Lets a wide table scroll sideways, also by keyboard. `label` names the region. */
export function scrolling(label: string, table: HTMLTableElement): HTMLElement {
  const scroll = element('div', table)
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.role = 'group'
  scroll.ariaLabel = label
  return scroll
}

function headerCell(scope: 'col' | 'row', text: string): HTMLElement {
  const cell = element('th', text)
  cell.scope = scope
  return cell
}
