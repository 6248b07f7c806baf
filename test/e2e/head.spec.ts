import { site } from '../../src/site.ts'
import { indexedPages } from './support/head.ts'
import { expect, test } from './support/test.ts'

test('every indexed page has its own title and description', async ({ request }) => {
  const heads = await Promise.all(
    indexedPages.map(async ({ path }) => {
      const html = await (await request.get(path)).text()
      return {
        title: /<title>([^<]*)</.exec(html)?.[1],
        description: /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '',
      }
    }),
  )
  expect(new Set(heads.map(({ title }) => title)).size).toBe(indexedPages.length)
  expect(new Set(heads.map(({ description }) => description)).size).toBe(indexedPages.length)
})

test('robots.txt names the sitemap, which lists every indexed page at its canonical address', async ({
  request,
}) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${site.origin}/sitemap.xml`)
  const text = await (await request.get('/sitemap.xml')).text()
  const paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) =>
    address.replace(site.origin, ''),
  )
  expect(paths).toEqual(expect.arrayContaining(indexedPages.map(({ path }) => path)))
  expect(paths.filter((path) => /^\/(?:dashboard|operator|dev|design|404|api)/.test(path))).toEqual([])
  for (const path of paths) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.status(), path).toBe(200)
    expect(await answer.text(), path).toContain(`<link rel="canonical" href="${site.origin}${path}"`)
  }
})

const FILES = [
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

test('icons, manifest and files for robots are served with their types', async ({ request }) => {
  for (const [path, type] of FILES) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect.soft(answer.status(), path).toBe(200)
    expect.soft(answer.headers()['content-type'], path).toMatch(type)
    expect.soft((await answer.body()).length, path).toBeGreaterThan(60)
  }
})

test('the manifest’s icons have the sizes it says', async ({ request }) => {
  const { icons } = await (await request.get('/site.webmanifest')).json()
  expect(icons).toHaveLength(3)
  for (const { src, sizes } of icons) {
    const icon = await (await request.get(src)).body()
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`, src).toBe(sizes)
  }
})

test('security.txt has not expired', async ({ request }) => {
  const text = await (await request.get('/.well-known/security.txt')).text()
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')
  expect(expires).toBeGreaterThan(Date.now())
  expect(text).toContain(`Contact: mailto:${site.supportEmail}`)
})

test('the home page’s structured data names the organization without facts that were not provided', async ({
  request,
}) => {
  const html = await (await request.get('/')).text()
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  const texts = [...scripts].map(([, text = '']) => text)
  const organization = texts.map((text) => JSON.parse(text)).find((data) => data['@type'] === 'Organization')
  expect(organization).toMatchObject({ name: site.brand, url: `${site.origin}/`, email: site.supportEmail })
  expect('legalName' in organization).toBe(site.company.name !== null)
  expect('address' in organization).toBe(site.company.address !== null)
})
