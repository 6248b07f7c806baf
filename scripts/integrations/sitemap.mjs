import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listedPages } from './built-pages.mjs'

/**
 * Writes /sitemap.xml: every page that has a canonical address and no other.
 *
 * @returns {import('astro').AstroIntegration}
 */
export function sitemap() {
  return {
    name: 'sitemap',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const directory = fileURLToPath(dir)
        const pages = await listedPages(directory)
        await writeFile(join(directory, 'sitemap.xml'), sitemapOf(pages.map(({ canonical }) => canonical)))
      },
    },
  }
}

/** In the form of https://www.sitemaps.org/protocol.html. @param {readonly string[]} addresses */
export function sitemapOf(addresses) {
  const escaped = addresses.map((address) => address.replaceAll('&', '&amp;').replaceAll("'", '&apos;'))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...escaped.map((address) => `  <url><loc>${address}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
}
