import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { root } from '../toolchain.mjs'

interface ListedPage {
  /** Its address. */
  canonical: string
  /** The address of its link picture. */
  picture: string
  title: string
  description: string
  /** The name of the site. */
  site: string
}

/**
 * For the pages that search engines may list: writes /sitemap.xml and draws the pictures that their heads name. A picture
 * is kept from build to build until the drawing or its words change.
 */
export function listedPages(): AstroIntegration {
  return {
    name: 'listed-pages',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const directory = fileURLToPath(dir)
        const pages = await pagesIn(directory)
        await writeFile(join(directory, 'sitemap.xml'), sitemapOf(pages.map(({ canonical }) => canonical)))
        const started = performance.now()
        for (const page of pages)
          await write(join(directory, new URL(page.picture).pathname), await pictureOf(page))
        logger.info(`${pages.length} pictures in ${Math.round(performance.now() - started)} ms`)
      },
    },
  }
}

/** The pages with a canonical address, described by their own heads, in the order of their addresses. */
async function pagesIn(directory: string): Promise<ListedPage[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.html'))
  const pages = await Promise.all(
    names.map(async (name) => pageIn(await readFile(join(directory, name), 'utf8'), name)),
  )
  return pages.filter((page) => page !== undefined).sort((a, b) => (a.canonical < b.canonical ? -1 : 1))
}

/** The page that its head describes, if search engines may list it. `name` is the file's, for the error. */
export function pageIn(html: string, name: string): ListedPage | undefined {
  const canonical = attribute(html, /<link rel="canonical" href="([^"]*)"/)
  if (canonical === undefined) return undefined
  const meta = (property: string) => {
    const content = attribute(html, new RegExp(`<meta (?:name|property)="${property}" content="([^"]*)"`))
    if (content === undefined) throw new Error(`${name} has a canonical address, but no ${property}`)
    return content
  }
  return {
    canonical,
    picture: meta('og:image'),
    title: meta('og:title'),
    description: meta('og:description'),
    site: meta('og:site_name'),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#38': '&',
  '#39': "'",
}

function attribute(html: string, pattern: RegExp): string | undefined {
  return pattern.exec(html)?.[1]?.replace(/&(amp|lt|gt|quot|#3[489]);/g, (_, name) => ENTITIES[name] ?? '')
}

/** In the form of https://www.sitemaps.org/protocol.html. */
export function sitemapOf(addresses: readonly string[]): string {
  const escaped = addresses.map((address) => address.replaceAll('&', '&amp;').replaceAll("'", '&apos;'))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...escaped.map((address) => `  <url><loc>${address}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
}

const drawing = fileURLToPath(new URL('./social-picture.ts', import.meta.url))

async function pictureOf({ title, description, site, canonical }: ListedPage): Promise<Buffer> {
  const words = { title, description, site, host: new URL(canonical).host }
  const hash = createHash('sha256')
    .update(await readFile(drawing))
    .update(JSON.stringify(words))
  const kept = join(root, '.astro/social-pictures', `${hash.digest('hex').slice(0, 32)}.png`)
  try {
    return await readFile(kept)
  } catch {
    // Imported only when there is something to draw, because that takes longer than all the rest.
    const { socialPicture } = await import('./social-picture.ts')
    const picture = await socialPicture(words)
    await write(kept, picture)
    return picture
  }
}

async function write(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
