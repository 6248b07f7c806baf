import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { DomUtils, parseDocument } from 'htmlparser2'
import { site as brand } from '../../src/site.ts'
import { root } from '../toolchain.mjs'

interface ListedPage {
  canonical: string
  /** The URL of its link preview picture. */
  picture: string
  title: string
  description: string
  site: string
}

/**
 * Writes /sitemap.xml and draws the link preview pictures of all indexed pages. Pictures are cached across builds until the
 * drawing or its text changes.
 */
export function listedPages(): AstroIntegration {
  return {
    name: 'listed-pages',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const directory = fileURLToPath(dir)
        const pages = await readPages(directory)
        await writeFile(
          join(directory, 'sitemap.xml'),
          renderSitemap(pages.map(({ canonical }) => canonical)),
        )
        const started = performance.now()
        // At once, because drawing takes one core and encoding others.
        await Promise.all(
          pages.map(async (page) =>
            write(join(directory, new URL(page.picture).pathname), await loadPicture(page)),
          ),
        )
        logger.info(`${pages.length} pictures in ${Math.round(performance.now() - started)} ms`)
      },
    },
  }
}

/** The pages with a canonical URL, sorted by URL. */
async function readPages(directory: string): Promise<ListedPage[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.html'))
  const pages = await Promise.all(
    names.map(async (name) => parsePage(await readFile(join(directory, name), 'utf8'), name)),
  )
  return pages.filter((page) => page !== undefined).sort((a, b) => (a.canonical < b.canonical ? -1 : 1))
}

/** Reads the page's head. Undefined if search engines may not list the page. `name` is the file name for errors. */
export function parsePage(html: string, name: string): ListedPage | undefined {
  const page = parseDocument(html)
  const find = (name: string, value: string) =>
    DomUtils.findOne(({ attribs }) => attribs[name] === value, page)
  const canonical = find('rel', 'canonical')?.attribs.href
  if (canonical === undefined) return undefined
  const requireMeta = (property: string) => {
    const content = find('property', property)?.attribs.content
    if (content === undefined) throw new Error(`${name} has a canonical address, but no ${property}`)
    return content
  }
  return {
    canonical,
    picture: requireMeta('og:image'),
    title: requireMeta('og:title'),
    description: requireMeta('og:description'),
    site: requireMeta('og:site_name'),
  }
}

/** The format is https://www.sitemaps.org/protocol.html. */
export function renderSitemap(addresses: readonly string[]): string {
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

async function loadPicture({ title, description, site, canonical }: ListedPage): Promise<Buffer> {
  const words = { title, description, site, host: new URL(canonical).host }
  const hash = createHash('sha256')
    .update(await readFile(drawing))
    .update(JSON.stringify([words, brand.logo, brand.accent]))
  const kept = join(root, '.astro/social-pictures', `${hash.digest('hex').slice(0, 32)}.png`)
  try {
    return await readFile(kept)
  } catch {
    // Imported only if needed, because the import takes longer than everything else.
    const { drawSocialPicture: socialPicture } = await import('./social-picture.ts')
    const picture = await socialPicture(words)
    await write(kept, picture)
    return picture
  }
}

async function write(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
