import { $connection, markUnreachable, retryNow } from '../lib/connection.ts'

/** How long it is said that the connection is back, in milliseconds. */
const BACK_MS = 4000

/** Says over the foot of the page that nothing reaches the server, and when it does again. Without a framework: it is on every page. */
class ConnectionNotice extends HTMLElement {
  connectedCallback() {
    const words = this.querySelector('p')
    addEventListener('offline', markUnreachable)
    addEventListener('online', retryNow)
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (state: string) => {
      this.dataset.state = state
      // Set anew rather than shown, so that screen readers speak.
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
