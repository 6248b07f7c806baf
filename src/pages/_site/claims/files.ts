import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { getPagePath, listAllTests } from '../../_investing/strategies/marketTests.ts'

/** The project's files, by path from the root. Each is read once. */
export interface Files {
  read: (path: string) => string | undefined
  list: (folder: string) => string[]
}

export function openFiles(root = process.cwd()): Files {
  return {
    read: readOnce((path) =>
      statSync(join(root, path), { throwIfNoEntry: false })?.isFile()
        ? readFileSync(join(root, path), 'utf8')
        : undefined,
    ),
    list: readOnce((folder) => {
      if (!existsSync(join(root, folder))) return []
      const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    }),
  }
}

function readOnce<Value>(read: (path: string) => Value): (path: string) => Value {
  const cache = new Map<string, { value: Value }>()
  return (path) => {
    const found = cache.get(path) ?? { value: read(path) }
    cache.set(path, found)
    return found.value
  }
}

export interface SitePage {
  /** As in the address bar: `/about-us`. */
  path: string
  /** The path of its source from the project's root. */
  file: string
}

const FOLDER = 'src/pages'

/** The pages of the site, from the sources, except those about a single claim. */
export function listPages(files: Files): SitePage[] {
  return files
    .list(FOLDER)
    .filter((file) => /\.(?:astro|mdx?)$/.test(file) && !/\/_/.test(file))
    .flatMap((file) => listPaths(file, files).map((path) => ({ file, path })))
    .sort((firstPage, secondPage) => (firstPage.path < secondPage.path ? -1 : 1))
}

/**
 * A source with a parameter in its name is a page for each entry of the collection with its folder's name. Strategies have a page
 * for each test.
 */
function listPaths(file: string, files: Files): string[] {
  if (file.endsWith('/strategies/[...test].astro')) return listAllTests().map(getPagePath)
  const [, collection] = /\/(\w+)\/\[\w+\]\.\w+$/.exec(file) ?? []
  if (collection === undefined) return [file.slice(FOLDER.length).replace(/(?:\/index)?\.\w+$/, '') || '/']
  if (collection === 'claims') return []
  return files
    .list(`src/content/${collection}`)
    .flatMap((entry) => /\/([\w-]+)\.ya?ml$/.exec(entry)?.[1] ?? [])
    .map((id) => `/${collection}/${id}`)
}
