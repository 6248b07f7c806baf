import { createHmac, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sign, verifySignature } from './signature.ts'
import { VaultError } from './vault.ts'

const secret = (fill: number) => new Uint8Array(32).fill(fill)
const key = (fill: number) => btoa(String.fromCharCode(...secret(fill)))
const ONE = `1:${key(1)}`
const BOTH = `1:${key(1)},2:${key(2)}`

test('a signature is HMAC-SHA-256 under the key that HKDF derives for its label', async () => {
  const derived = Buffer.from(hkdfSync('sha256', secret(1), new Uint8Array(), 'signature:door', 32))
  const mac = createHmac('sha256', derived).update('text').digest('base64url')
  expect(await sign(ONE, 'door', 'text')).toBe(`1.${mac}`)
})

test('the newest key signs, and all keys verify', async () => {
  const [before, after] = [await sign(ONE, 'door', 'text'), await sign(BOTH, 'door', 'text')]
  expect(after).toMatch(/^2\.[\w-]{43}$/)
  expect(await verifySignature(BOTH, 'door', 'text', before)).toBe(true)
  expect(await verifySignature(BOTH, 'door', 'text', after)).toBe(true)
  expect(await verifySignature(ONE, 'door', 'text', after)).toBe(false)
})

test('a signature holds for its label and its text alone', async () => {
  const signature = await sign(ONE, 'door', 'text')
  expect(await verifySignature(ONE, 'window', 'text', signature)).toBe(false)
  expect(await verifySignature(ONE, 'door', 'texts', signature)).toBe(false)
})

test('anything else is not a signature', async () => {
  const signature = await sign(ONE, 'door', 'text')
  const altered = signature.replace(/^1\../, (start) => (start === '1.A' ? '1.B' : '1.A'))
  for (const wrong of ['', '1.', 'x', signature.slice(0, -1), `${signature}A`, `0${signature}`, altered])
    expect(await verifySignature(ONE, 'door', 'text', wrong), wrong).toBe(false)
})

test('a malformed list of keys is named, not shown', async () => {
  await expect(sign('1:short', 'door', 'text')).rejects.toThrow(VaultError)
})
