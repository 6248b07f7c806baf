import { generateRandomBytes } from '../runtime.ts'
import { toPlainBytes } from './tokens.ts'

/**
 * Encrypts values that must be readable again: second-factor secrets and identity documents. Everything is AES-256-GCM and bound
 * to a context (`aad`, for example user id and file id), so a ciphertext moved to another row cannot be decrypted.
 */
export type Vault = {
  /** The version that encrypts, and all versions that decrypt. */
  readonly newest: number
  readonly versions: readonly number[]
  /** Encrypts a short secret under the newest key. */
  sealSmall(plaintext: string | Uint8Array, aad: string): Promise<string>
  /** Decrypts the result of `sealSmall`. Throws a VaultError if it was altered or belongs to another context. */
  openSmall(sealed: string, aad: string): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Encrypts a file under its own key, and returns that key wrapped under the newest key. Deleting the wrapped key shreds the
   * file.
   */
  sealFile(bytes: Uint8Array, aad: string): Promise<SealedFile>
  /** Decrypts the result of `sealFile`. Throws a VaultError if anything was altered or belongs to another context. */
  openFile(ciphertext: Uint8Array, wrappedKey: string, aad: string): Promise<Uint8Array<ArrayBuffer>>
  /** Encrypts a result of `sealSmall` again under the newest key. */
  renewSmall(sealed: string, aad: string): Promise<string>
  /** Wraps a file's key again under the newest key. The file stays as it is. */
  renewKey(wrappedKey: string, aad: string): Promise<string>
}

export type SealedFile = { ciphertext: Uint8Array<ArrayBuffer>; wrappedKey: string; keyVersion: number }

export class VaultError extends Error {
  override name = 'VaultError'
}

/**
 * A vault with the wrapping keys in `VAULT_KEYS`: `1:<base64>,2:<base64>`, each 32 random bytes. The highest version encrypts,
 * all of them decrypt. A malformed list throws a VaultError that names the variable but not its value.
 */
export function openVault(vaultKeys: string): Vault {
  const keys = parseKeys(vaultKeys)
  const newest = getNewestVersion(vaultKeys)

  const getKey = (version: number): Bytes => {
    const key = keys.get(version)
    if (!key)
      throw new VaultError(`VAULT_KEYS has no key of version ${version}, under which this was sealed.`)
    return key
  }
  const seal = async (plaintext: Bytes, aad: string) =>
    `${newest}.${encodeBase64(await encrypt(getKey(newest), plaintext, aad))}`
  const open = async (sealed: string, aad: string) => {
    const [, version, body = ''] = SEALED.exec(sealed) ?? []
    if (!version) throw new VaultError('This is not a sealed value.')
    return decrypt(getKey(Number(version)), decodeBase64(body) ?? new Uint8Array(), aad)
  }

  const rotateSealed = async (sealed: string, aad: string) => seal(await open(sealed, aad), aad)

  return {
    newest,
    versions: [...keys.keys()].sort((a, b) => a - b),
    sealSmall: (plaintext, aad) => seal(toPlainBytes(plaintext), `small:${aad}`),
    openSmall: (sealed, aad) => open(sealed, `small:${aad}`),
    sealFile: async (bytes, aad) => {
      // A file's initial vector is wrapped with its key. In front of the ciphertext it would take another copy of the file.
      const keyAndIv = generateRandomBytes(KEY_BYTES + IV_BYTES)
      const ciphertext = await encryptWith(...splitKey(keyAndIv), toPlainBytes(bytes), `file:${aad}`)
      return { ciphertext, wrappedKey: await seal(keyAndIv, `key:${aad}`), keyVersion: newest }
    },
    openFile: async (ciphertext, wrappedKey, aad) => {
      const keyAndIv = await open(wrappedKey, `key:${aad}`)
      return decryptWith(...splitKey(keyAndIv), toPlainBytes(ciphertext), `file:${aad}`)
    },
    renewSmall: (sealed, aad) => rotateSealed(sealed, `small:${aad}`),
    renewKey: (wrappedKey, aad) => rotateSealed(wrappedKey, `key:${aad}`),
  }
}

type Bytes = Uint8Array<ArrayBuffer>

const KEY_BYTES = 32
const IV_BYTES = 12
const SEALED = /^(\d{1,6})\.([A-Za-z0-9+/]+={0,2})$/

/** The version that signs and encrypts: the highest. Throws a VaultError as `openVault` does. */
export function getNewestVersion(vaultKeys: string): number {
  return Math.max(...parseKeys(vaultKeys).keys())
}

// Each request reads the list several times.
let latest: { readonly text: string; readonly keys: ReadonlyMap<number, Bytes> } | null = null

/** The keys of `VAULT_KEYS` by version. Throws a VaultError as `openVault` does. */
export function parseKeys(vaultKeys: string): ReadonlyMap<number, Bytes> {
  if (latest?.text === vaultKeys) return latest.keys
  const keys = new Map<number, Bytes>()
  for (const entry of vaultKeys.split(',')) {
    const [, version, text = ''] = /^\s*([1-9]\d{0,5}):([A-Za-z0-9+/]{43}=?)\s*$/.exec(entry) ?? []
    const key = decodeBase64(text)
    if (!version || key?.length !== KEY_BYTES)
      throw createKeysError('has an entry that is not <version>:<32 bytes in base64>')
    if (keys.has(Number(version))) throw createKeysError(`has version ${version} twice`)
    keys.set(Number(version), key)
  }
  latest = { text: vaultKeys, keys }
  return keys
}

function createKeysError(what: string): VaultError {
  return new VaultError(
    `VAULT_KEYS ${what}. Expected "1:<base64>,2:<base64>", made with "openssl rand -base64 32".`,
  )
}

/** The random initial vector, then ciphertext and tag. */
async function encrypt(key: Bytes, plaintext: Bytes, aad: string): Promise<Bytes> {
  const iv = generateRandomBytes(IV_BYTES)
  return Uint8Array.of(...iv, ...(await encryptWith(key, iv, plaintext, aad)))
}

function decrypt(key: Bytes, sealed: Bytes, aad: string): Promise<Bytes> {
  return decryptWith(key, sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES), aad)
}

function splitKey(keyAndIv: Bytes): [key: Bytes, iv: Bytes] {
  return [keyAndIv.subarray(0, KEY_BYTES), keyAndIv.subarray(KEY_BYTES)]
}

/** The ciphertext and its tag. */
async function encryptWith(key: Bytes, iv: Bytes, plaintext: Bytes, aad: string): Promise<Bytes> {
  return new Uint8Array(
    await crypto.subtle.encrypt(buildGcmParams(iv, aad), await importGcmKey(key), plaintext),
  )
}

async function decryptWith(key: Bytes, iv: Bytes, ciphertext: Bytes, aad: string): Promise<Bytes> {
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(buildGcmParams(iv, aad), await importGcmKey(key), ciphertext),
    )
  } catch {
    // WebCrypto gives no reason, and neither do we: an altered, truncated or misplaced ciphertext has the same error.
    throw new VaultError('A sealed value was altered or belongs to another context.')
  }
}

function buildGcmParams(iv: Bytes, aad: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(aad) }
}

function importGcmKey(key: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function encodeBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
}

function decodeBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
