import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addVaultKey, ensureVaultKeys } from './vault-keys.mjs'

it('a state keeps its key, readable only by its owner', () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-keys-'))
  const keys = ensureVaultKeys(directory)
  expect(keys).toMatch(/^1:[A-Za-z0-9+/]{43}=$/)
  expect(ensureVaultKeys(directory)).toBe(keys)
  expect(statSync(join(directory, 'vault-keys')).mode & 0o777).toBe(0o600)
  rmSync(directory, { recursive: true })
})

it('a further key comes before the older ones, with the next version', () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-keys-'))
  const first = ensureVaultKeys(directory)
  expect(addVaultKey(directory)).toBe(2)
  expect(addVaultKey(directory)).toBe(3)
  const keys = ensureVaultKeys(directory)
  expect(keys).toMatch(/^3:[A-Za-z0-9+/]{43}=,2:[A-Za-z0-9+/]{43}=,1:/)
  expect(keys.endsWith(first)).toBe(true)
  expect(statSync(join(directory, 'vault-keys')).mode & 0o777).toBe(0o600)
  rmSync(directory, { recursive: true })
})
