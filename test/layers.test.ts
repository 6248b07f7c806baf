import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** The folder of each layer, and the other layers that it may import. */
const LAYERS: Record<string, { folder: string; mayImport: string[] }> = {
  // Every layer may import it.
  time: { folder: 'src/time.ts', mayImport: [] },
  // It may import the data in `src/content`.
  site: { folder: 'src/site.ts', mayImport: ['content'] },
  contract: { folder: 'src/contract', mayImport: [] },
  engine: { folder: 'engine', mayImport: [] },
  // Reads and cleans pictures: in the Worker on upload, in the browser before encryption and after decryption.
  pictures: { folder: 'src/pictures', mayImport: ['contract'] },
  // What the chains prove: in the Worker before it credits, in the browser to check it again.
  chain: { folder: 'src/chain', mayImport: ['contract'] },
  design: { folder: 'src/design', mayImport: ['contract', 'site'] },
  islands: {
    folder: 'src/islands',
    mayImport: ['design', 'contract', 'engine', 'pictures', 'chain', 'site'],
  },
  layouts: { folder: 'src/layouts', mayImport: ['islands', 'design', 'contract', 'site', 'content'] },
  pages: {
    folder: 'src/pages',
    mayImport: ['layouts', 'islands', 'design', 'contract', 'engine', 'site', 'content'],
  },
  content: { folder: 'src/content', mayImport: ['contract', 'engine', 'site'] },
  worker: { folder: 'worker', mayImport: ['contract', 'engine', 'pictures', 'chain', 'site'] },
}

/**
 * The areas of each layer in order. A file may import from its own area and the ones before it. `root` is the files outside any area:
 * in the Worker they assemble the areas, elsewhere all areas share them. `worker/dev` may import everything.
 */
const AREAS: Record<string, string[]> = {
  'src/contract': ['root', 'platform', 'identity', 'money', 'investing', 'outreach', 'console'],
  'src/islands': ['lib', 'shell', 'identity', 'money', 'investing', 'outreach', 'overview', 'console'],
  worker: [
    'lib',
    'http',
    'platform',
    'ledger',
    'identity',
    'chains',
    'money',
    'investing',
    'outreach',
    'console',
    'root',
  ],
}

/** The only packages that a layer may import. A layer without an entry may import any. */
const PACKAGES: Record<string, RegExp> = {
  contract:
    /^(?:zod\/mini|countries-list\/minimal\/countries\.\w+\.min\.json|@noble\/hashes\/[a-z0-9_]+\.js|@scure\/base)$/,
  engine: /^$/,
  pictures: /^saxes$/,
  chain:
    /^(?:@noble\/(?:hashes|curves)\/[a-z0-9_]+\.js|@scure\/(?:base|bip32|btc-signer(?:\/[a-z]+\.js)?)|micro-eth-signer(?:\/[a-z0-9/-]+\.js)?)$/,
}

function layerOf(path: string): string | undefined {
  return Object.keys(LAYERS).find((name) => {
    const folder = LAYERS[name]?.folder ?? ''
    return path === folder || path.startsWith(`${folder}/`)
  })
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.') || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sources(path) : /\.(?:tsx?|mjs|astro|mdx)$/.test(entry.name) ? [path] : []
  })
}

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, named, dynamic]) => named ?? dynamic ?? '')
}

const files = sources(root)
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path }) => layerOf(path) !== undefined)

/** What is run from the terminal. */
const commands = sources(join(root, 'scripts')).map((path) => ({
  path: relative(root, path),
  text: readFileSync(path, 'utf8'),
}))

const isTest = (path: string) => path.includes('.test.')

/** Imports between files of `folder`, without tests and the development entry. */
function importsWithin(folder: string) {
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path) && !path.startsWith('worker/dev/'))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => ({ from: path, to: relative(root, resolve(root, dirname(path), specifier)) }))
        .filter(({ to }) => to.startsWith(`${folder}/`)),
    )
}

function areaOf(path: string, folder: string): string {
  const [area = '', inside] = path.slice(folder.length + 1).split('/')
  return inside !== undefined ? area : 'root'
}

describe('the layers', () => {
  it('are found, with their imports', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(
      importsOf(
        `import { a } from './b.ts'\nexport * from "../c.ts"\nimport './d.css'\nawait import('./e.ts')`,
      ),
    ).toEqual(['./b.ts', '../c.ts', './d.css', './e.ts'])
  })

  it('import only the layers they may', () => {
    const violations = files.flatMap(({ path, text }) => {
      const from = layerOf(path) ?? ''
      return importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => relative(root, resolve(root, dirname(path), specifier)))
        .filter((target) => {
          const to = layerOf(target)
          return to !== undefined && to !== 'time' && to !== from && !LAYERS[from]?.mayImport.includes(to)
        })
        .map((target) => `${path} → ${target}`)
    })
    expect(violations).toEqual([])
  })

  it('and the commands import nothing of the tests', () => {
    const product = [...files, ...commands].filter(({ path }) => !isTest(path) && !path.startsWith('test/'))
    expect(
      product.flatMap(({ path, text }) =>
        importsOf(text)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => relative(root, resolve(root, dirname(path), specifier)))
          .filter((target) => target.startsWith('test/'))
          .map((target) => `${path} → ${target}`),
      ),
    ).toEqual([])
  })

  it('import only the packages they may', () => {
    const violations = files.flatMap(({ path, text }) => {
      const allowed = PACKAGES[layerOf(path) ?? '']
      const isTest = path.endsWith('.test.ts') || path.startsWith('test/support/engine/')
      if (allowed === undefined || isTest) return []
      return importsOf(text)
        .filter((specifier) => !specifier.startsWith('.') && !allowed.test(specifier))
        .map((specifier) => `${path} → ${specifier}`)
    })
    expect(violations).toEqual([])
  })

  it.each(Object.entries(AREAS))(
    'have areas in %s, and no area imports from one after it',
    (folder, areas) => {
      const imports = importsWithin(folder)
      expect(imports.length).toBeGreaterThan(100)
      expect(
        imports.filter(
          ({ from, to }) => areas.indexOf(areaOf(to, folder)) > areas.indexOf(areaOf(from, folder)),
        ),
      ).toEqual([])
      const found = files
        .filter(
          ({ path }) => path.startsWith(`${folder}/`) && !path.startsWith('worker/dev/') && !isTest(path),
        )
        .map(({ path }) => areaOf(path, folder))
      expect([...new Set(found)].filter((area) => !areas.includes(area))).toEqual([])
    },
  )

  it('have no folders that import each other, directly or indirectly', () => {
    const importsOfFolder = new Map<string, Set<string>>()
    for (const { from, to } of importsWithin('worker')) {
      const [here, there] = [dirname(from), dirname(to)]
      if (here !== there) importsOfFolder.set(here, (importsOfFolder.get(here) ?? new Set()).add(there))
    }
    const reachable = (start: string) => {
      const seen = new Set<string>()
      const next = [...(importsOfFolder.get(start) ?? [])]
      for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
        if (seen.has(folder)) continue
        seen.add(folder)
        next.push(...(importsOfFolder.get(folder) ?? []))
      }
      return seen
    }
    expect(importsOfFolder.size).toBeGreaterThan(30)
    expect([...importsOfFolder.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([])
  })

  it('production layers do not import the development entry', () => {
    const violations = files
      .filter(
        ({ path }) =>
          path.startsWith('worker/') && !path.startsWith('worker/dev/') && !path.endsWith('.test.ts'),
      )
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter((specifier) => /(?:^|\/)dev\//.test(specifier))
          .map((specifier) => `${path} → ${specifier}`),
      )
    expect(violations).toEqual([])
  })
})
