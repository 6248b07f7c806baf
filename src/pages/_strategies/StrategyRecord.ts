import type { StrategyDetail } from '../../contract/strategies.ts'
import { ask, LOST_WORDS } from '../_liabilities/ask.ts'
import { factsOf } from './liveFacts.ts'

/** The record since the start, as it stands now. */
export class StrategyRecord extends HTMLElement {
  connectedCallback(): void {
    void this.#load()
  }

  async #load() {
    const answer = await ask<StrategyDetail>(`/strategies/${this.dataset.slug ?? ''}`)
    if (answer.state !== 'answered') {
      const [line] = this.querySelectorAll('.wrong')
      if (line) line.textContent = answer.state === 'lost' ? LOST_WORDS : answer.msg
      return
    }
    for (const [name, text] of Object.entries(factsOf(answer.body))) {
      const place = this.querySelector(`[data-fact="${name}"]`)
      if (place) place.textContent = text
    }
  }
}
