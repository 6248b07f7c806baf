import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
// Catches accidents. The platform accepts 10 MB.
const BUDGET_BYTES = 1024 * 1024
/** Each is evaluated at every start of the Worker, and takes time before the first answer: `test/bench/startup.mjs`. */
const MODULES_AT_START = 680
const SCHEMAS_AT_START = 2_550
let out = ''
let bundle = ''

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'platform-bundle-'))
  const assets = join(out, 'assets')
  mkdirSync(assets)
  execFileSync(
    join(root, 'node_modules/.bin/wrangler'),
    ['deploy', '--dry-run', '--minify', '--metafile', '--outdir', join(out, 'worker'), '--assets', assets],
    { cwd: root, env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }, stdio: 'pipe' },
  )
  bundle = readdirSync(join(out, 'worker'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(out, 'worker', name), 'utf8'))
    .join('\n')
}, 120_000)
afterAll(() => rmSync(out, { recursive: true, force: true }))

describe('the production bundle', () => {
  it('is at most 1 MB compressed', () => {
    const bytes = readdirSync(join(out, 'worker'))
      .filter((name) => /\.(?:js|wasm)$/.test(name))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(out, 'worker', name))).length, 0)
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES)
  })

  it('is at most 2.35 MB before compression, because every start of the Worker parses it', () => {
    expect(bundle.length).toBeGreaterThan(1_000_000)
    expect(bundle.length).toBeLessThanOrEqual(2.35 * 1024 * 1024)
  })

  it('evaluates few modules when it starts: neither the console nor the jobs, chains, exchanges, WebAuthn or the HTML sanitiser', () => {
    const evaluated = modulesAtStart()
    expect(evaluated.size).toBeGreaterThan(300)
    expect(evaluated.size).toBeLessThanOrEqual(MODULES_AT_START)
    const late = [
      ...[
        'worker/console/routes.ts',
        'worker/cron.ts',
        'worker/investing/venues/kraken',
        'src/chain/ethereum/account.ts',
      ],
      ...[
        '@simplewebauthn/server',
        '@peculiar',
        'sanitize-html',
        'postcss',
        'htmlparser2',
        '@scure/btc-signer',
      ].map((name) => `node_modules/${name}/`),
    ]
    for (const path of late)
      expect(Object.keys(readMetafile().inputs).some((each) => each.includes(path))).toBe(true)
    expect([...evaluated].filter((path) => late.some((each) => path.includes(each)))).toEqual([])
  })

  it('builds few schemas when it starts', () => {
    const schemas = Number(
      execFileSync(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        join(root, 'test/support/countSchemas.mjs'),
      ]),
    )
    expect(schemas).toBeGreaterThan(500)
    expect(schemas).toBeLessThanOrEqual(SCHEMAS_AT_START)
  })

  it('contains nothing of development: no mailbox, no seed, no known password or secret', () => {
    expect(bundle.includes('/admin-wallets')).toBe(true)
    const known = ['correct-horse-battery-staple', 'JBSWY3DPEHPK3PXP', 'busy.example']
    for (const text of ['dev/mailbox', 'dev/seed', 'dev/strategies', 'X-Development-Time', ...known]) {
      expect(bundle.includes(text), text).toBe(false)
    }
  })
})

interface Metafile {
  readonly inputs: Record<string, { readonly imports: readonly { path: string; kind: string }[] }>
  readonly outputs: Record<string, { readonly entryPoint?: string }>
}

function readMetafile(): Metafile {
  return JSON.parse(readFileSync(join(out, 'worker/bundle-meta.json'), 'utf8')) as Metafile
}

/** The modules that the entry imports, directly or not, but for those that it loads later. */
function modulesAtStart(): ReadonlySet<string> {
  const { inputs, outputs } = readMetafile()
  const entry = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  const reached = new Set(entry)
  for (const path of reached)
    for (const { path: imported, kind } of inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && imported in inputs) reached.add(imported)
  return reached
}
