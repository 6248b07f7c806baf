import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { claim, navigationContent, siteContent } from '../src/content/schemas.ts'
import { hull } from '../src/layouts/boatHull.ts'
import { site } from '../src/site.ts'

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
  'migrations',
  // Pictures of an earlier build, which need not be drawn again.
  '.astro/social-pictures',
]
const BUILD_MS = 120_000
/** The sample's name. The strategy "Even Keel" has a space or a hyphen. */
const FORMER_NAME = /evenkeel/i

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'platform-content-'))
  for (const source of SOURCES.filter((name) => existsSync(join(root, name))))
    cpSync(join(root, source), join(copy, source), { recursive: true })
  // Links the packages, but not the caches that builds keep in hidden folders beside them.
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !/^\.(?!bin$)/.test(name)))
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Another brand. A sign and a letter outside ASCII in its name must not break a header, a file name or a mail. */
const BRAND = {
  brand: 'Søren & Sons',
  slug: 'soren',
  tagline: 'Slow money.',
  description: 'Automated trading by written strategies, for people who read the rules before they decide.',
  origin: 'https://invest.soren.example',
  supportEmail: 'help@soren.example',
  mailSender: 'mail@soren.example',
  accent: { light: '#7a2f8f', dark: '#d6a5e3' },
  boat: false,
}

/** A logo as drawing programs export it. */
const LOGO = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none">
  <title>Søren</title>
  <g fill="#222"><path d="M2 2h9v9\n    H2Z" fill-rule="evenodd"/><circle cx="18" cy="6" r="4"/></g>
  <polyline points="2 22 12 13 22 22" style="stroke: #7a2f8f; stroke-width: 3"/>
</svg>`
/** What the built site has of the sample's logo, accent and boat. */
const FORMER_LOOKS = [
  ...site.logo.shapes.map(({ path }) => path),
  site.accent.light,
  site.accent.dark,
  hull.profile,
]

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
    for (const [name, value] of Object.entries(BRAND))
      edit('src/content/site.json', (data) => setField(data, [name], value))
    writeFileSync(join(copy, 'logo.svg'), LOGO)
    const branded = await runNode(['scripts/brand.mjs', '--logo', 'logo.svg'])
    expect(branded.output).toContain('Changed: src/content/site.json, src/design/tokens.css, wrangler.toml.')
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

  test.runIf(site.sample)(
    'and gives the site another name and look, sees the former ones nowhere on it',
    () => {
      const built = join(copy, 'dist')
      const former = readdirSync(built, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(built, name)).isFile())
        .flatMap((name) => {
          const text = readFileSync(join(built, name), 'latin1')
          const looks = FORMER_LOOKS.filter((look) => text.includes(look))
          return [...looks, ...(FORMER_NAME.exec(text) ?? [])].map((found) => `${name}: ${found}`)
        })
      expect(former).toEqual([])
      const home = readFileSync(join(built, 'index.html'), 'utf8')
      expect(home).toContain('Søren &amp; Sons')
      expect(home).toContain('<path d="M2 22 12 13 22 22" fill="none" stroke="currentColor" stroke-width="3"')
      expect(home).toContain('<path d="M2 2h9v9 H2Z" fill="currentColor" fill-rule="evenodd"/>')
    },
  )

  test.runIf(site.sample)(
    'and gives the site another name, sees the former name nowhere in the Worker',
    async () => {
      const folder = join(copy, 'bundle')
      const wrangler = 'node_modules/wrangler/bin/wrangler.js'
      const { code, output } = await runNode([wrangler, 'deploy', '--dry-run', '--outdir', folder])
      expect(code, output).toBe(0)
      expect(readFileSync(join(copy, 'wrangler.toml'), 'utf8')).not.toMatch(FORMER_NAME)
      const script = readFileSync(join(folder, 'index.js'), 'utf8')
      expect(script).toContain(BRAND.supportEmail)
      expect(script).not.toMatch(FORMER_NAME)
    },
    BUILD_MS,
  )
})

describe('wrong content stops the build with file and field:', () => {
  test.each([
    { what: 'a field that is gone', file: 'src/content/faq/costs.yaml', at: ['answer'], to: undefined },
    {
      what: 'a link to a page that isn’t there',
      file: 'src/content/navigation.json',
      at: ['facts', 0, 'href'],
      to: '/nowhere',
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

describe('a schema refuses', () => {
  test.each([
    {
      what: 'a company without the field for its licence',
      schema: siteContent,
      file: 'src/content/site.json',
      at: ['company', 'licence'],
      to: undefined,
    },
    {
      what: 'a link that is no path',
      schema: navigationContent,
      file: 'src/content/navigation.json',
      at: ['footer', 0, 'href'],
      to: 'home',
    },
    {
      what: 'a standing there isn’t',
      schema: claim,
      file: 'src/content/claims/cards.yaml',
      at: ['standing'],
      to: 'certain',
    },
  ])('$what in $file', ({ schema, file, at, to }) => {
    const data: unknown = parse(readFileSync(join(root, file), 'utf8'))
    expect(schema.safeParse(data).success).toBe(true)
    setField(data, at, to)
    expect(schema.safeParse(data).error?.issues.map(({ path }) => path)).toEqual([at])
  })
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

function build(): Promise<{ code: number; output: string }> {
  return runNode(['node_modules/astro/bin/astro.mjs', 'build'])
}

/** Runs a program of Node in the copy. */
async function runNode(parameters: readonly string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: '1',
    WRANGLER_SEND_METRICS: 'false',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    NODE_ENV: 'production',
  }
  return promisify(execFile)(process.execPath, parameters, { cwd: copy, env, maxBuffer: 2 ** 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}
