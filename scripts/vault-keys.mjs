import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The key that wraps this state's identity documents, in the form of the VAULT_KEYS secret. Made once: without it,
 * what is already stored could not be read.
 *
 * @param {string} stateDirectory
 */
export function vaultKeys(stateDirectory) {
  const path = join(stateDirectory, 'vault-keys')
  try {
    writeFileSync(path, `1:${randomBytes(32).toString('base64')}`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8')
}
