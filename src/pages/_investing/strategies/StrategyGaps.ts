/** Live minus test, day by day. It loads when it is opened, also by a link to it. */
export class StrategyGaps extends HTMLElement {
  connectedCallback(): void {
    const place = this.querySelector('details')
    place?.addEventListener('toggle', () => {
      if (place.open) void import('./showGaps.ts').then(({ showGaps }) => showGaps(place, this.dataset))
    })
    const openIfLinked = () => {
      if (place && location.hash === `#${this.id}`) place.open = true
    }
    addEventListener('hashchange', openIfLinked)
    openIfLinked()
  }
}
