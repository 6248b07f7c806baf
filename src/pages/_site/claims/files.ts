import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The project's own files as they are read at build time, by their paths from its root. All commands of the project run
 * there, which no address of a bundled module would say.
 */
export interface Files {
  /** The text, or undefined where there is no such file. */
  read: (path: string) => string | undefined
  /** The files of a folder and all below it. */
  list: (folder: string) => string[]
}

export function filesOf(root = process.cwd()): Files {
  const texts = new Map<string, string | undefined>()
  const folders = new Map<string, string[]>()
  const list = (folder: string) => {
    const found = folders.get(folder) ?? look(folder)
    folders.set(folder, found)
    return found
  }
  const look = (folder: string): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
          const path = `${folder}/${entry.name}`
          return entry.isDirectory() ? look(path) : [path]
        })
      : []
  // What many pages import is asked for once for each of them.
  const read = (path: string) => {
    if (!texts.has(path))
      texts.set(path, isFile(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)
    return texts.get(path)
  }
  return { read, list }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
