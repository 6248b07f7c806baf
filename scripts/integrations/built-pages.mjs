import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {object} BuiltPage
 * @property {string} canonical its address
 * @property {string} picture the address of its picture for links to it
 * @property {string} title
 * @property {string} description
 * @property {string} site the name of the site
 */

/**
 * The pages of a finished build that search engines may list, as their own heads describe them: what a page says of
 * itself is written in one place. A page without a canonical address is none of them.
 *
 * @param {string} directory the build
 * @returns {Promise<BuiltPage[]>} in the order of their addresses
 */
export async function listedPages(directory) {
  const names = await readdir(directory, { recursive: true })
  const pages = await Promise.all(
    names
      .filter((name) => name.endsWith('.html'))
      .map(async (name) => pageIn(await readFile(join(directory, name), 'utf8'), name)),
  )
  return pages.filter((page) => page !== undefined).sort((a, b) => (a.canonical < b.canonical ? -1 : 1))
}

/** @param {string} html @param {string} name the file's, for who has to mend it @returns {BuiltPage | undefined} */
export function pageIn(html, name) {
  const canonical = attribute(html, /<link rel="canonical" href="([^"]*)"/)
  if (canonical === undefined) return undefined
  const meta = (/** @type {string} */ property) => {
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

const ENTITIES = /** @type {const} */ ({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#38': '&',
  '#39': "'",
})

/** @param {string} html @param {RegExp} pattern @returns {string | undefined} */
function attribute(html, pattern) {
  return pattern
    .exec(html)?.[1]
    ?.replace(
      /&(amp|lt|gt|quot|#3[489]);/g,
      (_, name) => ENTITIES[/** @type {keyof typeof ENTITIES} */ (name)],
    )
}
