import { decodeBase64url, encodeBase64url, generateHex } from '../../../lib/crypto/tokens.ts'
import { createSecretFailure } from '../client.ts'

/** How long a token is valid: Coinbase takes at most two minutes. */
const SECONDS = 120

/** What signs tokens: `ES256` or `EdDSA`, by the kind of the secret. */
export interface Signer {
  readonly algorithm: 'ES256' | 'EdDSA'
  readonly key: CryptoKey
}

/**
 * The token of one request, a JSON Web Token (RFC 7519) as Coinbase documents it
 * (https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication). It names the method, the host and
 * the path, without the query, so it is of no use for another request.
 *
 * @param uri such as `GET api.coinbase.com/api/v3/brokerage/accounts`
 * @param venueMs the venue's time
 */
export async function signToken(
  signer: Signer,
  keyName: string,
  uri: string,
  venueMs: number,
): Promise<string> {
  const now = Math.floor(venueMs / 1000)
  const header = { alg: signer.algorithm, typ: 'JWT', kid: keyName, nonce: generateHex(16) }
  // Coinbase's own clients send `uri`, and the newer ones `uris`.
  const claims = { iss: 'cdp', sub: keyName, nbf: now, exp: now + SECONDS, uri, uris: [uri] }
  const text = [header, claims].map((part) => encodeBase64url(encode(JSON.stringify(part)))).join('.')
  const algorithm = signer.algorithm === 'ES256' ? { name: 'ECDSA', hash: 'SHA-256' } : { name: 'Ed25519' }
  const signature = await crypto.subtle.sign(algorithm, signer.key, encode(text))
  return `${text}.${encodeBase64url(new Uint8Array(signature))}`
}

/**
 * Reads the secret of a key: `EC PRIVATE KEY` in PEM (SEC 1), or Ed25519 as 64 bytes in base64, of which the first 32 are the seed.
 * Throws a `VenueFailure` for anything else, without showing it.
 */
export async function importSigner(secret: string): Promise<Signer> {
  try {
    return await importSecret(secret)
  } catch {
    throw createSecretFailure('coinbase')
  }
}

async function importSecret(secret: string): Promise<Signer> {
  const [, pem] = /-{5}BEGIN EC (?:PRIVATE) KEY-{5}([^-]+)-{5}END EC (?:PRIVATE) KEY-{5}/.exec(secret) ?? []
  const bytes = decodeSecret(pem ?? secret)
  if (pem !== undefined && bytes !== null) {
    const key = await importKey(P256_PREFIX, bytes, { name: 'ECDSA', namedCurve: 'P-256' })
    return { algorithm: 'ES256', key }
  }
  if (bytes?.length !== 64 && bytes?.length !== 32) throw new Error('The secret is no key of Coinbase')
  return {
    algorithm: 'EdDSA',
    key: await importKey(ED25519_PREFIX, bytes.subarray(0, 32), { name: 'Ed25519' }),
  }
}

/** PKCS #8 (RFC 5958) before the octet string of a P-256 key: version 0 and the algorithm. */
const P256_PREFIX = [
  0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
  0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
]
/** The same for an Ed25519 seed (RFC 8410, section 7), whose octet string contains another one. */
const ED25519_PREFIX = [0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]

function importKey(
  prefix: readonly number[],
  key: Uint8Array,
  algorithm: { name: string; namedCurve?: string },
) {
  const inner = prefix === ED25519_PREFIX ? encodeDer(0x04, [...key]) : [...key]
  const pkcs8 = new Uint8Array(encodeDer(0x30, [...prefix, ...encodeDer(0x04, inner)]))
  return crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
}

/** A DER element of less than 256 bytes. */
function encodeDer(tag: number, content: readonly number[]): number[] {
  return content.length < 128 ? [tag, content.length, ...content] : [tag, 0x81, content.length, ...content]
}

function decodeSecret(base64: string): Uint8Array<ArrayBuffer> | null {
  // Coinbase's file of a key has the line breaks of the PEM as `\n`.
  const plain = base64.replace(/\s+|\\n/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return null
  return decodeBase64url(plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
