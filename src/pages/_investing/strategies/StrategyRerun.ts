import type { RerunDone, RerunMessage, RerunRequest } from './rerun.worker.ts'
import workerUrl from './rerun.worker.ts?worker&url'

/** Runs a strategy’s backtest in the visitor’s browser, with its own or with changed parameters. */
export class StrategyRerun extends HTMLElement {
  #worker: Worker | null = null
  /** Runs with changed parameters on this page. */
  #tries = 0

  connectedCallback(): void {
    const form = this.#part('form')
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (this.#worker !== null) return
      // Hide the result of the previous run.
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
    const worker = new Worker(createTrustedUrl(), { type: 'module' })
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<RerunMessage>) => this.#receive(data))
    worker.addEventListener('error', () => this.#fail('It could not be started. Please load the page again.'))
    this.#show(true)
    worker.postMessage(this.#requestFor(isChanged))
  }

  #requestFor(isChanged: boolean): RerunRequest {
    const request: Omit<RerunRequest, 'candles' | 'isChanged'> = JSON.parse(this.dataset.request ?? '')
    const values = Object.fromEntries(this.#inputs().map(({ name, value }) => [name, Number(value)]))
    return {
      ...request,
      definition: { ...request.definition, values },
      candles: [...this.querySelectorAll<HTMLElement>('.files li')].map(({ dataset }) => ({
        asset: dataset.asset ?? '',
        path: dataset.path ?? '',
        sha256: dataset.sha256 ?? '',
      })),
      isChanged,
    }
  }

  #receive(message: RerunMessage) {
    if (message.state === 'loading') return this.#say(`Loading prices: ${message.done + 1} of ${message.of}`)
    if (message.state === 'computing') return this.#progress(message.share)
    this.#stop()
    if (message.state === 'failed') {
      return this.#say(
        message.why === 'prices'
          ? `A price file has changed since this page was built, so the backtest cannot use it. ${message.says}`
          : message.why === 'unavailable'
            ? 'The prices or figures could not be loaded. Please check your connection and try again.'
            : `It could not be computed: ${message.says}. Please write to support.`,
      )
    }
    void this.#showOutcome(message)
  }

  async #showOutcome(done: RerunDone) {
    try {
      const { showOutcome } = await import('./rerunOutcome.ts')
      showOutcome(this.#part('.outcome'), done, this.#tries)
      this.#say('')
    } catch {
      this.#say('The result could not be shown. Please load the page again.')
    }
  }

  #progress(share: number) {
    const tenths = Math.floor(share * 10) * 10
    const bar = this.querySelector('progress')
    if (bar) bar.value = share
    // In steps of ten, so that a screen reader keeps up.
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

  #isValid(): boolean {
    const wrong = this.#inputs().filter((input) => {
      input.setAttribute('aria-invalid', String(!input.validity.valid))
      return !input.validity.valid
    })
    wrong[0]?.focus()
    this.#say(wrong.length > 0 ? 'Please choose each parameter from its range, in the given steps.' : '')
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

interface Policy {
  createScriptURL(url: string): string
}

let policy: Policy | null = null

/** The Web Worker's URL, as a trusted URL if the browser has Trusted Types. The policy allows no other URL. */
function createTrustedUrl(): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } })
    .trustedTypes
  if (factory === undefined) return workerUrl
  policy ??= factory.createPolicy('strategy-worker', {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError('This code may not be fetched.')
      return url
    },
  })
  return policy.createScriptURL(workerUrl)
}
