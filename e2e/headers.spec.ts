import type { Page } from '@playwright/test'
import { settled } from './scene/accessible.ts'
import { ask, origin, send } from './scene/http.ts'
import { MISSING, pages, whoSeesMost } from './scene/pages.ts'
import { PASSWORD, signedIn } from './scene/people.ts'
import { picture } from './scene/picture.ts'
import { scrollThrough } from './scene/scrollThrough.ts'
import { expect, test } from './scene/test.ts'

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

// What a page does against its policy or says in the console fails every test here: `scene/test.ts` listens.
for (const { path, area } of pages) {
  test(`${path} is guarded, and keeps to its own rules from top to bottom`, async ({ open, forgive }) => {
    if (path === MISSING) forgive(/404 \(Not Found\)/)
    const page = await open(await whoSeesMost(area))
    const response = await page.goto(path)
    expectGuarded(new Headers(response?.headers()))
    const policy = await policyOf(page)
    expect(policy).toEqual(expect.arrayContaining(POLICY))
    expect(policy.filter((directive) => directive.startsWith('frame-src'))).toEqual(
      area === 'dashboard' ? [FRAMED] : [],
    )
    expect(policy.filter((directive) => directive !== FRAMED).join(';')).not.toMatch(/unsafe-|https?:|\*/)
    await settled(page)
    await scrollThrough(page)
    expect(await response?.text(), 'styles in attributes').not.toMatch(/<[^>]+\sstyle=/)
    expect(await handlers(page), 'handlers in attributes').toEqual([])
  })
}

test('every other answer is guarded, too', async () => {
  const { token } = await signedIn({ email: 'newcomer@example.com', password: PASSWORD })
  const tooSmall = new Blob([new Uint8Array(picture('tiny.png', 8, 8).buffer)], { type: 'image/png' })
  const answers = {
    'health: 200': await send('GET', '/health'),
    'an unknown route: 404': await send('GET', '/nothing-here'),
    'a wrong method: 405': await send('DELETE', '/health'),
    'no token: 401': await send('GET', '/kyc'),
    'wrong fields: 422': await send('POST', '/auth/login', { json: {} }),
    'an upload: 422': await send('POST', '/kyc', { token, form: { document: 'Passport', image: tooSmall } }),
    'the API’s description: 200': await send('GET', '/openapi.json'),
    'the API’s page: 200': await fetch(`${origin}/docs`),
    'the mailbox: 200': await fetch(`${origin}/dev/mailbox`),
    'an icon: 200': await fetch(`${origin}/favicon.svg`),
    'a missing page: 404': await fetch(`${origin}${MISSING}`),
  }
  for (const [what, answer] of Object.entries(answers)) {
    await test.step(what, () => {
      expect(what).toContain(`: ${answer.status}`)
      expectGuarded(answer.headers)
    })
  }
})

test('a picture of the API can do nothing in a page', async () => {
  const { token } = await signedIn({ email: 'investor@example.com', password: PASSWORD })
  const [wallet] = await ask<{ image: string }[]>('GET', '/admin-wallets', { token })
  const { headers } = await fetch(`${origin}${wallet?.image}`)
  expect(headers.get('content-type')).toMatch(/^image\//)
  expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  expectGuarded(headers)
})

test('the API’s own page runs within its policy', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByText('/auth/login').first()).toBeVisible({ timeout: 30_000 })
})

function expectGuarded(headers: Headers): void {
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
