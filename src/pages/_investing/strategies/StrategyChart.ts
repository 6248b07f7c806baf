import { onPress } from './press.ts'

/** The picture drawn at build time, exchanged for one that can be read day by day once somebody asks for that. */
export class StrategyChart extends HTMLElement {
  connectedCallback(): void {
    onPress(this, (line) => {
      line.hidden = true
      this.querySelector('input')?.focus()
    })
  }
}
