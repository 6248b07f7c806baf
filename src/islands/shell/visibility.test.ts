import { expect, test, vi } from 'vitest'
import { $dashboardNavbar, $show, bindPopover, hideAll } from './visibility.ts'

test('both flags are off at first, and go off together', () => {
  expect([$show.get(), $dashboardNavbar.get()]).toEqual([false, false])
  $show.set(true)
  $dashboardNavbar.set(true)
  hideAll()
  expect([$show.get(), $dashboardNavbar.get()]).toEqual([false, false])
})

test('a popover and its flag follow each other until that is ended', () => {
  const popover = standIn()
  const end = bindPopover(popover, $show)
  $show.set(true)
  expect(popover.isOpen).toBe(true)
  popover.toggle(false)
  expect($show.get()).toBe(false)
  popover.toggle(true)
  expect($show.get()).toBe(true)
  end()
  $show.set(false)
  expect(popover.isOpen).toBe(true)
  popover.toggle(true)
  expect($show.get()).toBe(false)
})

test('what was opened before the script came is taken over as open', () => {
  const popover = standIn()
  popover.isOpen = true
  const end = bindPopover(popover, $dashboardNavbar)
  expect($dashboardNavbar.get()).toBe(true)
  expect(popover.togglePopover).not.toHaveBeenCalled()
  end()
  hideAll()
})

/** A minimal popover element: opens, closes and fires `toggle`. */
function standIn() {
  const target = new EventTarget()
  const popover = Object.assign(target, {
    isOpen: false,
    toggle(isOpen: boolean) {
      popover.isOpen = isOpen
      target.dispatchEvent(Object.assign(new Event('toggle'), { newState: isOpen ? 'open' : 'closed' }))
    },
    matches: () => popover.isOpen,
    togglePopover: vi.fn((isOpen: boolean) => popover.toggle(isOpen)),
  })
  return popover as typeof popover & HTMLElement
}
