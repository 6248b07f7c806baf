import { armor, Decrypter, Encrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { AgeFault } from './AgeFault.ts'
import { newKeyPair, open, seal } from './age.ts'
import { lockIdentity, unlockIdentity } from './passphrase.ts'
import { reseal } from './reseal.ts'

/** Longer than one chunk of 64 KiB. */
const picture = Uint8Array.from({ length: 150_000 }, (_, index) => (index * 31) % 251)
/** A low work factor, so that the tests are fast. */
const WORK = 4

const faultOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof AgeFault ? error.reason : error
}
const byLibrary = async (age: Uint8Array, identity: string) => {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return [...(await decrypter.decrypt(age))]
}
const payloadOf = (age: Uint8Array) => {
  const text = new TextDecoder('latin1').decode(age)
  return text.slice(text.indexOf('\n', text.indexOf('\n---') + 1) + 1)
}
const altered = (bytes: Uint8Array, at: number) => {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('a sealed file', () => {
  it('opens for each recipient and for nobody else', async () => {
    const [ana, ben, eve] = [await newKeyPair(), await newKeyPair(), await newKeyPair()]
    const age = await seal(picture, [ana.recipient, ben.recipient])
    expect(new TextDecoder('latin1').decode(age)).toMatch(
      /^age-encryption\.org\/v1\n(-> X25519 .+\n.+\n){2}--- /,
    )
    for (const { identity } of [ana, ben]) {
      expect(Buffer.from(await open(age, identity)).equals(picture)).toBe(true)
    }
    expect(await faultOf(open(age, eve.identity))).toBe('not_sealed_to_you')
  })

  it('holds nothing of what was sealed', async () => {
    const { recipient } = await newKeyPair()
    const age = Buffer.from(await seal(picture, [recipient]))
    for (const at of [0, 100_000])
      expect(age.includes(Buffer.from(picture.subarray(at, at + 16)))).toBe(false)
  })

  it('is not opened once a byte of its header or of its payload was changed, or its end is missing', async () => {
    const { identity, recipient } = await newKeyPair()
    const age = await seal(picture, [recipient])
    const header = new TextDecoder('latin1').decode(age).indexOf('\n--- ')
    expect(await faultOf(open(altered(age, header + 6), identity))).toBe('altered')
    expect(await faultOf(open(altered(age, age.length - 1), identity))).toBe('altered')
    expect(await faultOf(open(age.subarray(0, -20), identity))).toBe('altered')
    expect(await faultOf(open(picture, identity))).toBe('altered')
  })

  it('is never sealed to nobody, nor to a recipient of another kind', async () => {
    const { recipient } = await newKeyPair()
    const hybrid = await identityToRecipient(await generateHybridIdentity())
    await expect(seal(picture, [])).rejects.toThrow('nobody')
    await expect(seal(picture, [recipient, hybrid])).rejects.toThrow()
    const mistyped = recipient.slice(0, -1) + (recipient.endsWith('q') ? 'p' : 'q')
    await expect(seal(picture, [mistyped])).rejects.toThrow()
  })
})

describe('a file sealed anew', () => {
  it('keeps its payload byte for byte, opens for the new recipients, and not for one who was left out', async () => {
    const [ana, ben, cem] = [await newKeyPair(), await newKeyPair(), await newKeyPair()]
    const before = await seal(picture, [ana.recipient, ben.recipient])
    const after = await reseal(before, ana.identity, [ana.recipient, cem.recipient])
    expect(payloadOf(after) === payloadOf(before)).toBe(true)
    expect(await byLibrary(after, ana.identity)).toEqual([...picture])
    expect(await byLibrary(after, cem.identity)).toEqual([...picture])
    await expect(byLibrary(after, ben.identity)).rejects.toThrow('no identity matched')
    expect(await faultOf(open(after, ben.identity))).toBe('not_sealed_to_you')
    const again = await reseal(after, cem.identity, [ben.recipient])
    expect(await byLibrary(again, ben.identity)).toEqual([...picture])
    await expect(byLibrary(altered(after, 40), cem.identity)).rejects.toThrow()
  })

  it('is refused to a stranger, for an altered header, and to nobody', async () => {
    const [ana, eve] = [await newKeyPair(), await newKeyPair()]
    const age = await seal(picture, [ana.recipient])
    expect(await faultOf(reseal(age, eve.identity, [eve.recipient]))).toBe('not_sealed_to_you')
    const mac = new TextDecoder('latin1').decode(age).indexOf('\n--- ') + 6
    expect(await faultOf(reseal(altered(age, mac), ana.identity, [ana.recipient]))).toBe('altered')
    expect(await faultOf(reseal(picture, ana.identity, [ana.recipient]))).toBe('altered')
    await expect(reseal(age, ana.identity, [])).rejects.toThrow('nobody')
  })
})

describe('an identity locked with a passphrase', () => {
  it('is unlocked by that passphrase alone, with its progress told', async () => {
    const { identity } = await newKeyPair()
    const shares: number[] = []
    const locked = await lockIdentity(identity, 'five quiet harbours', (share) => shares.push(share), WORK)
    expect(locked).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/)
    expect(locked).not.toContain(identity)
    expect(shares.at(-1)).toBe(1)
    expect(await unlockIdentity(locked, 'five quiet harbours')).toBe(identity)
    expect(await faultOf(unlockIdentity(locked, 'five quiet harbors'))).toBe('wrong_passphrase')
  })

  it('is what the library reads and writes, too', async () => {
    const { identity } = await newKeyPair()
    const decrypter = new Decrypter()
    decrypter.addPassphrase('wörter für zwei')
    const locked = await lockIdentity(identity, 'wörter für zwei', undefined, WORK)
    expect(await decrypter.decrypt(armor.decode(locked), 'text')).toBe(`${identity}\n`)
    const encrypter = new Encrypter()
    encrypter.setPassphrase('theirs')
    encrypter.setScryptWorkFactor(WORK)
    const theirs = armor.encode(await encrypter.encrypt(identity))
    expect(await unlockIdentity(theirs, 'theirs')).toBe(identity)
  })

  it('asks for the work that the age command asks for', async () => {
    const locked = await lockIdentity('AGE-SECRET-KEY-1', 'long enough')
    expect(new TextDecoder('latin1').decode(armor.decode(locked))).toMatch(/^-> scrypt \S+ 18$/m)
  })

  it('is said to be altered when it is no such file, or one that would keep the browser busy for hours', async () => {
    const encrypter = new Encrypter()
    encrypter.setPassphrase('p')
    encrypter.setScryptWorkFactor(WORK)
    const age = Buffer.from(await encrypter.encrypt('something else'))
    const endless = Buffer.from(age.toString('latin1').replace(/( \S+) 4\n/, '$1 30\n'), 'latin1')
    const { recipient } = await newKeyPair()
    for (const file of [
      'nothing',
      armor.encode(age),
      armor.encode(endless),
      armor.encode(await seal(picture, [recipient])),
    ])
      expect(await faultOf(unlockIdentity(file, 'p'))).toBe('altered')
  })
})
