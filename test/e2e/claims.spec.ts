import { brotliCompressSync } from 'node:zlib'
import { findEvidence } from '../../src/pages/_site/claims/evidence.ts'
import { openFiles } from '../../src/pages/_site/claims/files.ts'
import { waitForLoaded } from './support/accessibility.ts'
import { claimIdsWith, register, root } from './support/claims.ts'
import { expect, test } from './support/test.ts'

test('the register lists every claim and filters by standing', async ({ page }) => {
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
    const ids = claimIdsWith(standing)
    await page.getByRole('radio', { name: `${ids.length} ${name}` }).check()
    await expect(rows).toHaveCount(ids.length)
    const links = await rows.getByRole('rowheader').getByRole('link').evaluateAll(hrefs)
    expect(links.sort()).toEqual(ids.map((id) => `/claims/${id}`).sort())
  }
  await page.getByRole('radio', { name: `${register.size} All claims` }).check()
  await expect(rows).toHaveCount(register.size)
})

/** How the heading and title of a claim begin, by its standing. */
const HEADINGS = {
  planned: /^Planned: /,
  operator: /^(?:Not provided yet|By the operator’s word): /,
  shown: /^/,
}

test('each claim has a page with its standing and the current source of its tests, within the size budget', async ({
  request,
}) => {
  const files = openFiles(root)
  const sheets = new Map<string, Promise<number>>()
  const weightOf = (path: string) => {
    const bytes =
      sheets.get(path) ?? request.get(path).then(async (answer) => compressedSize(await answer.body()))
    sheets.set(path, bytes)
    return bytes
  }
  for (const [id, entry] of register) {
    const html = await (await request.get(`/claims/${id}`)).text()
    const sources = findEvidence(entry, files).flatMap((piece) =>
      piece.kind === 'test' ? [piece.source] : [],
    )
    expect.soft(sourcesIn(html), id).toEqual(sources)
    expect
      .soft(sources.length > 0, id)
      .toBe(entry.standing === 'shown' && entry.evidence.some((one) => 'test' in one))

    const headings = [...html.matchAll(/<h1\b[^>]*>(.*?)<\/h1>/gs)].map(([, markup = '']) => textOf(markup))
    expect.soft(headings, id).toEqual([expect.stringMatching(HEADINGS[entry.standing])])
    expect.soft(textOf(/<title>([^<]*)</.exec(html)?.[1] ?? ''), id).toMatch(HEADINGS[entry.standing])

    let bytes = compressedSize(Buffer.from(html))
    for (const [, href = ''] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
      bytes += await weightOf(href)
    expect.soft(bytes, `HTML and CSS of /claims/${id}`).toBeLessThanOrEqual(14 * 1024)
  }
})

test('a test’s source can be read with the keyboard alone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/claims/documents-encrypted')
  await waitForLoaded(page)
  const source = page.getByRole('region', { name: /a document is stored encrypted/ })
  await source.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => source.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  await expect(source).toContainText("test('a document is stored encrypted")
})

function compressedSize(bytes: Buffer): number {
  return brotliCompressSync(bytes).length
}

/** The texts of the `pre` elements. */
function sourcesIn(html: string): string[] {
  return [...html.matchAll(/<pre\b[^>]*><code\b[^>]*>(.*?)<\/code>/gs)].map(([, text = '']) => decoded(text))
}

function textOf(markup: string): string {
  return decoded(markup.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function decoded(html: string): string {
  const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#34': '"', amp: '&' }
  return html.replaceAll(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}

// Runs in the page.
function hrefs(links: Element[]): string[] {
  return links.map((link) => link.getAttribute('href') ?? '')
}
