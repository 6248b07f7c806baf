// When the dashboard's screens are usable on a mid-range phone: a processor four times slower than this machine's, and Lighthouse's
// mobile network (1.6 Mbit/s, 150 ms per round trip). `node test/bench/dashboard.mjs [--runs 3] [--slower 4] [--only overview] [--http2]`:
// with `--http2` the browser loads everything over one connection, as in production. Otherwise HTTP/1.1 fetches six files at a time.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createSecureServer } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as browserType } from '@playwright/test'
import { findFreePort } from '../../scripts/ports.mjs'
import { chromium } from '../commands/chromium.mjs'
import { withOwnServer } from '../commands/own-server.mjs'

const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const PASSWORD = 'correct-horse-battery-staple'
/** Headers that HTTP/2 does not allow. */
const ONLY_HTTP1 = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** The element that makes each screen useful, and a text of it. */
const SCREENS = {
  overview: ['main dl dd', '$'],
  deposit: ['main label:has(input[type="radio"])', ''],
  withdrawal: ['main label:has(input[type="radio"])', ''],
  'transaction-history': ['main table button', ''],
  profile: ['button', 'Change Full Name'],
  kyc: ['main section, main form', ''],
  'trading-plans': ['main a', 'Invest Now'],
  'referral-program': ['button', 'Copy'],
  statement: ['main table', ''],
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    /** How many times slower than this machine's processor. */
    slower: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    http2: { type: 'boolean', default: false },
  },
})

await withOwnServer(
  async (address) => {
    const session = await signIn(address)
    const front = values.http2 ? await overHttp2(address) : { origin: address, close: () => {} }
    const browser = await browserType.launch({ executablePath: chromium(), args: ['--no-sandbox'] })
    /** @type {Record<string, Record<string, number>>} */
    const rows = {}
    try {
      for (const [name, ready] of Object.entries(SCREENS)) {
        if (!name.includes(values.only)) continue
        const results = []
        for (let run = 0; run < Number(values.runs); run++)
          results.push(await measure(browser, `${front.origin}/dashboard/${name}`, ready, session))
        const middle = results.toSorted((one, other) => one['answers ms'] - other['answers ms'])[
          results.length >> 1
        ]
        if (middle) rows[name] = middle
        console.log(name, middle)
      }
    } finally {
      await browser.close()
      front.close()
    }
    console.table(rows)
  },
  { RATE_LIMITS: 'off' },
)

/**
 * A proxy that speaks HTTP/2, with a certificate of its own from the program openssl.
 *
 * @param {string} address
 */
async function overHttp2(address) {
  const directory = mkdtempSync(join(tmpdir(), 'platform-http2-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes']
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-keyout',
    key,
    '-out',
    cert,
    ...subject,
  ])
  if (made.status !== 0) throw new Error('openssl made no certificate.')
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (received, answer) => {
      const headers = Object.fromEntries(
        Object.entries(received.headers).filter(([name]) => !name.startsWith(':')),
      )
      const passed = request(
        new URL(received.url, address),
        { method: received.method, headers },
        (response) => {
          const kept = Object.entries(response.headers).filter(([name]) => !ONLY_HTTP1.has(name))
          answer.writeHead(response.statusCode ?? 502, Object.fromEntries(kept))
          response.pipe(answer)
        },
      )
      received.pipe(passed)
    },
  )
  rmSync(directory, { recursive: true })
  const port = await findFreePort()
  await new Promise((resolve) => server.listen(port, () => resolve(undefined)))
  return { origin: `https://localhost:${port}`, close: () => void server.close() }
}

/** @param {string} address @returns {Promise<string>} the session as the browser stores it */
async function signIn(address) {
  const answer = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'investor@example.com', password: PASSWORD }),
  })
  return answer.text()
}

/**
 * Loads a page with an empty cache. `shown` is when the screen shows its main content, which a built page may hold before its scripts
 * run, `interactive` when all islands are hydrated, and `answers` when both are true.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {string[]} ready
 * @param {string} session
 */
async function measure(browser, url, ready, session) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    ignoreHTTPSErrors: true,
  })
  try {
    await context.addInitScript((kept) => localStorage.setItem('user-info', kept), session)
    await context.addInitScript(watchPage, ready)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slower) })
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => Reflect.get(globalThis, 'seen').answers > 0)
    const seen = await page.evaluate(() => Reflect.get(globalThis, 'seen'))
    return {
      'largest paint ms': Math.round(seen.largestPaint),
      'shown ms': Math.round(seen.shown),
      'interactive ms': Math.round(seen.interactive),
      'answers ms': Math.round(seen.answers),
      'blocked ms': Math.round(seen.blocked),
    }
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page, so that the driver's own work is not measured. `blocked` sums the part of each task above 50 ms, as Lighthouse
 * does.
 *
 * @param {string[]} ready
 */
function watchPage([selector = '', text = '']) {
  const seen = { largestPaint: 0, blocked: 0, shown: 0, interactive: 0, answers: 0 }
  Reflect.set(globalThis, 'seen', seen)
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.largestPaint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
  const isInteractive = () =>
    document.readyState !== 'loading' &&
    document.querySelector('astro-island') !== null &&
    document.querySelector('astro-island[ssr]') === null
  const isReady = (/** @type {Element} */ element) =>
    element.checkVisibility() && element.textContent.includes(text)
  const look = () => {
    if (seen.interactive === 0 && isInteractive()) seen.interactive = performance.now()
    const isShown = [...document.querySelectorAll(selector)].some(isReady)
    if (seen.shown === 0 && isShown) requestAnimationFrame(() => (seen.shown ||= performance.now()))
    if (seen.interactive > 0 && isShown) seen.answers = performance.now()
    else setTimeout(look, 10)
  }
  look()
}
