import { createECDH, createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A key pair for one algorithm. The secret is what Coinbase shows once when a key is made. */
export interface KeyPair {
  readonly algorithm: 'ES256' | 'EdDSA'
  readonly secret: string
  readonly publicKey: KeyObject
}

/** A key pair whose private key is these 32 bytes. */
export function keyPairOf(algorithm: 'ES256' | 'EdDSA', bytes: Buffer): KeyPair {
  return algorithm === 'ES256' ? ecKeyPair(bytes) : edwardsKeyPair(bytes)
}

/** P-256, with the secret as SEC 1 in PEM. */
function ecKeyPair(bytes: Buffer): KeyPair {
  const exchange = createECDH('prime256v1')
  exchange.setPrivateKey(bytes)
  const point = exchange.getPublicKey()
  const [d, x, y] = [bytes, point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const privateKey = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' })
  const secret = String(privateKey.export({ type: 'sec1', format: 'pem' }))
  return { algorithm: 'ES256', secret, publicKey: createPublicKey(privateKey) }
}

/** Ed25519, with the secret as the seed and the public key in base64. */
function edwardsKeyPair(seed: Buffer): KeyPair {
  // PKCS #8 before a seed of Ed25519 (RFC 8410, section 7).
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return { algorithm: 'EdDSA', secret: Buffer.concat([seed, raw]).toString('base64'), publicKey }
}

export interface Token {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  isSignedBy(key: KeyPair): boolean
}

/** Reads a JSON Web Token (RFC 7519) without believing it. Null if it is none. */
export function readToken(text: string): Token | null {
  const [header = '', claims = '', signature = '', ...more] = text.split('.')
  if (more.length > 0) return null
  const [headerRead, claimsRead] = [header, claims].map(objectIn)
  if (!headerRead || !claimsRead) return null
  return {
    header: headerRead,
    claims: claimsRead,
    isSignedBy: ({ algorithm, publicKey }) => {
      if (headerRead.alg !== algorithm) return false
      const key = algorithm === 'ES256' ? { key: publicKey, dsaEncoding: 'ieee-p1363' as const } : publicKey
      const hash = algorithm === 'ES256' ? 'sha256' : null
      return verify(hash, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
    },
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}
