import type { MarketCoin } from '../../contract/market.ts'
import { changeWord, formatChange, formatPrice } from '../../contract/price.ts'
import { coins } from './lists.ts'
import { ageWords, sourceWords } from './words.ts'

const SHOWN = 15

/**
 * The tape of prices in the top bar, without a framework, since it is on every page. It asks for nothing while the screen
 * is too small to show it.
 */
class MarketTicker extends HTMLElement {
  connectedCallback() {
    const wide = matchMedia('(min-width: 60rem)')
    let isListening = false
    let timer: ReturnType<typeof setInterval> | undefined
    const listen = () => {
      if (!wide.matches || isListening) return
      isListening = true
      coins.$list.subscribe((list) => {
        const [row, about] = this.querySelectorAll('ul, small')
        if (row === undefined || about === undefined) return
        clearInterval(timer)
        if (list.state === 'failed') about.textContent = 'No prices right now'
        if (list.state !== 'ready') return
        const tell = () => {
          const age = ageWords(list.source, list.seenAtMs, Date.now())
          about.textContent = sourceWords(list.source) + (age && `, ${age}`)
        }
        tell()
        timer = setInterval(tell, 30_000)
        const items = list.rows.slice(0, SHOWN).map(itemOf)
        // A second round, for eyes alone, so that the tape has no end.
        const again = items.map((item) => {
          const copy = item.cloneNode(true) as HTMLElement
          copy.ariaHidden = 'true'
          return copy
        })
        row.replaceChildren(...items, ...again)
      })
    }
    listen()
    wide.onchange = listen
    const pause = this.querySelector('button')
    pause?.addEventListener('click', () => {
      pause.ariaPressed = String(this.toggleAttribute('paused'))
    })
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

customElements.define('market-ticker', MarketTicker)
