import { join } from 'node:path'
import type { Rewrite } from './lane/load.ts'

/** A change of one source file, planted on its way into the running program. No file is written. */
export interface Change {
  readonly name: string
  readonly file: string
  /** Text that stands in the file once, and what it becomes. */
  readonly find: string
  readonly replace: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The change of a migration that `npm run mutate` plants at the moment, for test/setup/migrate.ts. */
    changedMigration: Pick<Change, 'find' | 'replace'> | null
  }
}

/** Plants a change. Throws if its text is not in the file exactly once. */
export function planting({ name, file, find, replace }: Change): Rewrite {
  const path = join(import.meta.dirname, '../..', file)
  return (loaded, text) => {
    if (loaded !== path) return null
    const parts = text.split(find)
    if (parts.length !== 2) throw new Error(`${name}: its text stands ${parts.length - 1} times in ${file}`)
    return parts.join(replace)
  }
}
