import type { StrategyDetail } from '../../../contract/investing/strategies.ts'
import { get, LOST_WORDS } from '../../../layouts/publicApi.ts'
import { factsOf } from './liveFacts.ts'
import { onPress } from './press.ts'

/** The record since the start, as it stands now; all of it is fetched and computed again once somebody asks for that. */
export class StrategyRecord extends HTMLElement {
  connectedCallback(): void {
    void this.#load()
    onPress(this)
  }

  async #load() {
    const answer = await get<StrategyDetail>(`/strategies/${this.dataset.slug ?? ''}`)
    if (answer.state !== 'answered') {
      const [line] = this.querySelectorAll('.wrong')
      if (line) line.textContent = answer.state === 'lost' ? LOST_WORDS : answer.msg
      return
    }
    const facts = factsOf(answer.body)
    for (const [name, text] of Object.entries(facts)) {
      const place = this.querySelector(`[data-fact="${name}"]`)
      if (place) place.textContent = text
    }
    if (answer.body.status !== 'active') sayFirst(`${facts.status} Since ${facts.since}.`)
  }
}

/** What ends a strategy is said under its name, too, and not only far down. */
function sayFirst(text: string): void {
  const line = document.createElement('p')
  line.className = 'loses loss'
  line.textContent = text
  document.querySelector('.lead')?.insertAdjacentElement('afterend', line)
}
