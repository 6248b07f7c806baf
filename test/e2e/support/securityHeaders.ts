import type { Page, Response } from '@playwright/test'
import type { BuiltPage } from './pages.ts'
import { expect } from './test.ts'

/** The headers of every response, page or not. */
const EVERYWHERE = {
  'strict-transport-security': /^max-age=63072000; includeSubDomains$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'referrer-policy': /^(?:strict-origin|no-referrer)$/,
  'permissions-policy': /camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/,
  'cross-origin-opener-policy': /^same-origin$/,
}

/** Directives of the content security policy in each page's head. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types notification-text strategy-worker service-worker',
]

/** The only host that dashboard pages may frame, for its price ticker. */
const FRAME_SOURCE = 'frame-src https://www.tradingview-widget.com'
/** What a page may frame: of the console, only that of the proposals, which shows PDFs from memory. Other pages may frame nothing. */
function listFrameSources({ area, path }: BuiltPage): string[] {
  if (area === 'dashboard') return [FRAME_SOURCE]
  return path === '/operator/proposals' ? ['frame-src blob:'] : []
}

/** Checks a page's security headers and content security policy, and that it has no inline styles or event handlers. */
export async function expectSecurePage(
  page: Page,
  built: BuiltPage,
  response: Response | null,
): Promise<void> {
  expectSecurityHeaders(new Headers(response?.headers()))
  const policy = await policyOf(page)
  expect.soft(policy).toEqual(expect.arrayContaining(POLICY))
  expect
    .soft(policy.filter((directive) => directive.startsWith('frame-src')))
    .toEqual(listFrameSources(built))
  expect
    .soft(policy.filter((directive) => directive !== FRAME_SOURCE).join(';'))
    .not.toMatch(/unsafe-|https?:|\*/)
  expect.soft(await response?.text(), 'style attributes').not.toMatch(/<[^>]+\sstyle=/)
  expect.soft(await inlineHandlers(page), 'event handler attributes').toEqual([])
}

/** Checks the headers that every response must have. */
export function expectSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(EVERYWHERE)) {
    expect.soft(headers.get(name) ?? '', name).toMatch(value)
  }
}

async function policyOf(page: Page): Promise<string[]> {
  const content = await page.locator('meta[http-equiv="content-security-policy"]').getAttribute('content')
  return (content ?? '').split(';').map((directive) => directive.trim())
}

function inlineHandlers(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => name.startsWith('on'))
        .map(({ name }) => `${element.tagName} ${name}`),
    ),
  )
}
