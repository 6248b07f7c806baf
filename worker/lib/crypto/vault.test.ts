import { createDecipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { openVault, VaultError } from './vault.ts'

const key = (fill: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(fill)))
const ONE = `1:${key(1)}`
const BOTH = `1:${key(1)},2:${key(2)}`
const AAD = 'user-7/file-3'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

test('a small secret opens in its own context', async () => {
  const vault = openVault(BOTH)
  const sealed = await vault.sealSmall('JBSWY3DPEHPK3PXP', AAD)
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
  expect(text(await vault.openSmall(sealed, AAD))).toBe('JBSWY3DPEHPK3PXP')
})

test('the same secret is sealed to another text each time', async () => {
  const vault = openVault(ONE)
  expect(await vault.sealSmall('secret', AAD)).not.toBe(await vault.sealSmall('secret', AAD))
})

test('a small secret opens in no other context', async () => {
  const vault = openVault(ONE)
  const sealed = await vault.sealSmall('secret', AAD)
  await expect(vault.openSmall(sealed, 'user-8/file-3')).rejects.toThrow(VaultError)
})

test('a small secret that was altered, cut or made up does not open', async () => {
  const vault = openVault(ONE)
  const sealed = await vault.sealSmall('secret', AAD)
  const altered = [
    sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    sealed.slice(0, 10),
    `2${sealed.slice(1)}`,
    '1.',
    '',
    'secret',
    '1.!!!!',
  ]
  for (const value of altered) await expect(vault.openSmall(value, AAD)).rejects.toThrow(VaultError)
})

test('a file opens to the bytes that were sealed', async () => {
  const vault = openVault(BOTH)
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const { ciphertext, wrappedKey, keyVersion } = await vault.sealFile(bytes, AAD)
  expect(keyVersion).toBe(2)
  expect(await vault.openFile(ciphertext, wrappedKey, AAD)).toEqual(bytes)
})

test('each file has its own key, and another implementation decrypts both with AES-256-GCM', async () => {
  const vault = openVault(ONE)
  const seal = () => vault.sealFile(new TextEncoder().encode('a passport'), AAD)
  const [one, other] = [await seal(), await seal()]
  const keyAndIv = ({ wrappedKey }: typeof one) =>
    openedElsewhere(new Uint8Array(32).fill(1), Buffer.from(wrappedKey.slice(2), 'base64'), `key:${AAD}`)
  const [key, iv] = [keyAndIv(one).subarray(0, 32), keyAndIv(one).subarray(32)]
  expect([key.length, iv.length]).toEqual([32, 12])
  expect(key).not.toEqual(keyAndIv(other).subarray(0, 32))
  expect(text(openedElsewhere(key, Buffer.concat([iv, one.ciphertext]), `file:${AAD}`))).toBe('a passport')
})

/** What Node's own OpenSSL makes of an initial vector of 12 bytes, the ciphertext, and a tag of 16. */
function openedElsewhere(key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

test('a part of a larger buffer is sealed without its surroundings', async () => {
  const vault = openVault(ONE)
  const { ciphertext, wrappedKey } = await vault.sealFile(new Uint8Array([9, 1, 2, 9]).subarray(1, 3), AAD)
  expect([...(await vault.openFile(ciphertext, wrappedKey, AAD))]).toEqual([1, 2])
})

test('a file with an altered byte, in another context or with another file’s key cannot be decrypted', async () => {
  const vault = openVault(ONE)
  const one = await vault.sealFile(new Uint8Array([1, 2, 3]), AAD)
  const other = await vault.sealFile(new Uint8Array([1, 2, 3]), AAD)
  for (let at = 0; at < one.ciphertext.length; at++) {
    await expect(vault.openFile(flipped(one.ciphertext, at), one.wrappedKey, AAD)).rejects.toThrow(VaultError)
  }
  await expect(vault.openFile(one.ciphertext, one.wrappedKey, 'user-8/file-3')).rejects.toThrow(VaultError)
  await expect(vault.openFile(one.ciphertext, other.wrappedKey, AAD)).rejects.toThrow(VaultError)
  await expect(vault.openFile(new Uint8Array(), one.wrappedKey, AAD)).rejects.toThrow(VaultError)
})

test('a wrapped key cannot be read as a small secret', async () => {
  const vault = openVault(ONE)
  const { wrappedKey } = await vault.sealFile(new Uint8Array([1]), AAD)
  await expect(vault.openSmall(wrappedKey, AAD)).rejects.toThrow(VaultError)
})

test('values under an older key can be decrypted after a newer one is added', async () => {
  const before = openVault(ONE)
  const sealed = await before.sealSmall('secret', AAD)
  const file = await before.sealFile(new Uint8Array([1, 2, 3]), AAD)
  const after = openVault(`2:${key(2)}, 1:${key(1)}`)
  expect(text(await after.openSmall(sealed, AAD))).toBe('secret')
  expect([...(await after.openFile(file.ciphertext, file.wrappedKey, AAD))]).toEqual([1, 2, 3])
  expect(await after.sealSmall('secret', AAD)).toMatch(/^2\./)
})

test('a value under a missing key names the missing version', async () => {
  const sealed = await openVault(BOTH).sealSmall('secret', AAD)
  await expect(openVault(ONE).openSmall(sealed, AAD)).rejects.toThrow('VAULT_KEYS has no key of version 2')
})

test('a malformed list of keys is refused by its name and never shown', () => {
  const short = btoa('too short a key')
  for (const list of [
    '',
    'undefined',
    key(1),
    `0:${key(1)}`,
    `1:${short}`,
    `1:${key(1)};2:${key(2)}`,
    `${ONE},`,
  ]) {
    expect(() => openVault(list)).toThrow(/^VAULT_KEYS has an entry that is not/)
    expect(() => openVault(list)).not.toThrow(short)
    expect(() => openVault(list)).not.toThrow(key(1))
  }
  expect(() => openVault(`${ONE},${ONE}`)).toThrow('VAULT_KEYS has version 1 twice')
})
