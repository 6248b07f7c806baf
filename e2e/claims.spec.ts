import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { parse } from 'yaml'
import { type Claim, claim } from '../src/content/claims/schema.ts'
import { evidenceOf } from '../src/pages/_claims/evidence.ts'
import { filesOf } from '../src/pages/_claims/files.ts'
import { usesOf } from '../src/pages/_claims/uses.ts'
import { settled } from './scene/accessible.ts'
import { MISSING, pages } from './scene/pages.ts'
import { expect, test } from './scene/test.ts'
import { bareFigures, claimsMade, unbackedWords, unwarnedCalls } from './scene/words.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'src/content/claims')
const register = new Map<string, Claim>(
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name.replace('.yaml', ''), claim.parse(parse(readFileSync(join(folder, name), 'utf8')))]),
)
const withStanding = (standing: Claim['standing']) =>
  [...register].filter(([, { standing: own }]) => own === standing).map(([id]) => id)

const speaking = pages.filter(
  ({ path, area }) => (area === 'public' || area === 'auth') && !path.startsWith('/claims'),
)

for (const { path, area } of speaking) {
  test(`${path} claims only what the register has`, async ({ page, forgive }) => {
    if (path === MISSING) forgive(/404 \(Not Found\)/)
    await page.goto(path)
    const made = await claimsMade(page)
    expect(made.filter((id) => !register.has(id))).toEqual([])
    expect(made.filter((id) => withStanding('planned').includes(id))).toEqual([])
    expect.soft(await unbackedWords(page), 'words that claim something without a claim').toEqual([])
    expect
      .soft(await bareFigures(page), 'figures of performance without their kind, period and costs')
      .toEqual([])
    if (area !== 'public') return
    expect.soft(await unwarnedCalls(page), 'calls to invest without the warning beside them').toEqual([])
    const strip = page.getByRole('complementary', { name: 'Risk' })
    await expect(strip).toContainText('You could lose all the money you invest')
    await expect(strip.getByRole('link', { name: 'Read the risks' })).toHaveAttribute(
      'href',
      '/risk-disclosure',
    )
  })
}

test('the register says where each claim is made as the pages have it', async ({ page, forgive }) => {
  forgive(/404 \(Not Found\)/)
  const uses = usesOf(filesOf(root))
  for (const { path, area } of speaking) {
    await page.goto(path)
    const listed = [...uses]
      .filter(([, { everywhere, pages }]) => (everywhere && area === 'public') || pages.includes(path))
      .map(([id]) => id)
    if (path !== MISSING) expect.soft(await claimsMade(page), path).toEqual(listed.sort())
  }
})

test('the register lists every claim and shows those of one standing alone', async ({ page }) => {
  await page.goto('/claims')
  const rows = page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(register.size)
  for (const [name, standing] of [
    ['Planned', 'planned'],
    ['For the operator', 'operator'],
    ['Shown', 'shown'],
  ] as const) {
    const ids = withStanding(standing)
    await page.getByRole('radio', { name: `${ids.length} ${name}` }).check()
    await expect(rows).toHaveCount(ids.length)
    const links = await rows.getByRole('rowheader').getByRole('link').evaluateAll(hrefs)
    expect(links.sort()).toEqual(ids.map((id) => `/claims/${id}`).sort())
  }
  await page.getByRole('radio', { name: `${register.size} All claims` }).check()
  await expect(rows).toHaveCount(register.size)
})

test('each claim has a page with the sources of its tests as they stand in the project', async ({
  request,
}) => {
  const files = filesOf(root)
  for (const [id, entry] of register) {
    const html = await (await request.get(`/claims/${id}`)).text()
    const sources = evidenceOf(entry, files).flatMap((piece) => (piece.kind === 'test' ? [piece.source] : []))
    expect.soft(sourcesIn(html), id).toEqual(sources)
    expect
      .soft(sources.length > 0, id)
      .toBe(entry.standing === 'shown' && entry.evidence.some((one) => 'test' in one))
  }
})

test('a claim that nothing shows yet says so in its own headline and title', async ({ page }) => {
  for (const [standing, words] of [
    ['planned', /^Planned: /],
    ['operator', /^(?:Not provided yet|By the operator’s word): /],
  ] as const) {
    for (const id of withStanding(standing)) {
      await page.goto(`/claims/${id}`)
      await expect.soft(page.getByRole('heading', { level: 1 })).toHaveText(words)
      await expect.soft(page).toHaveTitle(words)
    }
  }
})

test('no page of a claim is heavier than a public page may be', async ({ request }) => {
  const weights = new Map<string, number>()
  const weightOf = async (path: string) => {
    const known = weights.get(path) ?? brotliCompressSync(await (await request.get(path)).body()).length
    weights.set(path, known)
    return known
  }
  for (const id of register.keys()) {
    const html = await (await request.get(`/claims/${id}`)).text()
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href)
    let bytes = brotliCompressSync(html).length
    for (const sheet of sheets) bytes += await weightOf(sheet)
    expect.soft(bytes, `HTML and CSS of /claims/${id}`).toBeLessThanOrEqual(14 * 1024)
  }
})

test('a test’s source can be read with the keyboard alone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/claims/documents-encrypted')
  await settled(page)
  const source = page.getByRole('region', { name: /a document is stored sealed/ })
  await source.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => source.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  await expect(source).toContainText("test('a document is stored sealed")
})

/** The texts of the `pre` elements. */
function sourcesIn(html: string): string[] {
  const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#34': '"', amp: '&' }
  return [...html.matchAll(/<pre\b[^>]*><code\b[^>]*>(.*?)<\/code>/gs)].map(([, text = '']) =>
    text.replace(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity),
  )
}

// Runs in the page.
function hrefs(links: Element[]): string[] {
  return links.map((link) => link.getAttribute('href') ?? '')
}
