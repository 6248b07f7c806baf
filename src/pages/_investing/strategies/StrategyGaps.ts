/** Live minus test, day by day. It loads when it is opened. */
export class StrategyGaps extends HTMLElement {
  connectedCallback(): void {
    const place = this.querySelector('details')
    place?.addEventListener('toggle', () => {
      if (place.open) void import('./showGaps.ts').then(({ showGaps }) => showGaps(place, this.dataset.slug))
    })
  }
}
