import { onClick } from './clickable.ts'

/** The picture drawn at build time. A click replaces it by a chart that can be read day by day. */
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
