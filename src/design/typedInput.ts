/** The controls that the person changed, as long as they stand on the page. */
const changed = new WeakSet<EventTarget>()

/** The `onInput` of a dialog. Codes and passwords do not count: nobody minds typing them again. */
export function recordInput({ target }: { target: EventTarget }): void {
  if (target instanceof Element && !target.matches('[type=password], [autocomplete=one-time-code]'))
    changed.add(target)
}

/** Whether closing this part of the page would lose input. A form that keeps drafts loses none. */
export function hasUnsentInput(part: Element | null): boolean {
  const controls = part?.querySelectorAll<HTMLInputElement>(
    'form:not([data-keeps-draft]) :is(input, select, textarea)',
  )
  return [...(controls ?? [])].some(
    (control) => changed.has(control) && (control.type === 'checkbox' || control.value.trim() !== ''),
  )
}
