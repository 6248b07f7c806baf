import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names in the head of each page every script that its islands will ask for, so that all of them are fetched at once. A
 * browser would otherwise learn of each file's imports when it has that file: three round trips instead of one.
 * Islands that wait until they are seen are left out: their page may be read without them.
 *
 * @returns {import('astro').AstroIntegration}
 */
export function preloadScripts() {
  return {
    name: 'preload-scripts',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const folder = fileURLToPath(dir)
        const importsOf = importsIn(folder)
        const entries = await readdir(folder, { recursive: true })
        for (const name of entries.filter((entry) => entry.endsWith('.html'))) {
          const path = join(folder, name)
          const page = await readFile(path, 'utf8')
          const scripts = await withImports(startedIn(page), importsOf)
          if (scripts.length === 0) continue
          const links = linksTo(await largestFirst(folder, scripts))
          await writeFile(path, page.replace('</title>', `</title>${links}`))
        }
      },
    },
  }
}

/** The scripts of the islands that run as soon as they can, and the page's own beside them. @param {string} page */
function startedIn(page) {
  const islands = [...page.matchAll(/<astro-island [^>]*client="load"[^>]*>/g)].flatMap(([island]) =>
    [...island.matchAll(/ (?:component|renderer)-url="([^"]+)"/g)].map(([, url = '']) => url),
  )
  if (islands.length === 0) return []
  const own = [...page.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, url = '']) => url)
  return [...islands, ...own]
}

/**
 * Those and all that they import, each once.
 *
 * @param {readonly string[]} urls
 * @param {(url: string) => Promise<readonly string[]>} importsOf
 * @returns {Promise<string[]>}
 */
async function withImports(urls, importsOf) {
  /** @type {Set<string>} */
  const found = new Set(urls)
  for (const url of found) for (const imported of await importsOf(url)) found.add(imported)
  return [...found]
}

/**
 * The page runs when its largest script is there. Over HTTP/1.1 a browser asks for six files at a time, in this order, and
 * that one would else wait for small ones.
 *
 * @param {string} folder @param {readonly string[]} urls
 */
async function largestFirst(folder, urls) {
  const sized = urls.map(async (url) => ({ url, size: (await stat(join(folder, url))).size }))
  const scripts = await Promise.all(sized)
  return scripts.sort((one, other) => other.size - one.size).map(({ url }) => url)
}

/** @param {string} folder of the built site */
function importsIn(folder) {
  /** @type {Map<string, Promise<string[]>>} */
  const known = new Map()
  return (/** @type {string} */ url) => {
    const imports = known.get(url) ?? readImports(folder, url)
    known.set(url, imports)
    return imports
  }
}

/** @param {string} folder @param {string} url */
async function readImports(folder, url) {
  const code = await readFile(join(folder, url), 'utf8')
  const below = url.slice(0, url.lastIndexOf('/'))
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.(\/[^"]+\.js)"/g)].map(([, name]) => below + name)
}

/** @param {readonly string[]} urls */
function linksTo(urls) {
  return urls.map((url) => `<link rel="modulepreload" href="${url}">`).join('')
}
