import { $pendingCounts, type Counted, countText } from './pendingCounts.ts'

// The navigation shows beside each queue how many rows are pending: the sum of the counts that `data-waiting` names.
const places = [...document.querySelectorAll<HTMLElement>('[data-waiting]')]
$pendingCounts.subscribe((counts) => {
  for (const place of places) {
    const names = (place.dataset.waiting ?? '').split(' ') as Counted[]
    const count = counts === null ? 0 : names.reduce((sum, name) => sum + counts[name], 0)
    place.hidden = count === 0
    const figure = place.querySelector('b')
    if (figure) figure.textContent = countText(count)
  }
})
