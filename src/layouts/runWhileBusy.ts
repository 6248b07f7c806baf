/**
 * Runs a button's work and ignores clicks until it ends. Does not set `disabled`, because the button would lose the
 * keyboard focus.
 */
export async function runWhileBusy(button: Element | null, work: () => Promise<void>): Promise<void> {
  if (button?.ariaBusy === 'true') return
  for (const name of ['aria-busy', 'aria-disabled']) button?.setAttribute(name, 'true')
  await work()
  for (const name of ['aria-busy', 'aria-disabled']) button?.removeAttribute(name)
}
