import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { describe, expect, test } from 'vitest'
import { createFreshDatabase } from '../scripts/backup/tables.ts'

// The platform watches wallets and never signs. No private key of a chain may be stored, imported or derived anywhere in it.

const root = resolve(import.meta.dirname, '..')

/** The files of the platform. Tests may have keys: published vectors, and the hardware wallets that they play. */
const files = execFileSync(
  'git',
  ['ls-files', 'src', 'worker', 'engine', 'scripts', 'migrations', 'public', 'docs', 'wrangler.toml'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.(?:[jt]sx?|mjs|sql|json|toml|md|mdx|ya?ml|astro|html|txt)$/.test(path))
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const base58check = createBase58check(sha256)

/** Private keys in a text whose checksums are right: extended ones, and single ones in wallet import format. */
function privateKeysIn(text: string): string[] {
  const words =
    text.match(/(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{51,112}(?![1-9A-HJ-NP-Za-km-z])/g) ?? []
  return words.filter((word) => {
    try {
      const payload = base58check.decode(word)
      const isWif = [0x80, 0xef].includes(payload[0] ?? 0) && (payload.length === 33 || payload.length === 34)
      return isWif || (payload.length === 78 && payload[45] === 0)
    } catch {
      return false
    }
  })
}

/** What code that derives, imports or uses a private key of a chain has to call. */
const SIGNING =
  /fromMasterSeed|privateExtendedKey|mnemonicTo|entropyTo|generateMnemonic|\.signIdx\(|\.signBy\(|(?:secp256k1|schnorr)\.sign\b|\.getPublicKey\(|randomSecretKey|randomPrivateKey|\.privateKey\b/

describe('a private key of a chain', () => {
  test('is recognised by this test', () => {
    const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(1))
    const wif = base58check.encode(Uint8Array.of(0x80, ...new Uint8Array(32).fill(1), 1))
    expect(privateKeysIn(`the key ${key.privateExtendedKey}.`)).toEqual([key.privateExtendedKey])
    expect(privateKeysIn(`(${wif})`)).toEqual([wif])
    expect(privateKeysIn(key.publicExtendedKey)).toEqual([])
    for (const code of ['HDKey.fromMasterSeed(seed)', 'transaction.signIdx(key, 0)', 'account.privateKey'])
      expect([code, SIGNING.test(code)]).toEqual([code, true])
  })

  test('is in no file of the platform', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(files.filter(({ text }) => privateKeysIn(text).length > 0).map(({ path }) => path)).toEqual([])
  })

  test('is derived, imported or used by no code of the platform', () => {
    const code = files.filter(({ path }) => /\.(?:[jt]sx?|mjs)$/.test(path))
    const found = code.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => SIGNING.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  test('has no column in the database', () => {
    const columns = createFreshDatabase()
      .prepare(
        "SELECT m.name || '.' || c.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'",
      )
      .all()
      .map(({ name }) => String(name))
    expect(columns.length).toBeGreaterThan(300)
    expect(columns.filter((name) => /priv|seed|mnemonic|phrase|prv|wif|signing/.test(name))).toEqual([])
    // Secrets of other kinds: each is a hash, sealed, or of a day's salts.
    expect(columns.filter((name) => /secret/.test(name)).sort()).toEqual([
      'liability_days.secret',
      'second_factors.secret_sealed',
      'sessions.secret_hash',
    ])
  })
})
