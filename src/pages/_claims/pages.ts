import type { Files } from './files.ts'

export interface SitePage {
  /** As in the address bar, `/about-us`. */
  path: string
  /** Its source, from the project's root. */
  file: string
}

const FOLDER = 'src/pages'

/** The pages of the site, from the sources: no parts of pages, and none whose address holds a parameter. */
export function pagesOf(files: Files): SitePage[] {
  return files
    .list(FOLDER)
    .filter((file) => /\.(?:astro|mdx?)$/.test(file) && !/\/_|\[/.test(file))
    .map((file) => ({ file, path: pathOf(file) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

function pathOf(file: string): string {
  const path = file
    .slice(FOLDER.length)
    .replace(/\.\w+$/, '')
    .replace(/\/index$/, '')
  return path === '' ? '/' : path
}
