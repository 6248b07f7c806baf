import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/**
 * Removes unused hashes from each page's content security policy: Astro lists the inline code of all pages in every page. A
 * shorter list allows less, and saves a third of a kilobyte, because hashes do not compress.
 */
export function ownHashes(): AstroIntegration {
  return editPages('own-hashes', () => withOwnHashes)
}

/**
 * Preloads all scripts that a page's islands import. Otherwise the browser would discover the imports of a file only after
 * fetching it: three round trips instead of one. Does not preload islands that load when visible.
 */
export function preloadScripts(): AstroIntegration {
  return editPages('preload-scripts', (folder) => {
    const importsOf = createImportReader(folder)
    return async (page) => {
      const scripts = new Set(listStartedScripts(page))
      // Iterating a Set includes items that are added during the iteration.
      for (const url of scripts) for (const imported of await importsOf(url)) scripts.add(imported)
      const links = (await sortLargestFirst(folder, [...scripts])).map(
        (url) => `<link rel="modulepreload" href="${url}">`,
      )
      // After the policy: browsers delay everything after it until the scripts in front of it have run, and one of these
      // sends the page's first calls. They must not wait for scripts.
      const late = page.match(LATE) ?? []
      return page
        .replace(LATE, '')
        .replace(POLICY, (policy) => `${policy}${links.slice(0, LARGE).join('')}`)
        .replace('</head>', (end) => `${[...links.slice(LARGE), ...late].join('')}${end}`)
    }
  })
}

type Edit = (page: string) => string | Promise<string>

/** An integration that edits each page of a finished build. `editIn` takes the build's folder. */
function editPages(name: string, editIn: (folder: string) => Edit): AstroIntegration {
  return {
    name,
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const folder = fileURLToPath(dir)
        const edit = editIn(folder)
        const entries = await readdir(folder, { recursive: true })
        for (const entry of entries.filter((file) => file.endsWith('.html'))) {
          const path = join(folder, entry)
          await writeFile(path, await edit(await readFile(path, 'utf8')))
        }
      },
    },
  }
}

/** The two largest scripts are the framework's, and larger than all others of a page together. They start before the style sheets. */
const LARGE = 2
/** Links that a layout marks as less urgent than scripts. They go last, because browsers start the first links at once whatever their priority. */
const LATE = /<link rel="preload"[^>]* fetchpriority="low"[^>]*>/g
const POLICY = /<meta http-equiv="content-security-policy"[^>]*>/
const HASH = / '(sha256-[^']+)'/g
/** Elements that load a file are empty. */
const INLINE = /<(?:script|style)\b[^>]*>(.*?)<\/(?:script|style)>/gs

export function withOwnHashes(page: string): string {
  const own = new Set([...page.matchAll(INLINE)].flatMap(([, code]) => (code ? [hashScript(code)] : [])))
  return page.replace(POLICY, (policy) =>
    policy.replace(HASH, (source, hash) => (own.has(hash) ? source : '')),
  )
}

function hashScript(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`
}

/** The scripts of the islands that run immediately, then the page's own scripts. */
function listStartedScripts(page: string): string[] {
  const islands = [...page.matchAll(/<astro-island [^>]*client="load"[^>]*>/g)].flatMap(([island]) =>
    [...island.matchAll(/ (?:component|renderer)-url="([^"]+)"/g)].map(([, url = '']) => url),
  )
  if (islands.length === 0) return []
  const own = [...page.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, url = '']) => url)
  return [...islands, ...own]
}

/**
 * A page runs once its largest script has loaded. Over HTTP/1.1, browsers fetch six files at a time in this order, so the
 * largest must not wait for small ones.
 */
async function sortLargestFirst(folder: string, urls: readonly string[]): Promise<string[]> {
  const sized = urls.map(async (url) => ({ url, size: (await stat(join(folder, url))).size }))
  const scripts = await Promise.all(sized)
  return scripts.sort((left, right) => right.size - left.size).map(({ url }) => url)
}

/** Returns a function that finds a script's imports and caches them. */
function createImportReader(folder: string): (url: string) => Promise<string[]> {
  const cache = new Map<string, Promise<string[]>>()
  return (url) => {
    const imports = cache.get(url) ?? readImports(folder, url)
    cache.set(url, imports)
    return imports
  }
}

async function readImports(folder: string, url: string): Promise<string[]> {
  const code = await readFile(join(folder, url), 'utf8')
  const below = url.slice(0, url.lastIndexOf('/'))
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*"\.(\/[^"]+\.js)"/g)].map(([, name]) => below + name)
}
