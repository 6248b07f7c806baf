import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'

const root = resolve(import.meta.dirname, '..')
/** Everything that a build reads, including the tests that are evidence of claims. */
const SOURCES = [
  'astro.config.mjs',
  'tsconfig.json',
  'package.json',
  'wrangler.toml',
  'src',
  'public',
  'engine',
  'data',
  'scripts',
  'worker',
  'test',
  'e2e',
  'migrations',
  // Pictures of an earlier build, which need not be drawn again.
  '.astro/social-pictures',
]
const BUILD_MS = 120_000

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'evenkeel-content-'))
  for (const source of SOURCES.filter((name) => existsSync(join(root, name))))
    cpSync(join(root, source), join(copy, source), { recursive: true })
  // Links the packages, but not the caches that builds keep in hidden folders beside them.
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !/^\.(?!bin$)/.test(name)))
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('an editor of the content', () => {
  const changes = [
    { what: 'an answer', file: 'src/content/faq/costs.yaml', at: ['answer'], seenOn: 'index.html' },
    { what: 'a review', file: 'src/content/reviews/sample-a.yaml', at: ['review'], seenOn: 'reviews.html' },
    {
      what: 'the company’s name',
      file: 'src/content/site.json',
      at: ['company', 'name'],
      seenOn: 'terms-of-service.html',
    },
    {
      what: 'a label of the navigation',
      file: 'src/content/navigation.json',
      at: ['navbar', 1, 'label'],
      seenOn: 'index.html',
    },
    { what: 'a plan', file: 'src/content/plans/silver.yaml', at: ['subtitle'], seenOn: 'fees.html' },
    { what: 'a claim', file: 'src/content/claims/cold-storage.yaml', at: ['claim'], seenOn: 'claims.html' },
  ].map((change, index) => ({ ...change, words: `Words of an editor, number ${index + 1}.` }))
  const clause = 'A clause that an editor has added.'

  beforeAll(async () => {
    for (const { file, at, words } of changes) edit(file, (data) => setField(data, at, words))
    const terms = join(copy, 'src/content/legal/terms-of-service.mdx')
    writeFileSync(terms, `${readFileSync(terms, 'utf8')}\n${clause}\n`)
    const { code, output } = await build()
    expect(code, output).toBe(0)
  }, BUILD_MS)

  test.each(changes)('changes $what and sees the page change', ({ words, seenOn }) => {
    expect(readFileSync(join(copy, 'dist', seenOn), 'utf8')).toContain(words)
    expect(readFileSync(join(root, 'src/content/site.json'), 'utf8')).not.toContain(words)
  })

  test('and adds a clause to the terms, sees the page change', () => {
    expect(readFileSync(join(copy, 'dist/terms-of-service.html'), 'utf8')).toContain(clause)
  })
})

describe('wrong content stops the build with file and field:', () => {
  test.each([
    { what: 'a field that is gone', file: 'src/content/faq/costs.yaml', at: ['answer'], to: undefined },
    {
      what: 'a company without the field for its licence',
      file: 'src/content/site.json',
      at: ['company', 'licence'],
      to: undefined,
    },
    {
      what: 'a link that is no path',
      file: 'src/content/navigation.json',
      at: ['footer', 0, 'href'],
      to: 'home',
    },
    {
      what: 'a link to a page that isn’t there',
      file: 'src/content/navigation.json',
      at: ['facts', 0, 'href'],
      to: '/nowhere',
    },
    {
      what: 'a standing there isn’t',
      file: 'src/content/claims/cards.yaml',
      at: ['standing'],
      to: 'certain',
    },
  ])(
    '$what in $file',
    async ({ file, at, to }) => {
      const before = readFileSync(join(copy, file), 'utf8')
      edit(file, (data) => setField(data, at, to))
      const { code, output } = await build()
      writeFileSync(join(copy, file), before)
      expect(code, output).not.toBe(0)
      expect(output).toContain(file)
      expect(output.replaceAll('*', '')).toContain(at.join('.'))
    },
    BUILD_MS,
  )
})

function edit(file: string, change: (data: unknown) => void): void {
  const path = join(copy, file)
  const data: unknown = parse(readFileSync(path, 'utf8'))
  change(data)
  writeFileSync(path, file.endsWith('.json') ? JSON.stringify(data) : stringify(data))
}

/** Sets the field at a path of keys. Undefined deletes it. */
function setField(data: unknown, [key, ...deeper]: readonly (string | number)[], value: unknown): void {
  if (typeof data !== 'object' || data === null || key === undefined)
    throw new Error(`There is no field ${key}.`)
  if (deeper.length > 0) setField(Reflect.get(data, key), deeper, value)
  else if (value === undefined) Reflect.deleteProperty(data, key)
  else Reflect.set(data, key, value)
}

async function build(): Promise<{ code: number; output: string }> {
  const astro = join(copy, 'node_modules/astro/bin/astro.mjs')
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    NODE_ENV: 'production',
  }
  return promisify(execFile)(process.execPath, [astro, 'build'], { cwd: copy, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}
