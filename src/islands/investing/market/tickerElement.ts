import type { MarketCoin } from '../../../contract/investing/market.ts'
import { changeWord, formatChange, formatPrice } from '../../../contract/money.ts'
import { ageWords, sourceWords } from '../../lib/priceWords.ts'
import { coins } from './lists.ts'
import { showProviderTape } from './providerTape.ts'

const SHOWN = 15

/** Set in this tab while the provider's tape is chosen. */
const TICKER_KEY = 'ticker'

/** The tape of prices in the top bar. No framework: it is on every page. */
class MarketTicker extends HTMLElement {
  connectedCallback() {
    this.showOurs()
    const pause = this.querySelector('[aria-pressed]')
    pause?.addEventListener('click', () => {
      pause.ariaPressed = String(this.toggleAttribute('paused'))
    })
    this.offerTheirs()
  }

  private showOurs() {
    let timer: ReturnType<typeof setInterval> | undefined
    coins.$list.subscribe((list) => {
      const row = this.querySelector('ul')
      if (row === null) return
      clearInterval(timer)
      if (list.state === 'failed') this.say('about', 'No prices right now')
      if (list.state !== 'ready') return
      const source = sourceWords(list.source)
      const tell = () => {
        const age = ageWords(list.source, list.seenAtMs, Date.now())
        this.say('about', source + (age && `, ${age}`))
      }
      tell()
      timer = setInterval(tell, 30_000)
      // On narrow screens the tape itself names the source.
      const items = [part('li', source, 'source'), ...list.rows.slice(0, SHOWN).map(itemOf)]
      // A visual copy makes the tape endless.
      const again = items.map((item) => {
        const copy = item.cloneNode(true) as HTMLElement
        copy.ariaHidden = 'true'
        return copy
      })
      row.replaceChildren(...items, ...again)
    })
  }

  private offerTheirs() {
    const choice = this.querySelector('input')
    if (choice === null) return
    let takeAway = () => {}
    const follow = () => {
      takeAway()
      if (choice.checked) takeAway = showProviderTape(this, (words) => this.say('said', words))
    }
    choice.checked = remembered()
    choice.addEventListener('change', () => {
      remember(choice.checked)
      follow()
    })
    follow()
  }

  private say(where: string, words: string) {
    for (const place of this.querySelectorAll(`[data-${where}]`)) place.textContent = words
  }
}

function itemOf({ symbol, current_price, price_change_percentage_24h: change }: MarketCoin): HTMLElement {
  const item = document.createElement('li')
  const word = changeWord(change ?? 0)
  item.replaceChildren(
    part('b', symbol.toUpperCase()),
    ` ${formatPrice(current_price)} `,
    ...(change === null
      ? []
      : [part('span', `${word} `, 'visually-hidden'), part('span', formatChange(change), word)]),
  )
  return item
}

function part(tag: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  element.className = className
  return element
}

function remembered(): boolean {
  try {
    return sessionStorage.getItem(TICKER_KEY) !== null
  } catch {
    return false
  }
}

function remember(isWanted: boolean): void {
  try {
    if (isWanted) sessionStorage.setItem(TICKER_KEY, 'tradingview')
    else sessionStorage.removeItem(TICKER_KEY)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

customElements.define('market-ticker', MarketTicker)
