import type { Definition } from '../../../../engine/definition.ts'
import { showOutcome } from './rerunOutcome.ts'
import type { RerunAsked, RerunTold } from './rerunProtocol.ts'
import { trustedScript, workerUrl } from './trustedScript.ts'

/** Computes a strategy’s figures anew in the visitor’s browser, with its own parameters or with others. */
export class StrategyRerun extends HTMLElement {
  #worker: Worker | null = null
  /** How many sets of parameters were tried on this page besides its own. */
  #tries = 0

  connectedCallback(): void {
    const form = this.#part('form')
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (this.#worker !== null) return
      // What came out before is of other parameters, or of another try.
      this.#part('.outcome').hidden = true
      if (this.#isValid()) this.#run()
    })
    form.querySelector('.reset')?.addEventListener('click', () => {
      for (const input of this.#inputs()) input.value = input.defaultValue
      this.#part('.outcome').hidden = true
      this.#isValid()
    })
    this.#part('.cancel button').addEventListener('click', () => {
      this.#stop()
      this.#say('Cancelled. Nothing was compared.')
      this.querySelector<HTMLElement>('[type=submit]')?.focus()
    })
    addEventListener('pagehide', () => this.#stop())
  }

  disconnectedCallback(): void {
    this.#stop()
  }

  #run() {
    const isChanged = this.#inputs().some(({ value, defaultValue }) => Number(value) !== Number(defaultValue))
    if (isChanged) this.#tries++
    const worker = new Worker(trustedScript(workerUrl), { type: 'module' })
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<RerunTold>) => this.#take(data))
    worker.addEventListener('error', () => this.#fail('It could not be started. Please load the page again.'))
    this.#show(true)
    worker.postMessage(this.#asked(isChanged))
  }

  #asked(isChanged: boolean): RerunAsked {
    const definition = JSON.parse(this.dataset.definition ?? '') as Definition
    const values = Object.fromEntries(this.#inputs().map(({ name, value }) => [name, Number(value)]))
    return {
      definition: { ...definition, values },
      candles: [...this.querySelectorAll<HTMLElement>('.files li')].map(({ dataset }) => ({
        asset: dataset.asset ?? '',
        path: dataset.path ?? '',
        sha256: dataset.sha256 ?? '',
      })),
      published: isChanged ? null : `/strategies/${this.dataset.slug}.json`,
    }
  }

  #take(told: RerunTold) {
    if (told.state === 'loading') return this.#say(`Loading prices: ${told.done + 1} of ${told.of}`)
    if (told.state === 'computing') return this.#progress(told.share)
    this.#stop()
    if (told.state === 'failed') {
      return this.#fail(
        told.why === 'prices'
          ? `A file of prices is not what it was when this page was made, and cannot be computed with. ${told.says}`
          : told.why === 'lost'
            ? 'The prices or figures could not be loaded. Please check your connection and try again.'
            : `It could not be computed: ${told.says}. Please write to support.`,
      )
    }
    showOutcome(this.#part('.outcome'), told, this.#tries)
    this.#say('')
  }

  #progress(share: number) {
    const tenths = Math.floor(share * 10) * 10
    const bar = this.querySelector('progress')
    if (bar) bar.value = share
    // Not each hundredth, so that a screen reader keeps up.
    const words = `Computing: ${tenths}%`
    if (this.#part('.says').textContent !== words) this.#say(words)
  }

  #fail(words: string) {
    this.#stop()
    this.#say(words)
  }

  #stop() {
    this.#worker?.terminate()
    this.#worker = null
    this.#show(false)
  }

  #show(isRunning: boolean) {
    this.#part('progress').hidden = !isRunning
    this.#part('.cancel').hidden = !isRunning
    const bar = this.querySelector('progress')
    if (bar) bar.value = 0
    this.querySelector('[type=submit]')?.setAttribute('aria-disabled', String(isRunning))
  }

  /** Marks what is out of its range, and leads to the first. */
  #isValid(): boolean {
    const wrong = this.#inputs().filter((input) => {
      input.setAttribute('aria-invalid', String(!input.validity.valid))
      return !input.validity.valid
    })
    wrong[0]?.focus()
    this.#say(wrong.length > 0 ? 'Please choose each parameter from its range, in its steps.' : '')
    return wrong.length === 0
  }

  #inputs(): HTMLInputElement[] {
    return [...this.querySelectorAll<HTMLInputElement>('form input')]
  }

  #say(words: string) {
    this.#part('.says').textContent = words
  }

  #part(selector: string): HTMLElement {
    const part = this.querySelector<HTMLElement>(selector)
    if (part === null) throw new Error(`The form has no ${selector}.`)
    return part
  }
}
