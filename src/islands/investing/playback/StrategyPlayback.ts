import type { Playback } from '../../../../engine/backtest/playback.ts'
import { formatDateTime } from '../../../contract/dates.ts'
import { formatUsd } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { DAY_MS } from '../../../time.ts'
import { drawPath, findRange } from './playbackShape.ts'

/** A published playback, with the names of its assets. */
interface PublishedPlayback extends Playback {
  readonly assets: readonly string[]
}

/** How long a day lasts, in milliseconds. */
const DAY_PLAYED_MS = 200
/** The newest fills that stay in sight. */
const MOST_FILLS = 6

/**
 * Plays one account through a published playback: value, what holding made of it, orders and fills. `data-source` is the file, `data-amount`
 * the USD that it begins with. It starts by itself unless the visitor wants less motion, and can be paused at any time.
 */
export class StrategyPlayback extends HTMLElement {
  #playback: PublishedPlayback | null = null
  #day = 0
  #timer = 0

  connectedCallback(): void {
    void this.#load()
  }

  disconnectedCallback(): void {
    this.#pause()
  }

  /** Plays another file from its first day on. */
  play(source: string): void {
    this.dataset.source = source
    void this.#load()
  }

  async #load(): Promise<void> {
    const { source = '' } = this.dataset
    this.#pause()
    this.#playback = null
    this.#day = 0
    try {
      const answer = await fetch(source)
      if (!answer.ok) throw new Error(`${answer.status}`)
      const playback = (await answer.json()) as PublishedPlayback
      // Meanwhile another file may have been chosen, or the page left.
      if (source !== this.dataset.source || !this.isConnected) return
      this.#playback = playback
    } catch {
      this.#say('The days could not be loaded. Please load the page again.')
      return
    }
    this.#build()
    this.#show(0)
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.#start()
  }

  #build(): void {
    const slider = createPart('input', 'days')
    const { equity = [] } = this.#playback ?? {}
    Object.assign(slider, { type: 'range', min: '0', max: String(equity.length - 1), ariaLabel: 'Day' })
    slider.addEventListener('input', () => {
      this.#show(slider.valueAsNumber)
      this.#pause()
    })
    const button = createPart('button', 'toggle')
    button.type = 'button'
    button.addEventListener('click', () => (this.#timer === 0 ? this.#start() : this.#pause()))
    const controls = createPart('div', 'controls')
    controls.replaceChildren(button, slider)
    const chart = document.createElementNS(SVG, 'svg')
    for (const [name, value] of CHART) chart.setAttribute(name, value)
    const lines = LINES.map((line) => {
      const path = document.createElementNS(SVG, 'path')
      path.setAttribute('class', line)
      return path
    })
    chart.replaceChildren(...lines)
    const fills = createPart('ol', 'fills')
    fills.dataset.plain = ''
    fills.ariaLabel = 'Newest orders and fills'
    this.replaceChildren(createPart('p', 'read'), createPart('p', 'beside'), chart, controls, fills)
    this.#nameButton()
  }

  #start(): void {
    const { equity = [] } = this.#playback ?? {}
    if (this.#day >= equity.length - 1) this.#day = 0
    this.#timer = window.setInterval(() => {
      if (document.hidden) return
      this.#show(this.#day + 1)
      if (this.#day >= equity.length - 1) this.#pause()
    }, DAY_PLAYED_MS)
    this.#nameButton()
  }

  #pause(): void {
    clearInterval(this.#timer)
    this.#timer = 0
    this.#nameButton()
  }

  #nameButton(): void {
    const button = this.querySelector<HTMLButtonElement>('.toggle')
    const end = (this.#playback?.equity.length ?? 0) - 1
    if (button) button.textContent = this.#timer !== 0 ? 'Pause' : this.#day >= end ? 'Play again' : 'Play'
  }

  #show(day: number): void {
    const playback = this.#playback
    if (playback === null) return
    this.#day = Math.min(day, playback.equity.length - 1)
    const { equity, held } = playback
    const amount = Number(this.dataset.amount) || playback.startingCash
    const scale = amount / playback.startingCash
    const range = findRange([equity, held], this.#day, playback.startingCash)
    this.#draw('start', drawPath([playback.startingCash, playback.startingCash], 1, range))
    this.#draw('held', drawPath(held.slice(0, this.#day + 1), equity.length - 1, range))
    this.#draw('worth', drawPath(equity.slice(0, this.#day + 1), equity.length - 1, range))
    const worth = (equity[this.#day] ?? 0) * scale
    this.#say(`${this.#dayName(this.#day)}: ${formatUsd(amount)} became ${formatUsd(worth)}`)
    this.#write(
      '.beside',
      `Day ${this.#day + 1} of ${equity.length}. Held instead: ${formatUsd((held[this.#day] ?? 0) * scale)}.`,
    )
    this.#listFills(scale)
    const slider = this.querySelector<HTMLInputElement>('.days')
    if (slider) {
      slider.valueAsNumber = this.#day
      slider.ariaValueText = this.querySelector('.read')?.textContent ?? ''
    }
  }

  #listFills(scale: number): void {
    const { fills = [], assets = [] } = this.#playback ?? {}
    const shown = fills
      .filter(({ day }) => day <= this.#day)
      .slice(-MOST_FILLS)
      .toReversed()
    const rows = shown.map(({ day, asset, side, quantity, price, fee, reason }) => {
      const row = document.createElement('li')
      const when =
        reason === 'target'
          ? `Ordered at the close of ${this.#dayName(day - 1)}, filled at the open of ${this.#dayName(day)}`
          : `${reason === 'take-profit' ? 'Profit target' : 'Stop'} on ${this.#dayName(day)}`
      const what = `${side === 'buy' ? 'bought' : 'sold'} ${formatNumber(quantity * scale, 6)} ${assets[asset] ?? ''}`
      row.textContent = `${when}: ${what} at ${formatUsd(price)}, fee ${formatUsd(fee * scale)}`
      return row
    })
    this.querySelector('.fills')?.replaceChildren(...rows)
  }

  #dayName(day: number): string {
    const first = Date.parse(`${this.#playback?.firstDay ?? ''}T00:00:00Z`)
    return formatDateTime(first + day * DAY_MS, 'date', 'UTC')
  }

  #draw(line: string, path: string): void {
    this.querySelector(`path.${line}`)?.setAttribute('d', path)
  }

  #say(words: string): void {
    if (this.querySelector('.read') === null) this.replaceChildren(createPart('p', 'read'))
    this.#write('.read', words)
  }

  #write(selector: string, words: string): void {
    const part = this.querySelector(selector)
    if (part) part.textContent = words
  }
}

const SVG = 'http://www.w3.org/2000/svg'
const LINES = ['start', 'held', 'worth'] as const
const CHART = [
  ['viewBox', '0 0 1000 300'],
  ['preserveAspectRatio', 'none'],
  ['role', 'img'],
  ['aria-label', 'The value of the account so far, and of holding the same assets'],
] as const

function createPart<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string) {
  const part = document.createElement(name)
  part.className = className
  return part
}

/** Defines the element once, however many screens use it. */
export function definePlayback(): void {
  if (customElements.get('strategy-playback') === undefined)
    customElements.define('strategy-playback', StrategyPlayback)
}
