import { HDKey } from '@scure/bip32'
import { addr } from 'micro-eth-signer'
import { describe, expect, it } from 'vitest'
import { TEST_ADDRESSES, testAccount, testKey } from '../../../test/support/ethereumChain.ts'
import { depositAddress, deriveTreasuryAddress, parseAccountKey } from './account.ts'

const xpub = testKey().publicExtendedKey
const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })

describe('the key of an account', () => {
  it('gives the published addresses of the test phrase', () => {
    const account = parseAccountKey(xpub)
    expect(TEST_ADDRESSES.map((_, index) => depositAddress(account, index))).toEqual(TEST_ADDRESSES)
  })

  it('has a canonical form with its origin, which gives the same addresses', () => {
    const written = [`[D1CC25DB/44'/60'/0']${xpub}`, `  [d1cc25db/44H/60h/0']${xpub}\n`]
    for (const text of written) {
      const account = parseAccountKey(text)
      expect(account).toMatchObject({ canonical: `[d1cc25db/44h/60h/0h]${xpub}`, account: 0 })
      expect(depositAddress(account, 1)).toBe(TEST_ADDRESSES[1])
      expect(parseAccountKey(account.canonical).canonical).toBe(account.canonical)
    }
    expect(parseAccountKey(xpub).canonical).toBe(xpub)
  })

  it('pays from its first change address, which is no deposit address', () => {
    const account = parseAccountKey(xpub)
    const treasury = deriveTreasuryAddress(account)
    // Another way to it: by the private key of the path m/44'/60'/0'/1/0.
    const { privateKey } = testKey('/1/0')
    expect(treasury).toBe(addr.fromPrivateKey(privateKey ?? new Uint8Array()))
    const given = Array.from({ length: 20 }, (_, index) => depositAddress(account, index))
    expect(given).not.toContain(treasury)
    expect(deriveTreasuryAddress(parseAccountKey(testAccount(1)))).not.toBe(treasury)
  })

  it('holds no private key, also where the wallet had one', () => {
    expect(parseAccountKey(xpub).receiving.privateKey).toBe(null)
  })

  const sibling = (path: string) => testKey().derive(path).publicExtendedKey
  it.each([
    ['a private key of the account', testKey().privateExtendedKey, 'private_key'],
    ['a private key with an origin', `[d1cc25db/44h/60h/0h]${testKey().privateExtendedKey}`, 'private_key'],
    ['a private key of one address', `0x${'5a'.repeat(32)}`, 'private_key'],
    [
      'a recovery phrase',
      'legal winner thank year wave sausage worth useful legal winner thank yellow',
      'private_key',
    ],
    ['the key of the receiving addresses', sibling('m/0'), 'wrong_depth'],
    ['the key of one address', sibling('m/0/0'), 'wrong_depth'],
    ['an origin with another purpose', `[d1cc25db/84h/60h/0h]${xpub}`, 'wrong_origin'],
    ['an origin with another coin', `[d1cc25db/44h/0h/0h]${xpub}`, 'wrong_origin'],
    ['an origin with another account', `[d1cc25db/44h/60h/1h]${xpub}`, 'wrong_origin'],
    ['an origin that is not hardened', `[d1cc25db/44h/60h/0]${xpub}`, 'wrong_origin'],
    ['an origin without a path', `[d1cc25db]${xpub}`, 'wrong_origin'],
    ['a key of a test network', xpub.replace('xpub', 'tpub'), 'not_an_account_key'],
    ['a mistyped key', `${xpub.slice(0, -1)}${xpub.endsWith('1') ? '2' : '1'}`, 'not_an_account_key'],
    ['an address', TEST_ADDRESSES[0], 'not_an_account_key'],
    ['a descriptor', `wpkh(${xpub})`, 'not_an_account_key'],
    ['nothing', '', 'not_an_account_key'],
  ])('is not %s', (_name, text, code) => {
    expect(() => parseAccountKey(text)).toThrow(refused(code))
  })

  it('is not one of an account that is not hardened', () => {
    const { publicKey, chainCode } = testKey()
    if (publicKey === null || chainCode === null) throw new Error('The test key is incomplete.')
    const soft = new HDKey({ publicKey, chainCode, depth: 3, index: 0, parentFingerprint: 1 })
    expect(() => parseAccountKey(soft.publicExtendedKey)).toThrow(refused('not_an_account_key'))
  })

  it('never repeats a secret in its error', () => {
    const secret = testKey().privateExtendedKey
    try {
      parseAccountKey(secret)
      expect.unreachable()
    } catch (error) {
      expect(String(error)).not.toContain(secret.slice(0, 12))
    }
  })

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('gives no address at the index %d', (index) => {
    expect(() => depositAddress(parseAccountKey(xpub), index)).toThrow(refused('invalid_index'))
  })
})
