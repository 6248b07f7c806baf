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
  const list = (folder: string): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
          const path = `${folder}/${entry.name}`
          return entry.isDirectory() ? list(path) : [path]
        })
      : []
  const read = (path: string) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, path), 'utf8')
      : undefined
  return { read, list }
}
