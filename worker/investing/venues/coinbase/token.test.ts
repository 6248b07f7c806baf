import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { importSigner, signToken } from './token.ts'

const NAME = 'organizations/a0000000-0000-4000-8000-000000000001/apiKeys/a0000000-0000-4000-8000-000000000002'
const URI = 'GET api.coinbase.com/api/v3/brokerage/accounts'
const NOW = Date.UTC(2026, 10, 20, 12)

/** The parts of a token, and whether the public key confirms its signature. */
function read(token: string, publicKey: KeyObject) {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  const isCurve = publicKey.asymmetricKeyType === 'ec'
  const key = isCurve ? { key: publicKey, dsaEncoding: 'ieee-p1363' as const } : publicKey
  return {
    header: parse(header),
    claims: parse(claims),
    isSigned: verify(
      isCurve ? 'sha256' : null,
      Buffer.from(`${header}.${claims}`),
      key,
      Buffer.from(signature, 'base64url'),
    ),
  }
}

/** The claims that Coinbase documents, for two minutes and one request. */
const claims = { iss: 'cdp', sub: NAME, nbf: NOW / 1000, exp: NOW / 1000 + 120, uri: URI, uris: [URI] }

test('a token of an ECDSA key has the documented claims and a signature that its public key confirms', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = String(privateKey.export({ type: 'sec1', format: 'pem' }))
  const token = read(await signToken(await importSigner(secret), NAME, URI, NOW + 700), publicKey)
  expect(token).toEqual({
    header: { alg: 'ES256', typ: 'JWT', kid: NAME, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
    claims,
    isSigned: true,
  })
  const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(read(await signToken(await importSigner(secret), NAME, URI, NOW), other).isSigned).toBe(false)
})

test('a token of an Ed25519 key, from its 64 or its first 32 bytes', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32)
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  for (const secret of [Buffer.concat([seed, raw]), seed].map((bytes) => bytes.toString('base64'))) {
    const token = read(await signToken(await importSigner(secret), NAME, URI, NOW), publicKey)
    expect(token).toMatchObject({ header: { alg: 'EdDSA', kid: NAME }, claims, isSigned: true })
  }
})

test('the key on paper of RFC 8032 signs as in its first example', async () => {
  // https://www.rfc-editor.org/rfc/rfc8032#section-7.1: the secret key of test 1, and its public key.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const signer = await importSigner(seed.toString('base64'))
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  expect(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')).toMatch(
    /^d75a980182b10ab7/,
  )
  const signature = await crypto.subtle.sign({ name: 'Ed25519' }, signer.key, new Uint8Array())
  expect(Buffer.from(signature).toString('hex')).toMatch(
    /^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555f/,
  )
})

test('a secret of another form is refused without repeating it', async () => {
  for (const secret of ['', 'not a key', 'c2hvcnQ=', Buffer.alloc(48).toString('base64')])
    await expect(importSigner(secret)).rejects.toThrow('VENUE_SECRET is not the secret of a key for coinbase')
})
