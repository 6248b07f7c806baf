import { $connection, markUnreachable, retryNow } from '../lib/connection.ts'

/** How long "connection restored" is shown, in milliseconds. */
const BACK_MS = 4000

/** Shows that the server cannot be reached, and when it can again. No framework: it is on every page. */
class ConnectionNotice extends HTMLElement {
  connectedCallback() {
    const words = this.querySelector('p')
    addEventListener('offline', markUnreachable)
    addEventListener('online', retryNow)
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (state: string) => {
      this.dataset.state = state
      // Screen readers announce a text that is set, not one that is shown.
      if (words) words.textContent = this.dataset[state] ?? ''
    }
    $connection.listen((state) => {
      clearTimeout(timer)
      say(state)
      if (state === 'on') timer = setTimeout(() => say(''), BACK_MS)
    })
  }
}

customElements.define('connection-notice', ConnectionNotice)
