import { brotliCompressSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { origin } from './http.ts'
import { type BuiltPage, MISSING } from './pages.ts'
import { expect } from './test.ts'

const KB = 1024
/** Public pages with a form that needs a script: that one comes on top of what every page may weigh. */
const FORMS: Record<string, { islands: number; scripts: number }> = {
  '/contact-us': { islands: 1, scripts: 90 * KB },
}

/** What the ticker of every signed-in page asks for. */
const TICKER = 'GET /market/coins'

/** Most kilobytes of JavaScript, as brotli packs it, before anybody has pressed anything. */
const SCRIPTS = { auth: 90, dashboard: 110, operator: 130 }
/** Most requests for scripts and for style sheets of a page of the dashboard. */
const FILES = { scripts: 55, sheets: 22 }

interface FirstView {
  /** Most kilobytes of JavaScript, where it is more than for other pages. */
  scripts?: number
  /** The calls it makes, each once, besides the ticker's. */
  calls: readonly string[]
  /** Most requests for documents, fonts, pictures and the rest. Default 6. */
  others?: number
}

/** What a page of the dashboard asks for before anybody has pressed anything. */
const FIRST_VIEWS: Readonly<Record<string, FirstView>> = {
  '/dashboard/deposit': { calls: ['GET /admin-wallets', 'GET /limits'] },
  '/dashboard/kyc': { calls: ['GET /decision-times', 'GET /kyc'] },
  '/dashboard/overview': {
    calls: ['GET /allocations', 'GET /market/trending', 'GET /users/user-info', 'GET /users/value-history'],
    others: 80,
  },
  '/dashboard/profile': { scripts: 116, calls: ['GET /users/email', 'GET /users/user-info'] },
  '/dashboard/profile#security': {
    scripts: 118,
    calls: [
      'GET /auth/two-factor',
      'GET /users/activity',
      'GET /users/email',
      'GET /users/passkeys',
      'GET /users/preferences',
      'GET /users/sessions',
      'GET /users/user-info',
    ],
  },
  '/dashboard/profile#notifications': {
    scripts: 118,
    calls: ['GET /users/email', 'GET /users/preferences', 'GET /users/user-info'],
  },
  '/dashboard/referral-program': { calls: ['GET /users/referral-terms', 'GET /users/referrals'] },
  '/dashboard/statement': { calls: ['GET /statements'] },
  '/dashboard/strategies': { scripts: 124, calls: ['GET /allocations', 'GET /strategies'] },
  '/dashboard/trading-plans': { calls: ['GET /strategies'] },
  '/dashboard/transaction-history': { calls: ['GET /transaction-history'] },
  '/dashboard/withdrawal': { scripts: 112, calls: ['GET /admin-wallets', 'GET /limits'] },
}

/** Holds the first view of a page to what it may weigh and ask for, and its links to lead somewhere. `loaded` is all it got. */
export async function expectWithinBudget(
  page: Page,
  { path, area }: BuiltPage,
  loaded: readonly Response[],
): Promise<void> {
  const { scripts, markup, all, elsewhere } = await weigh(loaded, area)
  expect.soft(elsewhere, 'requests to other hosts').toEqual([])
  if (area === 'public') {
    const form = FORMS[path] ?? { islands: 0, scripts: 0 }
    expect.soft(await page.locator('astro-island').count(), 'islands').toBe(form.islands)
    expect.soft(scripts, 'scripts').toBeLessThanOrEqual(6 * KB + form.scripts)
    expect.soft(await inlineScripts(page), 'inline scripts').toBeLessThanOrEqual(2 * KB)
    expect.soft(markup, 'HTML and CSS').toBeLessThanOrEqual(14 * KB)
    expect.soft(all, 'everything on first view').toBeLessThanOrEqual(100 * KB + form.scripts)
  } else {
    const firstView = FIRST_VIEWS[path]
    expect.soft(scripts, 'scripts').toBeLessThanOrEqual((firstView?.scripts ?? SCRIPTS[area]) * KB)
    if (firstView) {
      const asked = requestsOf(loaded)
      expect.soft(asked.calls, 'calls of the API').toEqual([...firstView.calls, TICKER].sort())
      expect.soft(asked.scripts, 'requests for scripts').toBeLessThanOrEqual(FILES.scripts)
      expect.soft(asked.sheets, 'requests for style sheets').toBeLessThanOrEqual(FILES.sheets)
      expect
        .soft(asked.others, 'documents, fonts, pictures and the rest')
        .toBeLessThanOrEqual(firstView.others ?? 6)
      expect.soft(await scriptsFoundLate(page, loaded), 'scripts that the page does not name').toEqual([])
    }
  }
  expect.soft(await brokenLinks(page), 'links to what is not there, or elsewhere').toEqual([])
}

/** How many requests of each kind the page made, and the calls of the API, without their queries. */
function requestsOf(loaded: readonly Response[]) {
  const kinds = loaded
    .filter((response) => /^http/.test(response.url()))
    .map((response) => ({ kind: response.request().resourceType(), response }))
  const ofKind = (kind: string) => kinds.filter((each) => each.kind === kind).length
  const calls = kinds.flatMap(({ response }) => {
    const { pathname } = new URL(response.url())
    return pathname.startsWith('/api/') ? [`${response.request().method()} ${pathname.slice(7)}`] : []
  })
  const [scripts, sheets] = [ofKind('script'), ofKind('stylesheet')]
  return { scripts, sheets, calls: calls.sort(), others: kinds.length - scripts - sheets - calls.length }
}

/** The scripts that the browser learned of only from other scripts: each one is a round trip more before a page answers. */
async function scriptsFoundLate(page: Page, loaded: readonly Response[]): Promise<string[]> {
  const named = await page
    .locator('link[rel="modulepreload"], script[src]')
    .evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('href') ?? element.getAttribute('src')),
    )
  return loaded
    .filter((response) => response.request().resourceType() === 'script')
    .map((response) => new URL(response.url()).pathname)
    .filter((path) => !named.includes(path))
}

/** Every answer that the page gets, in the order in which they come. */
export function watchLoads(page: Page): Response[] {
  const loaded: Response[] = []
  page.on('response', (response) => loaded.push(response))
  return loaded
}

/** In bytes: text as brotli packs it, everything else as it is. Only public pages have a budget for more than scripts. */
async function weigh(loaded: readonly Response[], area: BuiltPage['area']) {
  const weight = { scripts: 0, markup: 0, all: 0 }
  const elsewhere: string[] = []
  const seen = new Set<string>()
  for (const response of loaded) {
    const url = response.url()
    if (/^(?:blob|data):/.test(url) || seen.has(url)) continue
    seen.add(url)
    if (new URL(url).origin !== origin) elsewhere.push(url)
    if (response.status() >= 300 && response.status() < 400) continue
    const kind = response.request().resourceType()
    if (area !== 'public' && kind !== 'script') continue
    const bytes = await bytesOf(response, kind === 'font' || kind === 'image')
    weight.all += bytes
    if (kind === 'script') weight.scripts += bytes
    if (kind === 'document' || kind === 'stylesheet') weight.markup += bytes
  }
  return { ...weight, elsewhere }
}

/** The size of a file whose name has its hash is found out once: packing it takes longer than loading it. */
function bytesOf(response: Response, isPacked: boolean): Promise<number> {
  const url = response.url()
  const measure = async () => {
    const body = await response.body()
    return isPacked ? body.length : brotliCompressSync(body).length
  }
  if (!new URL(url).pathname.startsWith('/_astro/')) return measure()
  const bytes = sizes.get(url) ?? measure()
  sizes.set(url, bytes)
  return bytes
}

const sizes = new Map<string, Promise<number>>()

/** Of what runs; JSON-LD is data, which counts in the HTML alone. */
async function inlineScripts(page: Page): Promise<number> {
  const texts = await page.locator('script:not([src], [type="application/ld+json"])').allTextContents()
  return texts.length === 0 ? 0 : brotliCompressSync(texts.join('\n')).length
}

const known = new Map<string, Promise<number>>()

/** The links to this site that don't answer with a page at once, with what they answer. */
async function brokenLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((anchors) =>
      anchors.flatMap((anchor) => (anchor instanceof HTMLAnchorElement ? anchor.href : [])),
    )
  const own = [...new Set(links.map((link) => link.replace(/#.*/, '')))].filter(
    (link) => new URL(link).origin === origin && new URL(link).pathname !== MISSING,
  )
  const found = await Promise.all(
    own.map(async (link) => {
      const answer = known.get(link) ?? statusOf(page, link)
      known.set(link, answer)
      return { link, status: await answer }
    }),
  )
  return found.filter(({ status }) => status !== 200).map(({ link, status }) => `${link} answers ${status}`)
}

async function statusOf(page: Page, link: string): Promise<number> {
  return (await page.request.get(link, { maxRedirects: 0 })).status()
}
