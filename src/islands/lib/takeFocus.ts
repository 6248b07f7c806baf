/** A `ref` that focuses the element replacing a clicked button, so that screen readers read it. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
