import { brotliCompressSync } from 'node:zlib'
import type { Page, Request, Response } from '@playwright/test'
import { origin } from './http.ts'
import { type BuiltPage, isMissing } from './pages.ts'
import { expect } from './test.ts'

const KB = 1024
/** Public pages whose form or figures need a script. Its bytes are allowed on top of the budget of every public page. */
const FORMS: Record<string, { islands: number; scripts: number }> = {
  '/contact-us': { islands: 1, scripts: 90 * KB },
  // It reads a whole account, as the dashboard does.
  '/guest': { islands: 1, scripts: 107 * KB },
}

/** The calls that every page of the dashboard makes: the price ticker's and the bell's. */
const EVERYWHERE = ['GET /market/coins', 'GET /users/notifications/unseen']

/** Most kilobytes of JavaScript on first load, compressed with brotli. */
const SCRIPTS = { auth: 101, dashboard: 136, operator: 156 }
/** Most kilobytes of HTML and CSS. A strategy's page has a higher limit, because it shows every figure of a test and the rules. */
const MARKUP = { public: 15, strategy: 17.5 }
/** Most requests for scripts on a page of an investor or operator, and for style sheets on a dashboard page. */
const FILES = { scripts: 42, sheets: 14 }

interface FirstLoad {
  /** The API calls that it makes, each once, besides those of every page. */
  calls: readonly string[]
  /** Most requests for documents, fonts, pictures and the rest. Default 6. */
  others?: number
}

/** What each dashboard page may request on first load. */
const FIRST_LOADS: Readonly<Record<string, FirstLoad>> = {
  '/dashboard/deposit': { calls: ['GET /admin-wallets', 'GET /limits'] },
  '/dashboard/kyc': { calls: ['GET /kyc', 'GET /kyc', 'GET /limits'] },
  '/dashboard/notifications': { calls: ['GET /users/notifications'] },
  '/dashboard/overview': {
    calls: ['GET /allocations', 'GET /users/user-info', 'GET /users/value-history'],
    others: 80,
  },
  '/dashboard/plans': { calls: ['GET /plans'] },
  '/dashboard/profile': { calls: ['GET /users/email', 'GET /users/user-info'] },
  '/dashboard/profile#security': {
    calls: [
      'GET /auth/two-factor',
      'GET /limits',
      'GET /users/activity',
      'GET /users/email',
      'GET /users/keys',
      'GET /users/passkeys',
      'GET /users/preferences',
      'GET /users/sessions',
      'GET /users/user-info',
    ],
  },
  '/dashboard/profile#notifications': {
    calls: ['GET /users/email', 'GET /users/preferences', 'GET /users/user-info'],
  },
  '/dashboard/gains': { calls: ['GET /gains'] },
  '/dashboard/referral-program': { calls: ['GET /users/referral-terms', 'GET /users/referrals'] },
  '/dashboard/statement': { calls: ['GET /statements'] },
  '/dashboard/strategies': { calls: ['GET /allocations', 'GET /strategies'] },
  '/dashboard/trading-plans': { calls: ['GET /users/user-info'] },
  '/dashboard/transaction-history': {
    calls: ['GET /allocations/orders', 'GET /transaction-history', 'GET /users/entries'],
  },
  '/dashboard/withdrawal': {
    calls: ['GET /admin-wallets', 'GET /limits', 'GET /users/user-info'],
  },
}

/** Checks the size and the requests of a page's first load, and that its links work. `loaded` holds every response of that load. */
export async function expectWithinBudget(
  page: Page,
  { path, area }: BuiltPage,
  loaded: readonly Response[],
): Promise<void> {
  const { scripts, markup, all, otherHosts } = await sizesOf(loaded, area)
  expect.soft(otherHosts, 'requests to other hosts').toEqual([])
  if (area === 'public') {
    const form = FORMS[path] ?? { islands: 0, scripts: 0 }
    expect.soft(await page.locator('astro-island').count(), 'islands').toBe(form.islands)
    expect.soft(scripts, 'scripts').toBeLessThanOrEqual(7 * KB + form.scripts)
    expect.soft(await inlineScripts(page), 'inline scripts').toBeLessThanOrEqual(2 * KB)
    const limit = path.startsWith('/strategies/') ? MARKUP.strategy : MARKUP.public
    expect.soft(markup, 'HTML and CSS').toBeLessThanOrEqual(limit * KB)
    expect.soft(all, 'everything on first load').toBeLessThanOrEqual(100 * KB + form.scripts)
  } else {
    const firstLoad = FIRST_LOADS[path]
    expect.soft(scripts, 'scripts').toBeLessThanOrEqual(SCRIPTS[area] * KB)
    expect.soft(countRequests(loaded).scripts, 'requests for scripts').toBeLessThanOrEqual(FILES.scripts)
    if (firstLoad) {
      const calls = [...firstLoad.calls, ...EVERYWHERE].sort()
      // Some are sent when others are answered.
      await expect.poll(() => countRequests(loaded).calls, 'API calls').toEqual(calls)
      const requests = countRequests(loaded)
      expect.soft(requests.sheets, 'requests for style sheets').toBeLessThanOrEqual(FILES.sheets)
      expect
        .soft(requests.others, 'documents, fonts, pictures and the rest')
        .toBeLessThanOrEqual(firstLoad.others ?? 6)
      // The HTML cannot know which tab an address opens.
      if (!path.includes('#'))
        expect.soft(await scriptsFoundLate(page, loaded), 'scripts that the HTML does not name').toEqual([])
    }
  }
  expect.soft(await brokenLinks(page), 'broken or redirected links').toEqual([])
}

/** Counts requests by kind, and lists the API calls without their query strings. */
function countRequests(loaded: readonly Response[]) {
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

/** Scripts that the browser only found through other scripts. Each costs one more round trip before the page works. */
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

/** What a page loads, from now on. */
export interface Load {
  readonly responses: readonly Response[]
  /** Waits until no request waits for its answer. */
  readonly end: () => Promise<void>
}

/** Records what the page loads from now on, in order. */
export function recordLoad(page: Page): Load {
  const responses: Response[] = []
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  page.on('response', (response) => responses.push(response))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return { responses, end: () => expect.poll(() => pending.size, 'requests under way').toBe(0) }
}

/** Sizes in bytes, text compressed with brotli. Outside public pages it measures scripts only, because only they have a budget. */
async function sizesOf(loaded: readonly Response[], area: BuiltPage['area']) {
  const sizes = { scripts: 0, markup: 0, all: 0 }
  const otherHosts: string[] = []
  const seen = new Set<string>()
  for (const response of loaded) {
    const url = response.url()
    if (/^(?:blob|data):/.test(url) || seen.has(url)) continue
    seen.add(url)
    if (new URL(url).origin !== origin) otherHosts.push(url)
    if (response.status() >= 300 && response.status() < 400) continue
    const kind = response.request().resourceType()
    if (area !== 'public' && kind !== 'script') continue
    const bytes = await compressedSize(response, kind === 'font' || kind === 'image')
    sizes.all += bytes
    if (kind === 'script') sizes.scripts += bytes
    if (kind === 'document' || kind === 'stylesheet') sizes.markup += bytes
  }
  return { ...sizes, otherHosts }
}

/** Measures a file with a hash in its name only once, because compressing takes longer than loading. */
function compressedSize(response: Response, isCompressed: boolean): Promise<number> {
  const url = response.url()
  const measure = async () => {
    const body = await response.body()
    return isCompressed ? body.length : brotliCompressSync(body).length
  }
  if (!new URL(url).pathname.startsWith('/_astro/')) return measure()
  const bytes = measuredFiles.get(url) ?? measure()
  measuredFiles.set(url, bytes)
  return bytes
}

const measuredFiles = new Map<string, Promise<number>>()

/** Bytes of inline scripts. JSON-LD is data and counts as HTML only. */
async function inlineScripts(page: Page): Promise<number> {
  const texts = await page.locator('script:not([src], [type="application/ld+json"])').allTextContents()
  return texts.length === 0 ? 0 : brotliCompressSync(texts.join('\n')).length
}

const linkStatuses = new Map<string, Promise<number>>()

/** Links within this site that do not answer 200 without a redirect, each with its status. */
async function brokenLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((anchors) =>
      anchors.flatMap((anchor) => (anchor instanceof HTMLAnchorElement ? anchor.href : [])),
    )
  const own = [...new Set(links.map((link) => link.replace(/#.*/, '')))].filter(
    (link) => new URL(link).origin === origin && !isMissing(new URL(link).pathname),
  )
  const found = await Promise.all(
    own.map(async (link) => {
      const status = linkStatuses.get(link) ?? statusOf(page, link)
      linkStatuses.set(link, status)
      return { link, status: await status }
    }),
  )
  return found.filter(({ status }) => status !== 200).map(({ link, status }) => `${link} answers ${status}`)
}

async function statusOf(page: Page, link: string): Promise<number> {
  return (await page.request.get(link, { maxRedirects: 0 })).status()
}
