/** An element with a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

export function part(name: 'thead' | 'tbody', ...rows: HTMLElement[]): HTMLElement {
  const made = element(name)
  made.replaceChildren(...rows)
  return made
}

export function scoped(scope: 'col' | 'row', text: string): HTMLElement {
  const made = element('th', text)
  made.scope = scope
  return made
}

/** A table that is read sideways where it is wider than the screen. */
export function scrolled(label: string, table: HTMLTableElement): HTMLElement {
  const scroll = element('div')
  scroll.className = 'scroll'
  scroll.tabIndex = 0
  scroll.role = 'group'
  scroll.ariaLabel = label
  scroll.replaceChildren(table)
  return scroll
}
