import type { Files } from './files.ts'

export interface SitePage {
  /** As in the address bar, `/about-us`. */
  path: string
  /** Its source, from the project's root. */
  file: string
}

const FOLDER = 'src/pages'

/** The pages of the site, from the sources: no parts of pages, and none of the register’s own about each claim. */
export function pagesOf(files: Files): SitePage[] {
  return files
    .list(FOLDER)
    .filter((file) => /\.(?:astro|mdx?)$/.test(file) && !/\/_/.test(file))
    .flatMap((file) => pathsOf(file, files).map((path) => ({ file, path })))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** One whose address holds a parameter stands for a page about each entry of the collection that its folder is named for. */
function pathsOf(file: string, files: Files): string[] {
  const [, collection] = /\/(\w+)\/\[\w+\]\.\w+$/.exec(file) ?? []
  if (collection === undefined) return [pathOf(file)]
  if (collection === 'claims') return []
  return files
    .list(`src/content/${collection}`)
    .flatMap((entry) => /\/([\w-]+)\.ya?ml$/.exec(entry)?.[1] ?? [])
    .map((id) => `/${collection}/${id}`)
}

function pathOf(file: string): string {
  const path = file
    .slice(FOLDER.length)
    .replace(/\.\w+$/, '')
    .replace(/\/index$/, '')
  return path === '' ? '/' : path
}
