import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Patterns of keys and passwords, of the services in use and of other common ones. */
const KEY_LIKE: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g],
  ['an age identity', /AGE-SECRET-KEY-1[0-9A-Z]{20,}/g],
  ['a live or test key of a payment service', /\b[srp]k_(?:live|test)_[0-9A-Za-z]{16,}/g],
  ['a Resend key', /\bre_[0-9A-Za-z]{6,}_[0-9A-Za-z]{16,}/g],
  ['a GitHub token', /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{40,})/g],
  ['an AWS key', /\bAKIA[0-9A-Z]{16}\b/g],
  ['a Google key', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['a Slack token', /\bxox[abprs]-[0-9A-Za-z-]{10,}/g],
  ['a JSON web token', /\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}/g],
  ['a wrapping key of the vault', /\b[1-9]\d{0,5}:[A-Za-z0-9+/]{43}=/g],
  ['32 bytes in base64, given to something', /[:=(]\s*['"`][A-Za-z0-9+/]{43}=['"`]/g],
  [
    '32 bytes in hex, given to something secret',
    // A `reference_key` is the public hash of a transaction.
    /(?:(?<!reference_)key|secret|token|password)\w*['"]?\s*[:=]\s*['"`][0-9a-f]{64}['"`]/gi,
  ],
  ['a bearer token', /\bBearer [A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{40,}/g],
  ['an address with a password', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"`<>$]{1,40}:[^\s/:@'"`<>${}]{6,}@/gi],
  ['a second factor’s secret', /\b[A-Z2-7]{32}\b/g],
]

/** Public values: the secrets and keys of the development accounts, the example of RFC 6238, and the base32 alphabet. */
const PUBLIC_VALUES = new Set([
  'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  'AGE-SECRET-KEY-1D782TX8E3V0KWHK70GK5YVAXLS6PU5CSHQXR6DQW8V5VSGYA8FPSHF3UGX',
  'AGE-SECRET-KEY-1ES62H4NXWGM56RXX9A2PAEFHYQQR6AT33GS9Y0Y3E8EQU5QTPLUSR9WN3H',
  'AGE-SECRET-KEY-1AXPMNRMHHU5HG9MRH7MR8A8G6FHUH6LVPN9ZMVXXRZGEESQT3R7SAYWHW7',
])

function keysIn(text: string): string[] {
  return KEY_LIKE.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !PUBLIC_VALUES.has(found))
      .map(([found]) => `${what}: ${found.slice(0, 24)}…`),
  )
}

function keysInFiles(files: readonly string[]): string[] {
  return files.flatMap((path) => keysIn(readFileSync(path, 'latin1')).map((found) => `${path}: ${found}`))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

const isText = (path: string) => !/\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|wasm|mp4)$/.test(path)

describe('no secret', () => {
  test('is in the repository', () => {
    // A copy without its git history has no list of files.
    const listed = existsSync(join(root, '.git'))
      ? execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
          cwd: root,
          encoding: 'utf8',
        })
          .split('\0')
          .filter(Boolean)
      : ['src', 'worker', 'scripts', 'test', 'migrations'].flatMap((folder) =>
          readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
            (name) => `${folder}/${name}`,
          ),
        )
    const files = listed
      // Leaves out packages, their hashes and this list of patterns.
      .filter((path) => !/(?:^|\/)(?:package-lock\.json$|node_modules\/)/.test(path))
      .filter((path) => path !== 'test/secrets.test.ts' && isText(path))
      .map((path) => join(root, path))
      .filter((path) => existsSync(path) && statSync(path).isFile())
    expect(files.length).toBeGreaterThan(500)
    expect(keysInFiles(files)).toEqual([])
    expect(
      listed.filter((path) => /(?:^|\/)(?:\.env|\.dev\.vars)(?:\.|$)|\.(?:pem|p12|pfx|key)$/.test(path)),
    ).toEqual([])
  })

  test('is in the built site', () => {
    const site = join(root, 'dist')
    const files = existsSync(site) ? filesBelow(site).filter(isText) : []
    // `npm test` builds the site first. Alone, this test checks whatever is in `dist`.
    expect(keysInFiles(files)).toEqual([])
    const known = files.filter((path) =>
      /JBSWY3DPEHPK3PXP|correct-horse-battery-staple/.test(readFileSync(path, 'latin1')),
    )
    expect(known).toEqual([])
  })

  describe('of a bundle', () => {
    let out = ''
    beforeAll(() => {
      out = mkdtempSync(join(tmpdir(), 'platform-secrets-'))
      mkdirSync(join(out, 'assets'))
      execFileSync(
        join(root, 'node_modules/.bin/wrangler'),
        ['deploy', '--dry-run', '--outdir', join(out, 'worker'), '--assets', join(out, 'assets')],
        // A secret in the environment of the build must not get into the bundle.
        {
          cwd: root,
          env: {
            ...process.env,
            VAULT_KEYS: OWN,
            RESEND_API_KEY: OWN,
            WRANGLER_SEND_METRICS: 'false',
            CI: 'true',
          },
          stdio: 'pipe',
        },
      )
    }, 120_000)
    afterAll(() => rmSync(out, { recursive: true, force: true }))

    test('is in the Worker’s bundle, not even a secret in the environment of the build', () => {
      const files = filesBelow(join(out, 'worker')).filter(isText)
      expect(files.length).toBeGreaterThan(0)
      expect(keysInFiles(files.filter((path) => !path.endsWith('.map')))).toEqual([])
      expect(files.filter((path) => readFileSync(path, 'latin1').includes(OWN))).toEqual([])
    })
  })
})

const OWN = `7:${Buffer.alloc(32, 7).toString('base64')}`

test.each([
  '-----BEGIN EC PRIVATE KEY-----',
  `sk_live_${'a1'.repeat(12)}`,
  OWN,
  `const key = '${Buffer.alloc(32, 3).toString('base64')}'`,
  `apiKey: "${'0f'.repeat(32)}"`,
  `https://user:${'pass-word'}@example.com/`,
  'MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK',
  `Authorization: Bearer ${'a'.repeat(20)}.${'b'.repeat(43)}`,
])('a secret would be found: %s', (text) => {
  expect(keysIn(`words before ${text} and behind`)).toHaveLength(1)
})
