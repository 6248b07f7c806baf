import type { MarketCoin } from '../../../contract/investing/market.ts'
import { describeChange, formatChange, formatPrice } from '../../../contract/money.ts'
import { describePriceAge, describePriceSource } from '../../lib/priceWords.ts'
import { coins } from './lists.ts'
import { showProviderTape } from './providerTape.ts'

const SHOWN = 15

/** Set in sessionStorage while the provider's ticker is chosen. */
const TICKER_KEY = 'ticker'

/** The price ticker in the top bar. It uses no framework, because it is on every page. */
class MarketTicker extends HTMLElement {
  connectedCallback() {
    this.showPrices()
    const pause = this.querySelector('[aria-pressed]')
    pause?.addEventListener('click', () => {
      pause.ariaPressed = String(this.toggleAttribute('paused'))
    })
    this.offerProvider()
  }

  private showPrices() {
    let timer: ReturnType<typeof setInterval> | undefined
    coins.$list.subscribe((list) => {
      const row = this.querySelector('ul')
      if (row === null) return
      clearInterval(timer)
      if (list.state === 'failed') this.setText('about', 'No prices right now')
      if (list.state !== 'ready') return
      const source = describePriceSource(list.source)
      const showAge = () => {
        const age = describePriceAge(list.source, list.seenAtMs, Date.now())
        this.setText('about', source + (age && `, ${age}`))
      }
      showAge()
      timer = setInterval(showAge, 30_000)
      // On narrow screens, the ticker itself names the source.
      const items = [createPart('li', source, 'source'), ...list.rows.slice(0, SHOWN).map(renderTickerItem)]
      // A visual copy makes the scrolling endless.
      const copies = items.map((item) => Object.assign(item.cloneNode(true), { ariaHidden: 'true' }))
      row.replaceChildren(...items, ...copies)
    })
  }

  private offerProvider() {
    const choice = this.querySelector('input')
    if (choice === null) return
    let removeTape = () => {}
    const update = () => {
      removeTape()
      if (choice.checked) removeTape = showProviderTape(this, (text) => this.setText('status', text))
    }
    choice.checked = isProviderChosen()
    choice.addEventListener('change', () => {
      saveChoice(choice.checked)
      update()
    })
    update()
  }

  private setText(name: string, text: string) {
    for (const place of this.querySelectorAll(`[data-${name}]`)) place.textContent = text
  }
}

function renderTickerItem({
  symbol,
  current_price,
  price_change_percentage_24h: change,
}: MarketCoin): HTMLElement {
  const item = document.createElement('li')
  const word = describeChange(change ?? 0)
  item.replaceChildren(
    createPart('b', symbol.toUpperCase()),
    ` ${formatPrice(current_price)} `,
    ...(change === null
      ? []
      : [createPart('span', `${word} `, 'visually-hidden'), createPart('span', formatChange(change), word)]),
  )
  return item
}

function createPart(tag: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  element.className = className
  return element
}

function isProviderChosen(): boolean {
  try {
    return sessionStorage.getItem(TICKER_KEY) !== null
  } catch {
    return false
  }
}

function saveChoice(isWanted: boolean): void {
  try {
    if (isWanted) sessionStorage.setItem(TICKER_KEY, 'tradingview')
    else sessionStorage.removeItem(TICKER_KEY)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

customElements.define('market-ticker', MarketTicker)
