import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
// Catches accidents. The platform accepts 10 MB.
const BUDGET_BYTES = 1024 * 1024
let out = ''
let bundle = ''

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'platform-bundle-'))
  const assets = join(out, 'assets')
  mkdirSync(assets)
  execFileSync(
    join(root, 'node_modules/.bin/wrangler'),
    ['deploy', '--dry-run', '--minify', '--outdir', join(out, 'worker'), '--assets', assets],
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

  it('contains nothing of development: no mailbox, no seed, no known password or secret', () => {
    expect(bundle.includes('/admin-wallets')).toBe(true)
    const known = ['correct-horse-battery-staple', 'JBSWY3DPEHPK3PXP']
    for (const text of ['dev/mailbox', 'dev/seed', 'dev/strategies', 'X-Development-Time', ...known]) {
      expect(bundle.includes(text), text).toBe(false)
    }
  })
})
