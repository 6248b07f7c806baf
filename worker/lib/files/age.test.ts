import { armor, Encrypter, generateX25519Identity, identityToRecipient, webauthn } from 'age-encryption'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { SAMPLE_KEYS } from '../../dev/seed/sampleKeys.ts'
import { isAge, isSealedIdentity, readAge } from './age.ts'

const recipients: string[] = []
/** To three recipients, as the package writes it: the strings of its header, and the encrypted bytes. */
let lines: string[] = []
let payload = new Uint8Array()
let whole = new Uint8Array()

beforeAll(async () => {
  for (let i = 0; i < 3; i++) recipients.push(await identityToRecipient(await generateX25519Identity()))
  whole = await sealed(new Uint8Array(1000).fill(7))
  const text = latin1(whole)
  const end = text.indexOf('\n', text.indexOf('\n--- ') + 1) + 1
  lines = text.slice(0, end - 1).split('\n')
  payload = whole.slice(end)
})

async function sealed(bytes: Uint8Array, to: readonly string[] = recipients) {
  const encrypter = new Encrypter()
  for (const recipient of to) encrypter.addRecipient(recipient)
  return new Uint8Array(await encrypter.encrypt(bytes))
}

const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)
const file = (header: readonly string[], rest = payload, newline = '\n') =>
  new Uint8Array([...bytesOf(header.join(newline) + newline), ...rest])

test('a file that the package encrypted is read: how many keys open it, and its bytes behind the header', async () => {
  expect(readAge(whole)).toEqual({ recipients: 3, payload })
  expect(file(lines)).toEqual(whole)
  for (const size of [1, 65_535, 65_536, 65_537, 131_072, 200_000])
    expect(readAge(await sealed(new Uint8Array(size)))?.recipients).toBe(3)
  const many = Array.from({ length: 60 }, () => recipients[0] ?? '')
  expect(readAge(await sealed(new Uint8Array(10), many))?.recipients).toBe(60)
})

describe('a header is refused', () => {
  // Of the lines: the version, three stanzas of two lines each, the MAC.
  const share = () => (lines[1] ?? '').split(' ')[2] ?? ''
  const replaced = (line: number, by: string | ((before: string) => string)) =>
    lines.map((each, i) => (i !== line ? each : typeof by === 'string' ? by : by(each)))
  const GREASE = ['-> abc-grease 8fLd Q', 'AAAA']
  const SCRYPT = ['-> scrypt AAAAAAAAAAAAAAAAAAAAAA 18', 'A'.repeat(43)]

  const HOSTILE: [what: string, make: () => Uint8Array<ArrayBuffer>][] = [
    ['of nothing', () => new Uint8Array()],
    ['of another version', () => file(replaced(0, 'age-encryption.org/v2'))],
    ['of a version with more behind it', () => file(replaced(0, 'age-encryption.org/v1 '))],
    ['of a version alone', () => bytesOf('age-encryption.org/v1\n')],
    ['without its version’s newline', () => bytesOf('age-encryption.org/v1')],
    ['with the version twice', () => file(['age-encryption.org/v1', ...lines])],
    ['with carriage returns', () => file(lines, payload, '\r\n')],
    ['with a carriage return in one line', () => file(replaced(1, (line) => `${line}\r`))],
    ['behind a byte order mark', () => new Uint8Array([0xef, 0xbb, 0xbf, ...whole])],
    ['behind a blank', () => new Uint8Array([32, ...whole])],
    ['behind a picture’s signature', () => new Uint8Array([...bytesOf('\x89PNG\r\n\x1a\n'), ...whole])],
    ['armored', () => bytesOf(armor.encode(whole))],
    ['of no stanza', () => file([lines[0] ?? '', lines.at(-1) ?? ''])],
    ['whose last stanza has no body', () => file([...lines.slice(0, 6), lines.at(-1) ?? ''])],
    ['whose stanza has an empty body', () => file(replaced(2, ''))],
    ['whose stanza has a body too short', () => file(replaced(2, (line) => line.slice(0, 42)))],
    ['whose stanza has a body too long', () => file(replaced(2, (line) => `${line}AAAA`))],
    [
      'whose stanza has two lines of body',
      () => file([...lines.slice(0, 2), 'A'.repeat(64), ...lines.slice(2)]),
    ],
    ['whose body is no base 64', () => file(replaced(2, (line) => `*${line.slice(1)}`))],
    ['whose body is base 64 for addresses', () => file(replaced(2, `-_${'A'.repeat(41)}`))],
    ['whose body is padded', () => file(replaced(2, (line) => `${line}=`))],
    ['whose body is not canonical', () => file(replaced(2, `${'A'.repeat(42)}B`))],
    ['whose body has a blank behind it', () => file(replaced(2, (line) => `${line} `))],
    ['whose share is missing', () => file(replaced(1, '-> X25519'))],
    ['whose share is too short', () => file(replaced(1, '-> X25519 AAAA'))],
    ['whose share is too long', () => file(replaced(1, `-> X25519 ${'A'.repeat(86)}`))],
    ['whose share is not canonical', () => file(replaced(1, `-> X25519 ${'A'.repeat(42)}B`))],
    ['whose share is padded', () => file(replaced(1, (line) => `${line}=`))],
    ['with two shares in a stanza', () => file(replaced(1, `-> X25519 ${share()} ${share()}`))],
    ['with two blanks in a stanza', () => file(replaced(1, `->  X25519 ${share()}`))],
    ['with a blank at a stanza’s end', () => file(replaced(1, (line) => `${line} `))],
    ['with a tab in a stanza', () => file(replaced(1, `->\tX25519 ${share()}`))],
    ['with NUL in a stanza', () => file(replaced(1, `-> X25519\0 ${share()}`))],
    ['with NUL in a share', () => file(replaced(1, (line) => `${line.slice(0, 12)}\0${line.slice(13)}`))],
    ['with NUL for a line end', () => file(lines, payload, '\0')],
    ['with another type’s case', () => file(replaced(1, `-> x25519 ${share()}`))],
    ['with another arrow', () => file(replaced(1, `=> X25519 ${share()}`))],
    ['with an arrow and nothing else', () => file(replaced(1, '->'))],
    [
      'with a random stanza, as the format allows',
      () => file([...lines.slice(0, 7), ...GREASE, lines[7] ?? '']),
    ],
    ['with a random stanza first', () => file([lines[0] ?? '', ...GREASE, ...lines.slice(1)])],
    ['with a passphrase beside the keys', () => file([...lines.slice(0, 7), ...SCRYPT, lines[7] ?? ''])],
    ['with a passphrase alone', () => file([lines[0] ?? '', ...SCRYPT, lines[7] ?? ''])],
    ['with an SSH key’s stanza', () => file(replaced(1, `-> ssh-ed25519 Pg ${share()}`))],
    ['without a MAC', () => file(lines.slice(0, 7))],
    ['with an empty MAC', () => file(replaced(7, '---'))],
    ['with a MAC too short', () => file(replaced(7, `--- ${'A'.repeat(22)}`))],
    ['with a MAC too long', () => file(replaced(7, `--- ${'A'.repeat(86)}`))],
    ['with a MAC that is not canonical', () => file(replaced(7, `--- ${'A'.repeat(42)}B`))],
    ['with a blank behind its MAC', () => file(replaced(7, (line) => `${line} `))],
    ['with an empty line before its MAC', () => file([...lines.slice(0, 7), '', lines[7] ?? ''])],
    [
      'with a line that never ends',
      () =>
        new Uint8Array([...bytesOf('age-encryption.org/v1\n-> X25519 '), ...new Uint8Array(9000).fill(65)]),
    ],
    [
      'with more stanzas than anybody has reviewers',
      () =>
        file([
          lines[0] ?? '',
          ...Array.from({ length: 500 }, () => lines.slice(1, 3)).flat(),
          lines[7] ?? '',
        ]),
    ],
    ['before nothing', () => file(lines, new Uint8Array())],
    ['before a nonce alone', () => file(lines, payload.slice(0, 16))],
    ['before an empty file', () => file(lines, payload.slice(0, 32))],
    ['before a last chunk of a tag alone', () => file(lines, new Uint8Array(16 + 65_552 + 16))],
    ['before a last chunk shorter than a tag', () => file(lines, new Uint8Array(16 + 65_552 + 5))],
  ]

  test.each(HOSTILE)('%s', (_, make) => {
    expect(readAge(make())).toBeNull()
  })

  test('a truncated header is refused at any length', () => {
    const header = whole.length - payload.length
    for (let length = 0; length < header + 33; length++) expect(readAge(whole.slice(0, length))).toBeNull()
  })

  test('a header of any bytes is refused without throwing', () => {
    const begun = fc
      .uint8Array({ maxLength: 400 })
      .map((rest) => new Uint8Array([...bytesOf('age-encryption.org/v1\n'), ...rest]))
    const flipped = fc
      .tuple(fc.nat({ max: whole.length - payload.length - 1 }), fc.integer({ min: 1, max: 255 }))
      .map(([at, by]) => whole.map((byte, i) => (i === at ? byte ^ by : byte)))
    fc.assert(
      fc.property(fc.oneof(begun, flipped), (bytes) => {
        const read = readAge(new Uint8Array(bytes))
        // A changed character of a share is another valid share. Only a key can tell. The structure stays.
        expect(read === null || (read.recipients === 3 && read.payload.length === payload.length)).toBe(true)
      }),
    )
  })
})

test('an age file is recognised by its first line', () => {
  expect(isAge(whole)).toBe(true)
  expect(isAge(bytesOf('age-encryption.org/v1\n'))).toBe(true)
  expect(isAge(bytesOf('age-encryption.org/v1'))).toBe(false)
  expect(isAge(new Uint8Array())).toBe(false)
})

describe('a private key', () => {
  const locked = SAMPLE_KEYS.operator.identity
  const inner = () => latin1(armor.decode(locked))
  const rewritten = (change: (text: string) => string) => armor.encode(bytesOf(change(inner())))

  test('is taken as a browser locks it, with a passphrase', () => {
    for (const { identity } of Object.values(SAMPLE_KEYS))
      expect(isSealedIdentity(identity, 'passphrase')).toBe(true)
    expect(isSealedIdentity(locked.trim(), 'passphrase')).toBe(true)
    expect(isSealedIdentity(locked, 'passkey')).toBe(false)
  })

  test('is taken as a passkey locks it, by the stanza of the package’s own recipient', () => {
    expect(webauthn.WebAuthnRecipient).toBeTypeOf('function')
    const stanza = `-> age-encryption.org/fido2prf ${'A'.repeat(22)}\n${'A'.repeat(43)}\n`
    const withPasskey = rewritten((text) => text.replace(/-> [^-]+(?=---)/, stanza))
    expect(isSealedIdentity(withPasskey, 'passkey')).toBe(true)
    expect(isSealedIdentity(withPasskey, 'passphrase')).toBe(false)
  })

  test('a private key is refused if it is unencrypted, cheap to guess, encrypted to a key, or damaged', async () => {
    const identity = await generateX25519Identity()
    const hostile: Record<string, string> = {
      'in the clear': identity,
      'in the clear in armor': armor.encode(bytesOf(identity)),
      'in the clear beside an armored file': `${identity}\n${locked}`,
      'in the clear behind an armored file': `${locked}\n${identity}`,
      empty: '',
      'not armored': inner(),
      'locked to a public key': armor.encode(await sealed(bytesOf(identity))),
      'cheap to guess at': rewritten((text) => text.replace(' 18\n', ' 10\n')),
      'costlier than any browser bears': rewritten((text) => text.replace(' 18\n', ' 30\n')),
      'with a second stanza': rewritten((text) =>
        text.replace('---', `-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}\n---`),
      ),
      'with a salt too short': rewritten((text) => text.replace(/scrypt \S+/, 'scrypt AAAA')),
      'cut short': locked.slice(0, 200),
      'without its end': locked.replace(/-----END.*/, ''),
      'with a broken line': locked.replace(/\n(.{30})/, '\n$1\n'),
      'with an empty line': locked.replace('\n', '\n\n'),
      'with a foreign character': locked.replace('Y', '?'),
    }
    for (const [what, text] of Object.entries(hostile)) {
      expect([what, isSealedIdentity(text, 'passphrase')]).toEqual([what, false])
      expect([what, isSealedIdentity(text, 'passkey')]).toEqual([what, false])
    }
  })
})
