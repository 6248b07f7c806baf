/**
 * Does a button's work and ignores clicks meanwhile. Not by `disabled`: the button would lose the focus, and a keyboard
 * user their place.
 */
export async function busy(button: Element | null, work: () => Promise<void>): Promise<void> {
  if (button?.ariaBusy === 'true') return
  for (const name of ['aria-busy', 'aria-disabled']) button?.setAttribute(name, 'true')
  await work()
  for (const name of ['aria-busy', 'aria-disabled']) button?.removeAttribute(name)
}
