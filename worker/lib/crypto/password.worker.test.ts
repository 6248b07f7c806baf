import { beforeAll, expect, test, vi } from 'vitest'
import { setRuntime } from '../runtime.ts'
import { dummyHash } from './dummyHash.ts'
import { hashPassword, MEMORY_PAGES, shouldRehash, verifyPassword } from './password.ts'

// Computed by OpenSSL's Argon2id: salt 'evenkeel-evenkee', 19 MiB, two passes, one lane.
const KNOWN =
  '$argon2id$v=19$m=19456,t=2,p=1$ZXZlbmtlZWwtZXZlbmtlZQ$ZW75hMpU699+MwZXx6gqKupbRLPurEBaLfOwoiVG9bM'

// The other tests hash fast: test/setup/passwords.ts.
beforeAll(() => setRuntime({ derivePassword: null }))

test('a hash computed by another implementation is verified', async () => {
  expect(await verifyPassword('a keel of lead and oak', KNOWN)).toBe(true)
  expect(await verifyPassword('a keel of lead and oa', KNOWN)).toBe(false)
})

test('only the right password verifies against a hash', async () => {
  const phc = await hashPassword('ein Kahn im Hafen')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('ein Kahn im Hafen', phc)).toBe(true)
  expect(await verifyPassword('ein Kahn im hafen', phc)).toBe(false)
})

test('the same password has another hash each time', async () => {
  expect(await hashPassword('same-password')).not.toBe(await hashPassword('same-password'))
})

test('hashes asked for at the same moment do not disturb each other', async () => {
  const passwords = ['first-password', 'second-password', 'third-password']
  const hashes = await Promise.all(passwords.map(hashPassword))
  const verdicts = await Promise.all(
    passwords.map((password, i) => verifyPassword(password, hashes[i] ?? '')),
  )
  expect(verdicts).toEqual([true, true, true])
})

test('a hash takes a sixth of the memory of an isolate and never more', async () => {
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow')
  await Promise.all(['first-password', 'second-password'].map(hashPassword))
  expect(MEMORY_PAGES * 64 * 1024).toBeLessThan(20 * 1024 * 1024)
  // The library ends each hash with this.
  expect(new Set(grow.mock.calls.flat())).toEqual(new Set([0]))
  grow.mockRestore()
})

test('one password typed in two Unicode forms is one password', async () => {
  const phc = await hashPassword('caf\u00e9-au-lait')
  expect(await verifyPassword('cafe\u0301-au-lait', phc)).toBe(true)
})

test('a short, empty, huge or broken password is answered no', async () => {
  for (const password of ['', 'short', '\0'.repeat(8), 'x'.repeat(100_000), '\ud800'.repeat(8)]) {
    expect(await verifyPassword(password, KNOWN)).toBe(false)
  }
})

test('a password that is too short to be stored is refused', async () => {
  await expect(hashPassword('short')).rejects.toThrow(RangeError)
})

test('a hash with another cost still verifies, and is to be renewed', async () => {
  expect(shouldRehash(KNOWN)).toBe(false)
  // OpenSSL again: salt 'evenkeel-evenkee', 8 MiB, three passes.
  const cheaper =
    '$argon2id$v=19$m=8192,t=3,p=1$ZXZlbmtlZWwtZXZlbmtlZQ$Fz5+OGDhxt4jXHyH5EoDPKPvU+7segBY1CaJs+2ni0Q'
  expect(shouldRehash(cheaper)).toBe(true)
  expect(await verifyPassword('a keel of lead and oak', cheaper)).toBe(true)
})

test('the hash for unknown users costs as much as a real one and matches nothing', async () => {
  expect(shouldRehash(dummyHash)).toBe(false)
  expect(await verifyPassword('a keel of lead and oak', dummyHash)).toBe(false)
})

test('a stored string of another form is a fault that names no secret', async () => {
  for (const phc of ['', '!', '$2b$12$abcdefghijklmnopqrstuv', KNOWN.replace('v=19', 'v=16'), `${KNOWN}$`]) {
    await expect(verifyPassword('a keel of lead and oak', phc)).rejects.toThrow(
      'A stored password hash is not an Argon2id PHC string.',
    )
  }
})
