import { $waiting, type Counted, countText } from './waiting.ts'

/** Writes beside each queue in the navigation how many wait there: the sum of what its `data-waiting` names. */
const places = [...document.querySelectorAll<HTMLElement>('[data-waiting]')]
$waiting.subscribe((counts) => {
  for (const place of places) {
    const names = (place.dataset.waiting ?? '').split(' ') as Counted[]
    const count = counts === null ? 0 : names.reduce((sum, name) => sum + counts[name], 0)
    place.hidden = count === 0
    const figure = place.querySelector('b')
    if (figure) figure.textContent = countText(count)
  }
})
