import { site } from '../../../src/site.ts'
import { origin } from './http.ts'
import { type BuiltPage, MISSING, pages } from './pages.ts'
import { expect } from './test.ts'

/** Public pages reached only from a mailed link or after an action, and those of the API. Search engines must not index them. */
const UNINDEXED = [
  '/account-closed',
  '/confirm-email',
  '/confirm-withdrawal',
  '/docs',
  '/docs/keys',
  '/docs/users',
  '/guest',
  '/lock-account',
  '/stop-factor-recovery',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/unsubscribe',
]

/** Pages that search engines may index: the public ones, sign-in and sign-up. */
export const indexedPages = pages.filter(({ path, area }) =>
  area === 'public'
    ? path !== MISSING && !UNINDEXED.includes(path)
    : path === '/sign-in' || path === '/sign-up',
)

/**
 * Checks the order of the head, and the metadata for search engines and link previews. A page that must not be indexed has
 * `noindex` and no preview.
 */
export async function expectHead({ path }: BuiltPage, html: string): Promise<void> {
  // A font that is requested later arrives after the first paint, and the page keeps its fallback.
  const fonts = [...html.matchAll(/<link rel="preload"[^>]* as="font"/g)].map(({ index }) => index)
  expect.soft(fonts).toHaveLength(2)
  expect
    .soft(html.search(/<link rel="(?:stylesheet|modulepreload)"/), 'fonts before sheets and scripts')
    .toBeGreaterThan(Math.max(...fonts))
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
  if (!indexedPages.some((page) => page.path === path)) {
    expect
      .soft([canonical, meta('robots'), meta('og:image')], 'metadata of a page that is not indexed')
      .toEqual([undefined, 'noindex', undefined])
    return
  }
  expect.soft(canonical).toBe(new URL(path, site.origin).href)
  expect.soft(meta('robots')).toBeUndefined()
  expect.soft(meta('og:url')).toBe(canonical)
  expect.soft(meta('og:description')).toBe(meta('description'))
  for (const name of ['og:title', 'og:type', 'og:site_name', 'og:locale', 'og:image:alt', 'twitter:card']) {
    expect.soft(meta(name), name).toBeTruthy()
  }
  const picture = await fetch(new URL(new URL(meta('og:image') ?? '', site.origin).pathname, origin))
  expect.soft(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/png',
    // Other sites show it in link previews.
    'cross-origin-resource-policy': 'cross-origin',
  })
  const bytes = Buffer.from(await picture.arrayBuffer())
  expect
    .soft([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String))
    .toEqual([meta('og:image:width'), meta('og:image:height')])
}
