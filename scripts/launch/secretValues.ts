import { readFileSync } from 'node:fs'
import { SAMPLE_TOTP_SECRET } from '../../worker/dev/seed/sampleKeys.ts'
import { openVault, parseKeys } from '../../worker/lib/crypto/vault.ts'

/** Values of secrets by name. Never print them. */
export type SecretValues = Readonly<Record<string, string>>

/** Reads a file for `wrangler secret bulk` (JSON) or `.dev.vars` (lines `NAME=value`). A missing file has no secrets. */
export function readSecrets(path: string): SecretValues {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  if (text.trimStart().startsWith('{')) return JSON.parse(text)
  return Object.fromEntries(
    [...text.matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')],
    ),
  )
}

/** Reports secrets that are not random, too short, an example, or used twice. The sentences contain no values. */
export function listWeakSecrets(values: SecretValues): string[] {
  const { VAULT_KEYS: vaultKeys, ...others } = values
  return [
    ...(vaultKeys === undefined ? [] : listWeakVaultKeys(vaultKeys)),
    ...Object.entries(others).flatMap(([name, value]) => checkToken(name, value)),
    ...listEqualValues(values),
  ]
}

function listWeakVaultKeys(vaultKeys: string): string[] {
  try {
    return [...parseKeys(vaultKeys)].flatMap(([version, key]) => {
      const isText = key.every((byte) => byte >= 32 && byte < 127)
      // 32 random bytes have about 30 different values, and practically never fewer than 20.
      return isText || new Set(key).size < 20 ? [`Version ${version} of VAULT_KEYS is not random.`] : []
    })
  } catch (error) {
    return [error instanceof Error ? error.message : 'VAULT_KEYS cannot be read.']
  }
}

/** Names of secrets that are a provider token. */
const TOKEN = /_(?:KEY|KEYS|TOKEN|SECRET)$/

function checkToken(name: string, value: string): string[] {
  if (!TOKEN.test(name)) return []
  if (value === '') return [`${name} is empty.`]
  if (/example|change.?me|placeholder|your[-_ ]|dummy|xxxx|<.*>/i.test(value))
    return [`${name} is an example.`]
  return value.length < 16 || new Set(value).size < 8
    ? [`${name} is too short, or too plain, to be a secret.`]
    : []
}

function listEqualValues(values: SecretValues): string[] {
  const named = Object.entries(values).flatMap(([name, value]): [name: string, value: string][] =>
    name === 'VAULT_KEYS'
      ? value.split(',').map((entry) => {
          const [version = '', key = ''] = entry.trim().split(':')
          return [`version ${version} of VAULT_KEYS`, key]
        })
      : TOKEN.test(name) && value !== ''
        ? [[name, value]]
        : [],
  )
  return named.flatMap(([name, value], at) =>
    named
      .slice(0, at)
      .filter(([, other]) => other === value)
      .map(([other]) => `${other} and ${name} are the same value.`),
  )
}

interface SealedFactor {
  readonly user_id: string | number | null
  readonly secret_sealed: string | number | null
}

/** Reports operators’ second factors that are the sample, are shared by two, or cannot be decrypted with these VAULT_KEYS. */
export async function listWeakFactors(
  vaultKeys: string,
  factors: readonly SealedFactor[],
): Promise<string[]> {
  let vault: ReturnType<typeof openVault>
  try {
    vault = openVault(vaultKeys)
  } catch {
    // `listWeakSecrets` reports the invalid keys.
    return []
  }
  const owners = new Map<string, string>()
  const found: string[] = []
  for (const { user_id, secret_sealed } of factors) {
    const secret = await vault
      .openSmall(String(secret_sealed), `totp:${user_id}`)
      .then((bytes) => new TextDecoder().decode(bytes))
      .catch(() => null)
    const owner = secret === null ? undefined : owners.get(secret)
    if (secret === null) found.push(`These VAULT_KEYS do not open the second factor of ${user_id}.`)
    else if (secret === SAMPLE_TOTP_SECRET)
      found.push(`The second factor of ${user_id} is the one of development.`)
    else if (owner !== undefined) found.push(`${owner} and ${user_id} share one second factor.`)
    if (secret !== null) owners.set(secret, String(user_id))
  }
  return found
}
