import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const IMPORT = /\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g
/** How many files of tests a mutant is tried with. */
const MOST_TESTS = 12

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: ReadonlySet<string>
}

/** The product's files and its tests beside them. */
export function readModules(): readonly SourceFile[] {
  const paths = globSync('{engine,src,worker}/**/*.{ts,tsx}', { cwd: root })
  return paths
    .filter((path) => !path.endsWith('.long.test.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const imports = [...text.matchAll(IMPORT)].map((match) =>
        join(dirname(path), match[1] ?? match[2] ?? ''),
      )
      return { path, text, imports: new Set(imports) }
    })
}

/**
 * The tests that may notice a change of a file, the likeliest first: those that import it, then those in its folder and in the folders
 * of files that use the changed function, then in folders of others that import it, and last those that import it through others.
 */
export function listNeighbours(
  modules: readonly SourceFile[],
  { file, scope }: { readonly file: string; readonly scope: string },
): readonly string[] {
  const importers = modules.filter(({ imports }) => imports.has(file))
  const users = importers.filter(({ text }) => text.includes(scope))
  const reached = listReached(modules, file)
  const groups: readonly ((test: SourceFile) => boolean)[] = [
    ({ path }) => basename(path).startsWith(`${basename(file, '.ts')}.`) && dirname(path) === dirname(file),
    (test) => users.includes(test),
    (test) => importers.includes(test),
    isInFolder([{ path: file }]),
    isInFolder(users),
    isInFolder(importers),
    ({ path }) => reached.has(path),
  ]
  const tests = modules.filter(
    // In Node, a test runs what it imports. In workerd, it calls the API.
    ({ path }) => path.includes('.test.') && (path.includes('.worker.') || reached.has(path)),
  )
  // Within a group, tests in Node come first: they are faster.
  const ordered = tests.toSorted((a, b) => countWorker(a) - countWorker(b) || (a.path < b.path ? -1 : 1))
  const neighbours = new Set(groups.flatMap((isIn) => ordered.filter(isIn).map(({ path }) => path)))
  return [...neighbours].slice(0, MOST_TESTS)
}

const countWorker = ({ path }: SourceFile) => (path.includes('.worker.') ? 1 : 0)

/** The files that import a file, directly or through others. */
function listReached(modules: readonly SourceFile[], file: string): ReadonlySet<string> {
  const reached = new Set([file])
  // A set goes on to what is added while it is walked.
  for (const path of reached)
    for (const module of modules) if (module.imports.has(path)) reached.add(module.path)
  return reached
}

function isInFolder(files: readonly { readonly path: string }[]): (test: SourceFile) => boolean {
  const folders = new Set(files.map(({ path }) => dirname(path)))
  return ({ path }) => folders.has(dirname(path))
}
