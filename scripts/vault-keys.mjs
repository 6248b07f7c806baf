import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The key that wraps this state's identity documents, in the format of the VAULT_KEYS secret. Created once, because stored
 * documents cannot be read without it.
 *
 * @param {string} stateDirectory
 */
export function ensureVaultKeys(stateDirectory) {
  const path = join(stateDirectory, 'vault-keys')
  try {
    writeFileSync(path, `1:${randomBytes(32).toString('base64')}`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8')
}

/**
 * Adds a new version to this state's keys. It encrypts from the next start on; older versions still decrypt.
 *
 * @param {string} stateDirectory
 * @returns {number} the new version
 */
export function addVaultKey(stateDirectory) {
  const keys = ensureVaultKeys(stateDirectory).trim()
  const newest = 1 + Math.max(...keys.split(',').map((key) => Number.parseInt(key, 10)))
  const path = join(stateDirectory, 'vault-keys')
  // Renamed when complete, so that the key file is never incomplete.
  writeFileSync(`${path}.new`, `${newest}:${randomBytes(32).toString('base64')},${keys}`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return newest
}
