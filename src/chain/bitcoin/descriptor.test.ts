import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testWallet } from '../../../test/support/bitcoinWallet.ts'
import { decodeAddress, encodeAddress } from './addresses.ts'
import { buildSortedMultisigScript, deriveChangeScript, deriveOutput, deriveReceiveScript } from './derive.ts'
import { listDescriptorWarnings, parseDescriptor } from './descriptor.ts'
import { stripChecksum, withChecksum } from './descriptorChecksum.ts'

const base58check = createBase58check(sha256)

/** The same key with other version bytes: BIP-49 and BIP-84 print their keys with versions of their own. */
function withVersion(key: string, version: number): string {
  const payload = base58check.decode(key)
  new DataView(payload.buffer, payload.byteOffset).setUint32(0, version)
  return base58check.encode(payload)
}

// Keys of the BIPs' vectors.
const BIP84 = withVersion(
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  0x0488b21e,
)
const BIP86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'
const KEY_A =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL'
const KEY_B =
  'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y'
const KEY_382 =
  'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH'
const XPRV_380 =
  'xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc'
const PUBLIC_KEY = '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd'
const UNCOMPRESSED =
  '04a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd5b8dec5235a0fa8722476c7709c02559e3aa73aa03918ba2d492eea75abea235'

const refuses = (text: string, code: string, network: 'mainnet' | 'regtest' = 'mainnet') =>
  expect(() => parseDescriptor(text, network), text).toThrow(expect.objectContaining({ code }))

describe('a descriptor gives the addresses of', () => {
  it('BIP-84: wpkh', () => {
    const descriptor = parseDescriptor(`wpkh([73c5da0a/84'/0'/0']${BIP84}/<0;1>/*)`, 'mainnet')
    const address = (script: string) => encodeAddress(script, 'mainnet')
    expect(address(deriveReceiveScript(descriptor, 0))).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
    expect(address(deriveReceiveScript(descriptor, 1))).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
    expect(address(deriveChangeScript(descriptor, 0))).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el')
    expect(deriveOutput(descriptor, 'receive', 0).keys).toEqual([
      {
        publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
        fingerprint: '73c5da0a',
        path: [0x80000054, 0x80000000, 0x80000000, 0, 0],
      },
    ])
  })

  it('BIP-86: tr', () => {
    const descriptor = parseDescriptor(`tr(${BIP86}/<0;1>/*)`, 'mainnet')
    expect(deriveReceiveScript(descriptor, 0)).toBe(
      '5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c',
    )
    expect(deriveReceiveScript(descriptor, 1)).toBe(
      '5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb',
    )
    expect(deriveChangeScript(descriptor, 0)).toBe(
      '5120882d74e5d0572d5a816cef0041a96b6c1de832f6f9676d9605c44d5e9a97d3dc',
    )
    expect(encodeAddress(deriveReceiveScript(descriptor, 0), 'mainnet')).toBe(
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    )
  })

  it('BIP-382 and BIP-389: wpkh with an origin and branches in the middle of the path', () => {
    const descriptor = parseDescriptor(`wpkh([ffffffff/13h]${KEY_382}/<1;3>/2/*)`, 'mainnet')
    expect([0, 1, 2].map((index) => deriveReceiveScript(descriptor, index))).toEqual([
      '0014326b2249e3a25d5dc60935f044ee835d090ba859',
      '0014af0bd98abc2f2cae66e36896a39ffe2d32984fb7',
      '00141fa798efd1cbf95cebf912c031b8a4a6e9fb9f27',
    ])
    expect(descriptor.keys[0]).toMatchObject({ receivePath: [1, 2], changePath: [3, 2] })
    expect(deriveOutput(descriptor, 'change', 7).keys[0]?.path).toEqual([0x8000000d, 3, 2, 7])
  })

  it('BIP-383 and BIP-67: sortedmulti', () => {
    const keysAt = (index: number) => [
      HDKey.fromExtendedKey(KEY_A).deriveChild(index),
      HDKey.fromExtendedKey(KEY_B).deriveChild(0).deriveChild(0).deriveChild(index),
    ]
    const scripts = [0, 1, 2].map((index) =>
      buildSortedMultisigScript(
        2,
        keysAt(index).map(({ publicKey }) => Buffer.from(publicKey ?? []).toString('hex')),
      ),
    )
    expect(scripts).toEqual([
      '5221025d5fc65ebb8d44a5274b53bac21ff8307fec2334a32df05553459f8b1f7fe1b62102fbd47cc8034098f0e6a94c6aeee8528abf0a2153a5d8e46d325b7284c046784652ae',
      '52210264fd4d1f5dea8ded94c61e9641309349b62f27fbffe807291f664e286bfbe6472103f4ece6dfccfa37b211eb3d0af4d0c61dba9ef698622dc17eecdf764beeb005a652ae',
      '5221022ccabda84c30bad578b13c89eb3b9544ce149787e5b538175b1d1ba259cbb83321024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c52ae',
    ])
    expect(
      buildSortedMultisigScript(2, [
        '030000000000000000000000000000000000004141414141414141414141414141',
        '020000000000000000000000000000000000004141414141414141414141414141',
        '020000000000000000000000000000000000004141414141414141414141414140',
        '030000000000000000000000000000000000004141414141414141414141414140',
      ]),
    ).toBe(
      '522102000000000000000000000000000000000000414141414141414141414141414021020000000000000000000000000000000000004141414141414141414141414141210300000000000000000000000000000000000041414141414141414141414141402103000000000000000000000000000000000000414141414141414141414141414154ae',
    )
    expect(
      buildSortedMultisigScript(2, [
        '02ff12471208c14bd580709cb2358d98975247d8765f92bc25eab3b2763ed605f8',
        '02fe6f0a5a297eb38c391581c4413e084773ea23954d93f7753db7dc0adc188b2f',
      ]),
    ).toBe(
      '522102fe6f0a5a297eb38c391581c4413e084773ea23954d93f7753db7dc0adc188b2f2102ff12471208c14bd580709cb2358d98975247d8765f92bc25eab3b2763ed605f852ae',
    )
  })

  it('BIP-49: the same key, although its own kind of wallet is refused', () => {
    const tpub = withVersion(
      'upub5EFU65HtV5TeiSHmZZm7FUffBGy8UKeqp7vw43jYbvZPpoVsgU93oac7Wk3u6moKegAEWtGNF8DehrnHtv21XXEMYRUocHqguyjknFHYfgY',
      0x043587cf,
    )
    const descriptor = parseDescriptor(`wpkh(${tpub}/<0;1>/*)`, 'regtest')
    expect(deriveOutput(descriptor, 'receive', 0).keys[0]?.publicKey).toBe(
      '03a1af804ac108a8a51782198c2d034b28bf90c8803f5a53f76276fa69a4eae77f',
    )
    expect(deriveReceiveScript(descriptor, 0)).toBe('001438971f73930f6c141d977ac4fd4a727c854935b3')
    refuses(`sh(wpkh(${tpub}/<0;1>/*))`, 'unsupported_descriptor', 'regtest')
  })

  it('BIP-32: public keys below public keys', () => {
    const chains: [master: string, steps: number[], child: string][] = [
      [
        'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
        [0],
        'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
      ],
      [
        'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
        [2, 1000000000],
        'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
      ],
      [
        'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL',
        [2],
        'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
      ],
    ]
    for (const [master, steps, child] of chains) {
      const [last = 0, ...before] = steps.toReversed()
      const path = [...before.toReversed(), `<${last};7>`].join('/')
      const descriptor = parseDescriptor(`wpkh(${master}/${path}/*)`, 'mainnet')
      const expected = HDKey.fromExtendedKey(child).deriveChild(5).publicKey
      expect(deriveOutput(descriptor, 'receive', 5).keys[0]?.publicKey).toBe(
        Buffer.from(expected ?? []).toString('hex'),
      )
    }
  })
})

describe('the canonical text', () => {
  it('has h for hardened steps, lower-case fingerprints and a checksum, and parses to the same', () => {
    const written = `wsh(sortedmulti(2,[DEADBEEF/48'/0h/0'/2']${KEY_A}/<0;1>/*,[0badcafe/48h/0h/0h/2h]${KEY_B}/5/<7;1>/*))`
    const descriptor = parseDescriptor(`  ${written}\n`, 'mainnet')
    expect(descriptor.text).toMatch(
      /^wsh\(sortedmulti\(2,\[deadbeef\/48h\/0h\/0h\/2h\]xpub\w+\/<0;1>\/\*,\[0badcafe\/48h\/0h\/0h\/2h\]xpub\w+\/5\/<7;1>\/\*\)\)#[a-z0-9]{8}$/,
    )
    expect(descriptor).toMatchObject({ kind: 'wsh-sortedmulti', threshold: 2, network: 'mainnet' })
    expect(parseDescriptor(descriptor.text, 'mainnet')).toEqual(descriptor)
    expect(JSON.parse(JSON.stringify(descriptor))).toEqual(descriptor)
  })

  it('does not depend on the order of keys for its addresses', () => {
    const of = (...keys: string[]) =>
      parseDescriptor(`wsh(sortedmulti(2,${keys.map((key) => `${key}/<0;1>/*`).join(',')}))`, 'mainnet')
    const [one, other] = [of(KEY_A, KEY_B, BIP84), of(BIP84, KEY_A, KEY_B)]
    for (const index of [0, 1, 20])
      expect(deriveReceiveScript(one, index)).toBe(deriveReceiveScript(other, index))
    expect(deriveReceiveScript(one, 0)).toMatch(/^0020[0-9a-f]{64}$/)
    expect(deriveReceiveScript(one, 0)).not.toBe(deriveChangeScript(one, 0))
  })

  it('names the extended key’s own fingerprint where no origin is given', () => {
    const descriptor = parseDescriptor(`wpkh(${KEY_A}/<0;1>/*)`, 'mainnet')
    expect(descriptor.keys[0]?.origin).toBeNull()
    expect(deriveOutput(descriptor, 'change', 3).keys[0]).toMatchObject({
      fingerprint: HDKey.fromExtendedKey(KEY_A).fingerprint.toString(16).padStart(8, '0'),
      path: [1, 3],
    })
  })
})

describe('the checksum of BIP-380', () => {
  it('accepts a right one and none', () => {
    expect(stripChecksum('raw(deadbeef)#89f8spxm')).toBe('raw(deadbeef)')
    expect(stripChecksum('raw(deadbeef)')).toBe('raw(deadbeef)')
    expect(withChecksum('raw(deadbeef)')).toBe('raw(deadbeef)#89f8spxm')
  })

  it.each([
    ['missing', 'raw(deadbeef)#', 'wrong_checksum'],
    ['too long', 'raw(deadbeef)#89f8spxmx', 'wrong_checksum'],
    ['too short', 'raw(deadbeef)#89f8spx', 'wrong_checksum'],
    ['for another payload', 'raw(deedbeef)#89f8spxm', 'wrong_checksum'],
    ['mistyped', 'raw(deedbeef)##9f8spxm', 'wrong_checksum'],
    ['for invalid characters', 'raw(Ü)#00000000', 'bad_character'],
  ])('refuses one that is %s', (_, text, code) => {
    expect(() => stripChecksum(text)).toThrow(expect.objectContaining({ code }))
  })

  it('notices any changed character', () => {
    const text = parseDescriptor(`wpkh([deadbeef/84h/0h/0h]${KEY_A}/<0;1>/*)`, 'mainnet').text
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom(...'0123456789abcdefhpqrxyz/*;<>[](),'),
        (at, character) => {
          if (text[at] === character || text[at] === '#') return
          const changed = `${text.slice(0, at)}${character}${text.slice(at + 1)}`
          expect(() => parseDescriptor(changed, 'mainnet')).toThrow(
            expect.objectContaining({ name: 'ChainError' }),
          )
        },
      ),
    )
  })
})

describe('a descriptor is refused', () => {
  const path = '/<0;1>/*'

  it.each([
    ['an extended private key', `wpkh(${XPRV_380}${path})`],
    ['an extended private key with an origin', `tr([deadbeef/0h/1h/2h]${XPRV_380}/3/4/5/*)`],
    ['one private key among public ones', `wsh(sortedmulti(1,${KEY_A}${path},${XPRV_380}${path}))`],
    ['a private key with a wrong checksum behind it', `wpkh(${XPRV_380}${path})#00000000`],
    [
      'an extended private key of SLIP-132',
      'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE',
    ],
    ['a compressed private key', 'wpkh(L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1)'],
    ['an uncompressed private key', 'wpkh(5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss)'],
    ['a private key of a test network', 'wpkh(cULrpoZGXiuC19Uhvykx7NugygA3k86b3hmdCeyvHYQZSxojGyXJ)'],
    ['a secret in hexadecimal', `wpkh(${'c9bdb49cfbaedca21c4b1f3a7803c346'.repeat(2)})`],
    [
      'the words of a backup',
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    ],
    [
      'a private key behind a public version (BIP-32, vector 5)',
      'wpkh(xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm/<0;1>/*)',
    ],
  ])('with %s, and the reason does not repeat it', (_, text) => {
    refuses(text, 'private_key')
    try {
      parseDescriptor(text, 'mainnet')
    } catch (error) {
      const { message } = error as Error
      for (const word of text.split(/[^0-9A-Za-z]+/))
        if (word.length > 12) expect(message).not.toContain(word)
    }
  })

  it.each([
    // BIP-32, vector 5.
    [
      'an invalid prefix of the public key',
      'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn',
      'bad_key',
    ],
    [
      'another invalid prefix',
      'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4',
      'bad_key',
    ],
    [
      'a parent at depth 0',
      'xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ',
      'bad_key',
    ],
    [
      'an index at depth 0',
      'xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8',
      'bad_key',
    ],
    [
      'a point that is not on the curve',
      'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY',
      'bad_key',
    ],
    [
      'an unknown version',
      'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHPmHJiEDXkTiJTVV9rHEBUem2mwVbbNfvT2MTcAqj3nesx8uBf9',
      'wrong_network',
    ],
    ['a mistyped key', KEY_A.replace('ERA', 'ERB'), 'bad_key'],
    ['a key of SLIP-132', withVersion(KEY_A, 0x04b24746), 'wrong_network'],
    ['a key of a test network', withVersion(KEY_A, 0x043587cf), 'wrong_network'],
    ['a single public key', PUBLIC_KEY, 'bad_key'],
    ['an uncompressed public key', UNCOMPRESSED, 'bad_key'],
  ])('with %s', (_, key, code) => {
    refuses(`wpkh(${key}${path})`, code)
  })

  it.each([
    [`wpkh(${withVersion(KEY_A, 0x04b24746)}${path})`, `wpkh(…) with the same key as ${KEY_A}`],
    [withVersion(KEY_A, 0x04b24746), `wpkh(…) with the same key as ${KEY_A}`],
    [`[deadbeef/84h/0h/0h]${withVersion(KEY_A, 0x04b24746)}${path}`, `wpkh(…) with the same key as ${KEY_A}`],
    [withVersion(KEY_A, 0x02aa7ed3), `wsh(sortedmulti(…)) with the same key as ${KEY_A}`],
    [`wpkh(${withVersion(KEY_A, 0x049d7cb2)}${path})`, 'native segwit addresses'],
    [`sh(wpkh(${withVersion(KEY_A, 0x049d7cb2)}${path}))`, 'native segwit addresses'],
    [withVersion(KEY_A, 0x0295b43f), 'native segwit addresses'],
  ])('with a key of SLIP-132 and the hint what to give instead: %s', (text, hint) => {
    expect(() => parseDescriptor(text, 'mainnet')).toThrow(hint)
  })

  it('with a key of mainnet on regtest', () => {
    refuses(`wpkh(${KEY_A}${path})`, 'wrong_network', 'regtest')
  })

  it.each([
    ['', 'add /<0;1>/*'],
    ['/0/*', 'both branches'],
    ['/*', 'both branches'],
    ['/<0;1>', 'must end in /*'],
    ['/<0;1>/0', 'must end in /*'],
    ['/<0;1>/*h', 'hardened'],
    ["/<0;1>/*'", 'hardened'],
    ['/0h/<0;1>/*', 'hardened'],
    ['/<0h;1h>/*', 'hardened'],
    ['/<0;1>/<2;3>/*', 'one <0;1> only'],
    ['/<0;1;2>/*', 'two different numbers'],
    ['/<0;0>/*', 'two different numbers'],
    ['/<0>/*', 'two different numbers'],
    ['/<>/*', 'must be a number'],
    ['/0>/*', 'two different numbers'],
    ['/<0/*', 'two different numbers'],
    ['/<0;>/*', 'must be a number'],
    ['/1aa/<0;1>/*', 'must be a number'],
    ['/-0/<0;1>/*', 'must be a number'],
    ['/2147483648/<0;1>/*', 'must be a number'],
    ['/0H/<0;1>/*', 'must be a number'],
    ['//<0;1>/*', 'must be a number'],
    ['/*/<0;1>/*', 'must be a number'],
  ])('with the path %s', (wrong, words) => {
    expect(() => parseDescriptor(`tr(${KEY_A}${wrong})`, 'mainnet')).toThrow(words)
  })

  // BIP-380's invalid origins, and BIP-389's.
  it.each([
    '[deadbeef/0h/0h/0h/*]',
    '[deadbeef/0h/0h/0h/]',
    '[deadbef/0h/0h/0h]',
    '[deadbeeef/0h/0h/0h]',
    '[deadbeef/0f/0f/0f]',
    '[deadbeef/-0/-0/-0]',
    '[deadbeef/0H/0H/0H]',
    '[aaaaaaaa][aaaaaaaa]',
    'aaaaaaaa]',
    '[gaaaaaaa]',
    '[]',
    '[deadbeef/<0;1>]',
  ])('with the origin %s', (origin) => {
    refuses(`wpkh(${origin}${KEY_A}${path})`, 'bad_key')
  })

  it('with no key behind the origin', () => {
    refuses('wpkh([deadbeef])', 'bad_key')
    refuses('wpkh()', 'bad_key')
  })

  it.each([
    `pkh(${KEY_A}${path})`,
    `sh(wpkh(${KEY_A}${path}))`,
    `sh(wsh(sortedmulti(1,${KEY_A}${path})))`,
    `wsh(multi(1,${KEY_A}${path}))`,
    `wsh(pk(${KEY_A}${path}))`,
    `wsh(${KEY_A}${path})`,
    `wsh(wpkh(${KEY_A}${path}))`,
    `wsh(tr(${KEY_A}${path}))`,
    `sh(tr(${KEY_A}${path}))`,
    `wpkh(wsh(pkh(${KEY_A}${path})))`,
    `tr(${KEY_A}${path},pk(${KEY_B}${path}))`,
    `tr(${KEY_A}${path},{pk(${KEY_B}${path}),pk(${KEY_B}${path})})`,
    `sortedmulti(1,${KEY_A}${path})`,
    `wsh(sortedmulti(a,${KEY_A}${path}))`,
    `wsh(sortedmulti(-1,${KEY_A}${path}))`,
    `wpkh(${KEY_A}${path}) `.concat('x'),
    'raw(deadbeef)',
    'addr(bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu)',
    '',
  ])('of another kind: %s', (text) => {
    refuses(text, 'unsupported_descriptor')
  })

  it('with an impossible threshold, too many keys or a key twice', () => {
    refuses(`wsh(sortedmulti(0,${KEY_A}${path},${KEY_B}${path}))`, 'bad_threshold')
    refuses(`wsh(sortedmulti(3,${KEY_A}${path},${KEY_B}${path}))`, 'bad_threshold')
    refuses(`wsh(sortedmulti(1,${Array(16).fill(`${KEY_A}${path}`).join(',')}))`, 'too_many_keys')
    refuses(`wsh(sortedmulti(2,${KEY_A}${path},${KEY_A}/<2;3>/*))`, 'duplicate_key')
    refuses(
      `wsh(sortedmulti(2,[deadbeef/48h]${KEY_A}${path},[DEADBEEF/49h]${KEY_B}${path}))`,
      'duplicate_key',
    )
    expect(
      parseDescriptor(
        `wsh(sortedmulti(2,[00000000/1h]${KEY_A}${path},[00000000/1h]${KEY_B}${path}))`,
        'mainnet',
      ).threshold,
    ).toBe(2)
    refuses(`wsh(sortedmulti(2,${'1'.repeat(4_000)}))`, 'too_long')
  })

  it('for an index that does not exist', () => {
    const descriptor = parseDescriptor(`wpkh(${KEY_A}${path})`, 'mainnet')
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN]) {
      expect(() => deriveReceiveScript(descriptor, index)).toThrow(
        expect.objectContaining({ code: 'bad_index' }),
      )
    }
  })
})

describe('addresses', () => {
  it('stand for scripts, on each network', () => {
    for (const address of [
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      '39bgKC7RFbpoCRbtD5KEdkYKtNyhpsNa3Z',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    ]) {
      expect(encodeAddress(decodeAddress(address, 'mainnet'), 'mainnet')).toBe(address)
      // For trying: the forms for withdrawals take addresses of the main network only.
      expect(decodeAddress(address, 'regtest')).toBe(decodeAddress(address, 'mainnet'))
    }
    expect(() => decodeAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'regtest')).toThrow(
      expect.objectContaining({ code: 'bad_address' }),
    )
    const script = '001438971f73930f6c141d977ac4fd4a727c854935b3'
    const address = encodeAddress(script, 'regtest') ?? ''
    expect(address).toMatch(/^bcrt1q/)
    expect(decodeAddress(address, 'regtest')).toBe(script)
    expect(() => decodeAddress(address, 'mainnet')).toThrow(expect.objectContaining({ code: 'bad_address' }))
  })

  it('do not exist for other scripts, and none is payable that nobody controls', () => {
    expect(encodeAddress('6a', 'mainnet')).toBeNull()
    expect(encodeAddress('zz', 'mainnet')).toBeNull()
    expect(() => decodeAddress('bc1pfeessrawgf', 'mainnet')).toThrow(
      expect.objectContaining({ code: 'bad_address' }),
    )
    expect(() => decodeAddress('bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs', 'mainnet')).toThrow(
      'Nobody holds the key',
    )
  })
})

describe('the origin of a key', () => {
  const warn = (origin: string) => listDescriptorWarnings(`wpkh(${origin}${KEY_A}/<0;1>/*)`)
  const { depth, index } = HDKey.fromExtendedKey(KEY_A)
  const hardened = index >= 0x80000000
  const last = hardened ? `${index - 0x80000000}h` : `${index}`

  it('is missing, or has a fingerprint of zeros', () => {
    const missing = [expect.stringMatching(/^The origin of the key is missing/)]
    expect(warn('')).toEqual(missing)
    expect(warn('[00000000/84h/0h/0h]')).toEqual(missing)
  })

  it('must be as long as the key is deep, and end in its last step', () => {
    const steps = ['84h', '0h', '0h', '1h', '2h'].slice(0, depth - 1)
    expect(warn(`[deadbeef/${[...steps, last].join('/')}]`)).toEqual([])
    expect(warn(`[deadbeef/${[...steps, 7, last].join('/')}]`)).toEqual([
      expect.stringContaining(`${depth} steps below`),
    ])
    expect(warn(`[deadbeef/${[...steps, 77].join('/')}]`)).toEqual([expect.stringContaining('another path')])
  })

  it('is checked for each key of several, on every network', () => {
    const { text, keys } = testWallet('wsh-sortedmulti').descriptor
    expect(listDescriptorWarnings(text)).toEqual([])
    const bare = stripChecksum(text).replace(`[${keys[1]?.origin?.fingerprint}/48h/1h/0h/2h]`, '')
    expect(listDescriptorWarnings(bare)).toEqual([expect.stringMatching(/^Key 2: The origin/)])
  })
})
