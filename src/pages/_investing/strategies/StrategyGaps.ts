/** Live minus test, day by day. It loads when it comes into sight. */
export class StrategyGaps extends HTMLElement {
  connectedCallback(): void {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      void import('./showGaps.ts').then(({ showGaps }) => showGaps(this))
    })
    seen.observe(this)
  }
}
