import { $connection, markUnreachable, retryNow } from '../lib/connection.ts'

/** How long "connection restored" is shown, in milliseconds. */
const RESTORED_MS = 4000

/** Says when the server cannot be reached, and when it can again. Without a framework, because every page has it. */
class ConnectionNotice extends HTMLElement {
  connectedCallback() {
    const words = this.querySelector('p')
    addEventListener('offline', markUnreachable)
    addEventListener('online', retryNow)
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (state: string) => {
      this.dataset.state = state
      // Screen readers announce a text when it is set, not when it becomes visible.
      if (words) words.textContent = this.dataset[state] ?? ''
    }
    $connection.listen((state) => {
      clearTimeout(timer)
      show(state)
      if (state === 'on') timer = setTimeout(() => show(''), RESTORED_MS)
    })
  }
}

customElements.define('connection-notice', ConnectionNotice)
