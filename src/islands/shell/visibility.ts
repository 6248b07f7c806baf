import { atom, type WritableAtom } from 'nanostores'

/** Whether the account menu is open. */
export const $show = atom(false)

/** Whether the navigation of small screens is open. */
export const $dashboardNavbar = atom(false)

export function hideAll(): void {
  $show.set(false)
  $dashboardNavbar.set(false)
}

/**
 * Synchronises a popover and its flag. The browser opens and closes the popover by its button, Escape and outside clicks;
 * scripts set the flag. Returns a cancel function.
 */
export function bindPopover(popover: HTMLElement, $flag: WritableAtom<boolean>): () => void {
  const follow = ({ newState }: ToggleEvent) => $flag.set(newState === 'open')
  popover.addEventListener('toggle', follow)
  $flag.set(popover.matches(':popover-open'))
  const stop = $flag.listen((isShown) => {
    popover.togglePopover(isShown)
  })
  return () => {
    popover.removeEventListener('toggle', follow)
    stop()
  }
}
