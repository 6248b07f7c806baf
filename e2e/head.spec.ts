import { site } from '../src/site.ts'
import { MISSING, pages } from './scene/pages.ts'
import { expect, test } from './scene/test.ts'

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
const listed = pages.filter(({ path, area }) =>
  area === 'public' ? path !== MISSING && !LED_TO.includes(path) : path === '/sign-in' || path === '/sign-up',
)

for (const { path } of pages) {
  const isListed = listed.some((page) => page.path === path)

  test(`${path} says ${isListed ? 'where it stands, and what a link to it shows' : 'that it is not to be listed'}`, async ({
    request,
  }) => {
    const html = await (await request.get(path)).text()
    const meta = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
    if (!isListed) {
      expect([canonical, meta('robots'), meta('og:image')]).toEqual([undefined, 'noindex', undefined])
      return
    }
    expect(canonical).toBe(new URL(path, site.origin).href)
    expect(meta('robots')).toBeUndefined()
    expect(meta('og:url')).toBe(canonical)
    expect(meta('og:description')).toBe(meta('description'))
    for (const name of ['og:title', 'og:type', 'og:site_name', 'og:locale', 'og:image:alt', 'twitter:card']) {
      expect(meta(name), name).toBeTruthy()
    }
    const picture = await request.get(new URL(meta('og:image') ?? '', site.origin).pathname)
    expect(picture.headers()).toMatchObject({
      'content-type': 'image/png',
      // Other sites may show it.
      'cross-origin-resource-policy': 'cross-origin',
    })
    const size = await picture.body()
    expect([size.readUInt32BE(16), size.readUInt32BE(20)].map(String)).toEqual([
      meta('og:image:width'),
      meta('og:image:height'),
    ])
  })
}

test('titles and descriptions tell the listed pages apart', async ({ request }) => {
  const heads = await Promise.all(
    listed.map(async ({ path }) => {
      const html = await (await request.get(path)).text()
      return {
        title: /<title>([^<]*)</.exec(html)?.[1],
        description: /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '',
      }
    }),
  )
  expect(new Set(heads.map(({ title }) => title)).size).toBe(listed.length)
  expect(new Set(heads.map(({ description }) => description)).size).toBe(listed.length)
})

test('the sitemap lists what may be listed, each as it answers at once, and robots.txt names it', async ({
  request,
}) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${site.origin}/sitemap.xml`)
  const text = await (await request.get('/sitemap.xml')).text()
  const paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) =>
    address.replace(site.origin, ''),
  )
  expect(paths).toEqual(expect.arrayContaining(listed.map(({ path }) => path)))
  expect(paths.filter((path) => /^\/(?:dashboard|operator|dev|design|404|api)/.test(path))).toEqual([])
  for (const path of paths) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.status(), path).toBe(200)
    expect(await answer.text(), path).toContain(`<link rel="canonical" href="${site.origin}${path}"`)
  }
})

const served = [
  ['/favicon.ico', /^image\/(?:x-icon|vnd\.microsoft\.icon)$/],
  ['/favicon.svg', /^image\/svg\+xml$/],
  ['/apple-touch-icon.png', /^image\/png$/],
  ['/icon-192.png', /^image\/png$/],
  ['/icon-512.png', /^image\/png$/],
  ['/icon-maskable-512.png', /^image\/png$/],
  ['/site.webmanifest', /^application\/manifest\+json/],
  ['/robots.txt', /^text\/plain/],
  ['/sitemap.xml', /^(?:application|text)\/xml/],
  ['/.well-known/security.txt', /^text\/plain; charset=utf-8$/i],
] as const

for (const [path, type] of served) {
  test(`${path} is served as what it is`, async ({ request }) => {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.status()).toBe(200)
    expect(answer.headers()['content-type']).toMatch(type)
    expect((await answer.body()).length).toBeGreaterThan(60)
  })
}

test('the manifest’s icons have the sizes it says', async ({ request }) => {
  const { icons } = await (await request.get('/site.webmanifest')).json()
  expect(icons).toHaveLength(3)
  for (const { src, sizes } of icons) {
    const icon = await (await request.get(src)).body()
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`, src).toBe(sizes)
  }
})

test('security.txt has not run out', async ({ request }) => {
  const text = await (await request.get('/.well-known/security.txt')).text()
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')
  expect(expires).toBeGreaterThan(Date.now())
  expect(text).toContain(`Contact: mailto:${site.supportEmail}`)
})

test('the home page says who is behind it, with nothing that was not provided', async ({ page }) => {
  await page.goto('/')
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents()
  const organization = texts.map((text) => JSON.parse(text)).find((data) => data['@type'] === 'Organization')
  expect(organization).toMatchObject({ name: site.brand, url: `${site.origin}/`, email: site.supportEmail })
  expect('legalName' in organization).toBe(site.company.name !== null)
  expect('address' in organization).toBe(site.company.address !== null)
})
