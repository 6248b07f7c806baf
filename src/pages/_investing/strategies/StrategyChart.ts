import { onClick } from './clickable.ts'

/** A click replaces the picture from the build by an interactive chart. */
export class StrategyChart extends HTMLElement {
  connectedCallback(): void {
    onClick(this, async (line) => {
      const { exploreChart } = await import('./exploreChart.ts')
      await exploreChart(this)
      line.hidden = true
      this.querySelector('input')?.focus()
    })
  }
}
