import { busy } from '../_newsletter/busy.ts'
import { chartUrl, trustedScript } from './trustedScript.ts'

/** The picture drawn at build time, exchanged for one that can be read day by day once somebody asks for that. */
export class StrategyChart extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('.explore button')
    const line = this.querySelector<HTMLElement>('.explore')
    if (line) line.hidden = false
    button?.addEventListener('click', () => void busy(button, () => this.#explore()))
  }

  /** `import()` would bring along what every island needs. The script itself tells how it went. */
  async #explore() {
    const isExplored = await new Promise<boolean>((end) => {
      this.addEventListener('explored', () => end(true), { once: true })
      this.addEventListener('lost', () => end(false), { once: true })
      const script = document.createElement('script')
      script.addEventListener('error', () => end(false))
      script.src = trustedScript(chartUrl)
      document.head.appendChild(script)
    })
    const [told] = this.querySelectorAll('.explore [role]')
    if (told) told.textContent = isExplored ? '' : 'It could not be loaded. Please try again.'
    const line = this.querySelector<HTMLElement>('.explore')
    if (line) line.hidden = isExplored
    if (isExplored) this.querySelector('input')?.focus()
  }
}
