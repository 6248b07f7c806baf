import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { DomUtils, parseDocument } from 'htmlparser2'
import type { Plugin } from 'vite'

type PageDocument = ReturnType<typeof parseDocument>
type PageElement = ReturnType<typeof DomUtils.getElementsByTagName>[number]

/** A script of the build: its size in characters, and the addresses of the scripts that it imports. */
export interface BuiltScript {
  readonly size: number
  readonly imports: readonly string[]
}

/** Finishes each page of a build: `keepOwnHashes` and `preloadScripts`. */
export function finishPages(): AstroIntegration {
  const scripts = new Map<string, BuiltScript>()
  return {
    name: 'finish-pages',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [recordScripts(scripts)] } })
      },
      'astro:build:done': async ({ dir }) => {
        const folder = fileURLToPath(dir)
        const entries = await readdir(folder, { recursive: true })
        for (const entry of entries.filter((file) => file.endsWith('.html'))) {
          const path = join(folder, entry)
          await writeFile(path, finishPage(await readFile(path, 'utf8'), scripts))
        }
      },
    },
  }
}

/** The page with the changes of `keepOwnHashes` and `preloadScripts`. */
export function finishPage(html: string, scripts: ReadonlyMap<string, BuiltScript>): string {
  const page = parseDocument(html, AS_WRITTEN)
  keepOwnHashes(page)
  preloadScripts(page, scripts)
  return DomUtils.getOuterHTML(page, { encodeEntities: false })
}

/** Texts, names and attributes stay as they are. */
const AS_WRITTEN = { decodeEntities: false, lowerCaseTags: false, lowerCaseAttributeNames: false }

/** Records the scripts of the browser's build by address. */
function recordScripts(scripts: Map<string, BuiltScript>): Plugin {
  return {
    name: 'record-scripts',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const { type, fileName, ...chunk } of Object.values(bundle))
        if (type === 'chunk' && 'code' in chunk)
          scripts.set(`/${fileName}`, {
            size: chunk.code.length,
            imports: chunk.imports.map((name) => `/${name}`),
          })
    },
  }
}

/**
 * Removes unused hashes from the page's content security policy: Astro lists the inline code of all pages in every page. A
 * shorter list allows less, and saves a third of a kilobyte, because hashes do not compress.
 */
function keepOwnHashes(page: PageDocument): void {
  const policy = findPolicy(page)
  if (policy === null) return
  const inline = [...findAll(page, 'script'), ...findAll(page, 'style')].map((element) =>
    DomUtils.textContent(element),
  )
  // Elements that load a file are empty.
  const written = inline.filter((code) => code !== '')
  const own = new Set(written.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`))
  const keepOwn = (directive: string) =>
    directive
      .split(' ')
      .filter((source) => !source.startsWith("'sha256-") || own.has(source))
      .join(' ')
  policy.attribs.content = (policy.attribs.content ?? '').split(';').map(keepOwn).join(';')
}

/**
 * Preloads all scripts that a page's islands import. Otherwise the browser would discover the imports of a file only after
 * fetching it: three round trips instead of one. Does not preload islands that load when visible.
 */
function preloadScripts(page: PageDocument, scripts: ReadonlyMap<string, BuiltScript>): void {
  const policy = findPolicy(page)
  const [head] = findAll(page, 'head')
  if (policy === null || head === undefined) return
  const started = listStartedScripts(page)
  const addresses = new Set([...started.islands, ...started.own])
  // Iterating a Set includes items that are added during the iteration.
  for (const address of addresses)
    for (const imported of scripts.get(address)?.imports ?? []) addresses.add(imported)
  const getSize = (address: string) => scripts.get(address)?.size ?? 0
  const bySize = [...addresses].sort((left, right) => getSize(right) - getSize(left))
  const rest = bySize.slice(LARGE)
  const isOwn = (address: string) => started.own.includes(address)
  // The page's own scripts are small, and one shows the first figures.
  const links = [
    ...bySize.slice(0, LARGE),
    ...rest.filter(isOwn),
    ...rest.filter((address) => !isOwn(address)),
  ].flatMap((address) => parseDocument(`<link rel="modulepreload" href="${address}">`).children)
  // After the policy: browsers delay everything after it until the scripts in front of it have run, and one of these
  // sends the page's first calls. They must not wait for scripts.
  for (const link of links.slice(0, LARGE).reverse()) DomUtils.append(policy, link)
  for (const link of links.slice(LARGE)) DomUtils.appendChild(head, link)
}

/** The two largest scripts are larger than all others of a page together. They start before the style sheets. */
const LARGE = 2

function findPolicy(page: PageDocument): PageElement | null {
  return (
    findAll(page, 'meta').find(({ attribs }) => attribs['http-equiv'] === 'content-security-policy') ?? null
  )
}

/** The scripts of the islands that run immediately, and the page's own scripts. None without such an island. */
function listStartedScripts(page: PageDocument): { islands: string[]; own: string[] } {
  const islands = findAll(page, 'astro-island').filter(({ attribs }) => attribs.client === 'load')
  if (islands.length === 0) return { islands: [], own: [] }
  const own = findAll(page, 'script').filter(({ attribs }) => attribs.type === 'module')
  const isAddress = (address: string | undefined) => address !== undefined
  return {
    islands: islands
      .flatMap(({ attribs }) => [attribs['component-url'], attribs['renderer-url']])
      .filter(isAddress),
    own: own.map(({ attribs }) => attribs.src).filter(isAddress),
  }
}

function findAll(page: PageDocument, name: string): PageElement[] {
  return DomUtils.getElementsByTagName(name, page)
}
