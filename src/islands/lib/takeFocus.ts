/** As a `ref`: what has just come in the place of what was pressed has the focus, and is read out. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
