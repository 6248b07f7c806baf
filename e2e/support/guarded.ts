import type { Page, Response } from '@playwright/test'
import type { BuiltPage } from './pages.ts'
import { expect } from './test.ts'

/** What each answer carries, page or not. */
const EVERYWHERE = {
  'strict-transport-security': /^max-age=63072000; includeSubDomains$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'referrer-policy': /^(?:strict-origin|no-referrer)$/,
  'permissions-policy': /camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/,
  'cross-origin-opener-policy': /^same-origin$/,
}

/** What a page's own policy says, in its head. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types evenkeel-notification evenkeel-worker',
]

/** The one host that signed-in pages may frame, where somebody asks for its tape of prices. No other page may frame any. */
const FRAMED = 'frame-src https://www.tradingview-widget.com'

/** Holds a page to its headers, to a policy of its own, and to styles and scripts that this policy lets through. */
export async function expectGuardedPage(
  page: Page,
  { area }: BuiltPage,
  response: Response | null,
): Promise<void> {
  expectGuarded(new Headers(response?.headers()))
  const policy = await policyOf(page)
  expect.soft(policy).toEqual(expect.arrayContaining(POLICY))
  expect
    .soft(policy.filter((directive) => directive.startsWith('frame-src')))
    .toEqual(area === 'dashboard' ? [FRAMED] : [])
  expect.soft(policy.filter((directive) => directive !== FRAMED).join(';')).not.toMatch(/unsafe-|https?:|\*/)
  expect.soft(await response?.text(), 'styles in attributes').not.toMatch(/<[^>]+\sstyle=/)
  expect.soft(await handlers(page), 'handlers in attributes').toEqual([])
}

/** Holds an answer to the headers that each carries. */
export function expectGuarded(headers: Headers): void {
  for (const [name, value] of Object.entries(EVERYWHERE)) {
    expect.soft(headers.get(name) ?? '', name).toMatch(value)
  }
}

async function policyOf(page: Page): Promise<string[]> {
  const content = await page.locator('meta[http-equiv="content-security-policy"]').getAttribute('content')
  return (content ?? '').split(';').map((directive) => directive.trim())
}

function handlers(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => name.startsWith('on'))
        .map(({ name }) => `${element.tagName} ${name}`),
    ),
  )
}
