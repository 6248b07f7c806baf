import { expect, test } from 'vitest'
import { decodeBase64url } from '../../../lib/crypto/tokens.ts'
import { importSigner, signToken } from './token.ts'

// The runtime of the Worker reads keys with its own code, not with that of Node.
const KINDS = [
  {
    name: 'ES256',
    algorithm: { name: 'ECDSA', namedCurve: 'P-256' },
    signing: { name: 'ECDSA', hash: 'SHA-256' },
    skip: 29,
  },
  { name: 'EdDSA', algorithm: { name: 'Ed25519' }, signing: { name: 'Ed25519' }, skip: 16 },
]

test.each(KINDS)('workerd signs a token with a key for $name', async ({ name, algorithm, signing, skip }) => {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const pkcs8 = new Uint8Array((await crypto.subtle.exportKey('pkcs8', privateKey)) as ArrayBuffer)
  // What stands in PKCS #8 after the algorithm is the key as Coinbase gives it.
  const base64 = btoa(String.fromCharCode(...pkcs8.slice(skip)))
  const label = 'EC PRIVATE KEY'
  const secret = name === 'ES256' ? `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n` : base64
  const token = await signToken(await importSigner(secret), 'name', 'GET host/path', Date.UTC(2026, 10, 20))
  const [header = '', claims = '', signature = ''] = token.split('.')
  const signed = new TextEncoder().encode(`${header}.${claims}`)
  expect(await crypto.subtle.verify(signing, publicKey, decodeBase64url(signature), signed)).toBe(true)
})
