import { posix } from 'node:path'
import { parse } from 'yaml'
import { type Files, listPages } from './files.ts'

export interface Uses {
  /** In the layout of all public pages. */
  everywhere: boolean
  /** The paths of the pages that make it themselves. */
  pages: string[]
}

const SHARED = 'src/layouts/PublicLayout.astro'
/** The register's own page, which only repeats claims. */
const REGISTER = '/claims'

/**
 * Where each claim is made, by its id: in the source of a page, in its imports, or in its content. A browser test compares
 * the result with the built pages.
 */
export function findUses(files: Files): Map<string, Uses> {
  const uses = new Map<string, Uses>()
  const getUse = (id: string) => {
    const found = uses.get(id) ?? { everywhere: false, pages: [] }
    uses.set(id, found)
    return found
  }
  const shared = collectSources(SHARED, files)
  for (const id of findIds(shared, '/', files)) getUse(id).everywhere = true
  for (const { path, file } of listPages(files)) {
    if (path === REGISTER) continue
    const own = [...collectSources(file, files)].filter((source) => !shared.has(source))
    for (const id of findIds(own, path, files)) getUse(id).pages.push(path)
  }
  return uses
}

/** A source and everything that it imports, directly or indirectly. */
function collectSources(file: string, files: Files, found = new Set<string>()): Set<string> {
  if (found.has(file) || files.read(file) === undefined) return found
  found.add(file)
  for (const imported of importsOf(file, files)) collectSources(imported, files, found)
  return found
}

const importsOf = withCache((file: string, files: Files): string[] =>
  [...(files.read(file) ?? '').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"?]+)['"]/g)].flatMap(
    ([, specifier = '']) =>
      /\.(?:astro|mdx?|tsx?|json)$/.test(specifier) ? posix.join(posix.dirname(file), specifier) : [],
  ),
)

/** Caches the result for each file, because many pages share it. */
function withCache<Found>(
  look: (file: string, files: Files) => Found,
): (file: string, files: Files) => Found {
  const cache = new WeakMap<Files, Map<string, Found>>()
  return (file, files) => {
    const found = cache.get(files) ?? new Map<string, Found>()
    cache.set(files, found)
    const answer = found.get(file) ?? look(file, files)
    found.set(file, answer)
    return answer
  }
}

function findIds(sources: Iterable<string>, path: string, files: Files): Set<string> {
  const ids = new Set<string>()
  for (const source of sources) {
    for (const id of idsInSource(source, files)) ids.add(id)
    for (const entry of listContentFiles(source, path, files))
      for (const id of idsInContent(entry, files)) ids.add(id)
  }
  return ids
}

const idsInSource = withCache((source: string, files: Files) => findMarkupIds(files.read(source) ?? ''))

const IN_MARKUP =
  /(?:<Claim\b[^>]*?\sof=|\bdata-claim=|\bclaims?:\s*)(?:["']([^"']*)["']|\{?\s*(\[[^\]]*\])|\{\s*["']([^"']*)["']\s*\})/g

/** Finds `<Claim of="a">`, `<Claim of={['a', 'b']}>`, and `claims: ['a']` in a template's data. */
function findMarkupIds(text: string): string[] {
  return [...text.matchAll(IN_MARKUP)].flatMap(([, single, several, braced]) =>
    several
      ? [...several.matchAll(/['"]([^'"]+)['"]/g)].map(([, id = '']) => id)
      : splitWords(single ?? braced ?? ''),
  )
}

/** The content files that a source uses: a whole collection, or the entry named by the source or its page. */
function listContentFiles(source: string, path: string, files: Files): string[] {
  return collectionsIn(source, files).flatMap(([, collection = '', id]) => {
    if (collection === 'claims') return []
    const entries = files
      .list(`src/content/${collection}`)
      .filter((file) => /\.(?:ya?ml|json|mdx)$/.test(file))
    const named = entries.filter((file) =>
      [id, path.slice(1)].includes(posix.basename(file).replace(/\.\w+$/, '')),
    )
    return named.length > 0 ? named : entries
  })
}

const collectionsIn = withCache((source: string, files: Files) => [
  ...(files.read(source) ?? '').matchAll(
    /\bget(?:Collection|Entry)\(\s*['"](\w+)['"](?:\s*,\s*['"]([\w-]+)['"])?/g,
  ),
])

const idsInContent = withCache((file: string, files: Files): string[] => {
  const text = files.read(file) ?? ''
  const [, head, body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [undefined, text]
  return [...findDataIds(parse(head ?? '')), ...findMarkupIds(body)]
})

/** The values of all fields called `claims`, however deep. */
function findDataIds(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    if (key !== 'claims') return findDataIds(value)
    return [value].flat().flatMap((id) => (typeof id === 'string' ? splitWords(id) : []))
  })
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
