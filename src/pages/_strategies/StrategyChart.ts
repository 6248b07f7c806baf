import { busy } from '../_newsletter/busy.ts'

/** The picture drawn at build time, exchanged for one that can be read day by day once somebody asks for that. */
export class StrategyChart extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector<HTMLButtonElement>('.explore button')
    if (button === null) return
    this.#part('.explore').hidden = false
    button.addEventListener('click', () => void busy(button, () => this.#explore()))
  }

  async #explore() {
    const told = this.#part('.explore [role]')
    try {
      const { exploreChart } = await import('./exploreChart.ts')
      await exploreChart(this)
      this.#part('.explore').hidden = true
      this.querySelector<HTMLInputElement>('input')?.focus()
    } catch {
      told.textContent = 'It could not be loaded. Please try again.'
    }
  }

  #part(selector: string): HTMLElement {
    const part = this.querySelector<HTMLElement>(selector)
    if (part === null) throw new Error(`The chart has no ${selector}.`)
    return part
  }
}
