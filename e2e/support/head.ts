import { site } from '../../src/site.ts'
import { origin } from './http.ts'
import { type BuiltPage, MISSING, pages } from './pages.ts'
import { expect } from './test.ts'

/** Led to by mails alone, by links with a token, or by what somebody has just done. */
const LED_TO = [
  '/account-closed',
  '/confirm-email',
  '/lock-account',
  '/stop-factor-recovery',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/unsubscribe',
]

/** Pages that search engines may list: all public ones that are there, and the two doors. */
export const listed = pages.filter(({ path, area }) =>
  area === 'public' ? path !== MISSING && !LED_TO.includes(path) : path === '/sign-in' || path === '/sign-up',
)

/** Holds a page's head to what search engines and a link to it need; or, where it is not to be listed, to saying so. */
export async function expectHead({ path }: BuiltPage, html: string): Promise<void> {
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
  if (!listed.some((page) => page.path === path)) {
    expect
      .soft([canonical, meta('robots'), meta('og:image')], 'what an unlisted page says of itself')
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
    // Other sites may show it.
    'cross-origin-resource-policy': 'cross-origin',
  })
  const size = Buffer.from(await picture.arrayBuffer())
  expect
    .soft([size.readUInt32BE(16), size.readUInt32BE(20)].map(String))
    .toEqual([meta('og:image:width'), meta('og:image:height')])
}
