import { $session } from '../lib/session.ts'
import { $dashboardNavbar, $show, bindPopover, hideAll } from './visibility.ts'

/**
 * Completes the navigation popover of small screens, which the browser opens and closes. While it is open, the page behind
 * it is inert. A click on a link, leaving the page, and a window wide enough for the sidebar close it.
 */
const navigation = document.getElementById('navigation')
if (navigation !== null) {
  const setCovered = (isCovered: boolean) => {
    for (const behind of document.querySelectorAll<HTMLElement>('[data-behind]')) behind.inert = isCovered
  }
  bindPopover(navigation, $dashboardNavbar)
  $dashboardNavbar.subscribe((isShown) => isShown && setCovered(true))
  // Before it closes, because the browser then returns the focus to the opening button.
  navigation.addEventListener('beforetoggle', ({ newState }) => newState === 'closed' && setCovered(false))
  navigation.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) hideAll()
  })
  // Only one popover is open at a time.
  $show.listen((isShown) => isShown && $dashboardNavbar.set(false))
  $dashboardNavbar.listen((isShown) => isShown && $show.set(false))
  matchMedia('(min-width: 60rem)').addEventListener('change', hideAll)
  addEventListener('pagehide', hideAll)
  const name = navigation.querySelector('[data-name]')
  $session.subscribe((session) => {
    if (name) name.textContent = session?.name ?? ''
  })
}
