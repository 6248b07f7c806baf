import { formatUsd } from '../../contract/money.ts'

// Shows the figures of the calls that were sent early where the page waits for them (`early` of `Skeleton`), before its islands start.

/** Longer amounts are left to the island, because the overview's value then needs a smaller font. */
const MOST_CHARACTERS = 12

// The islands read the answers themselves, so this reads copies.
for (const answer of Object.values(window.earlyAnswers?.answers ?? {}))
  answer?.then((response) => showFigures(response.clone())).catch(() => {})

async function showFigures(response: Response): Promise<void> {
  const places = document.querySelectorAll<HTMLElement>('[data-early]')
  if (places.length === 0 || !response.ok || document.documentElement.dataset.amounts === 'hidden') return
  const body: unknown = await response.json()
  for (const place of places) {
    const [, plus = '', field = ''] = /^(\+?)(.*)/.exec(place.dataset.early ?? '') ?? []
    const usd: unknown = Reflect.get(Object(body), field)
    if (typeof usd !== 'number') continue
    const text = `${usd > 0 ? plus : ''}${formatUsd(usd)}`
    if (text.length <= MOST_CHARACTERS) place.textContent = text
  }
}
