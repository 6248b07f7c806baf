import { $connection } from '../../lib/connection.ts'

/** The charting provider's pages for embedding. The dashboard's policy allows frames of this host alone. */
const HOST = 'https://www.tradingview-widget.com'

/** How long the frame may take to load, in milliseconds. A slow line needs ten seconds. */
const PATIENCE_MS = 30_000

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'BNB', 'DOGE', 'ADA', 'TRX']

/**
 * Shows the charting provider's own tape in place of ours, in a frame that may do nothing to the page around it, is told no
 * referrer and, where the browser can, neither gets nor keeps cookies. While it can't be reached, ours stands there, and
 * `tell` is given the sentence that says so. Answers what takes it away.
 *
 * A frame that did not load looks to the page like one that did; theirs sends a message once it is drawn.
 */
export function showProviderTape(ticker: HTMLElement, tell: (words: string) => void): () => void {
  let frame: HTMLIFrameElement | null = null
  let isSilent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = (isThere: boolean) => {
    clearTimeout(timer)
    isSilent = !isThere
    ticker.toggleAttribute('provider', isThere)
    tell(isThere ? '' : NOT_THERE)
  }
  const load = () => {
    frame?.remove()
    frame = newFrame()
    ticker.insertBefore(frame, ticker.firstChild)
    settle(true)
    timer = setTimeout(() => settle(false), PATIENCE_MS)
  }
  const hear = ({ source }: MessageEvent) => {
    if (source === frame?.contentWindow && $connection.get() === 'on') settle(true)
  }
  const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'frame-src') settle(false)
  }
  addEventListener('message', hear)
  document.addEventListener('securitypolicyviolation', refused)
  const stop = $connection.subscribe((state) => {
    if (state !== 'on') settle(false)
    else if (frame === null || isSilent) load()
  })
  return () => {
    removeEventListener('message', hear)
    document.removeEventListener('securitypolicyviolation', refused)
    stop()
    settle(false)
    frame?.remove()
    tell('')
  }
}

function newFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'TradingView’s tape of prices'
  frame.referrerPolicy = 'no-referrer'
  frame.loading = 'lazy'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox')
  frame.setAttribute('credentialless', '')
  frame.src = addressOf(isDark())
  return frame
}

const NOT_THERE = 'TradingView: no answer'

/** The same address as TradingView's own embedding script builds: settings as JSON in the hash. */
function addressOf(dark: boolean): string {
  const settings = {
    symbols: SYMBOLS.map((symbol) => ({ proName: `BITSTAMP:${symbol}USD`, title: symbol })),
    showSymbolLogo: false,
    isTransparent: true,
    displayMode: 'compact',
    colorTheme: dark ? 'dark' : 'light',
    width: '100%',
    height: 46,
  }
  return `${HOST}/embed-widget/ticker-tape/?locale=en#${encodeURIComponent(JSON.stringify(settings))}`
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
