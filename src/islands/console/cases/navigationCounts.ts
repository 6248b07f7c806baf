import { sum } from '../../../contract/numbers.ts'
import { $pendingCounts, type CountedQueue, countText } from './pendingCounts.ts'

// Shows the number of pending rows beside each queue in the navigation: the sum of the counts in `data-waiting`.
const places = [...document.querySelectorAll<HTMLElement>('[data-waiting]')]
$pendingCounts.subscribe((counts) => {
  for (const place of places) {
    const names = (place.dataset.waiting ?? '').split(' ') as CountedQueue[]
    const count = counts === null ? 0 : sum(names.map((name) => counts[name]))
    place.hidden = count === 0
    const figure = place.querySelector('b')
    if (figure) figure.textContent = countText(count)
  }
})
