import { $connection } from '../../lib/connection.ts'

/** The provider's host for embedding. The dashboard's content security policy allows only its frames. */
const HOST = 'https://www.tradingview-widget.com'

/** A slow connection needs ten seconds. */
const LOAD_TIMEOUT_MS = 30_000

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'BNB', 'DOGE', 'ADA', 'TRX']

/**
 * Replaces our ticker with the charting provider's own, in a sandboxed frame without referrer and, if the browser supports
 * it, without cookies. While the provider is unreachable, our ticker shows and `showStatus` receives a message. Returns a
 * function that removes the frame.
 *
 * The page cannot detect whether a frame loaded, so this waits for the message that the provider's frame sends when drawn.
 */
export function showProviderTape(ticker: HTMLElement, showStatus: (text: string) => void): () => void {
  let frame: HTMLIFrameElement | null = null
  let isFailed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const setLoaded = (isLoaded: boolean) => {
    clearTimeout(timer)
    isFailed = !isLoaded
    ticker.toggleAttribute('provider', isLoaded)
    showStatus(isLoaded ? '' : NO_ANSWER)
  }
  const load = () => {
    frame?.remove()
    frame = newFrame()
    ticker.insertBefore(frame, ticker.firstChild)
    setLoaded(true)
    timer = setTimeout(() => setLoaded(false), LOAD_TIMEOUT_MS)
  }
  const onMessage = ({ source }: MessageEvent) => {
    if (source === frame?.contentWindow && $connection.get() === 'on') setLoaded(true)
  }
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'frame-src') setLoaded(false)
  }
  addEventListener('message', onMessage)
  document.addEventListener('securitypolicyviolation', onViolation)
  const stop = $connection.subscribe((state) => {
    if (state !== 'on') setLoaded(false)
    else if (frame === null || isFailed) load()
  })
  return () => {
    removeEventListener('message', onMessage)
    document.removeEventListener('securitypolicyviolation', onViolation)
    stop()
    setLoaded(false)
    frame?.remove()
    showStatus('')
  }
}

function newFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'TradingView’s tape of prices'
  frame.referrerPolicy = 'no-referrer'
  frame.loading = 'lazy'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox')
  frame.setAttribute('credentialless', '')
  frame.src = buildTapeUrl(isDark())
  return frame
}

const NO_ANSWER = 'TradingView: no answer'

/** The address that TradingView's own embedding script builds: settings as JSON in the hash. */
function buildTapeUrl(dark: boolean): string {
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
