import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NETWORKS, type Network } from '../../../src/contract/money/coins.ts'
import { randomRuns } from '../../../test/random.ts'
import {
  accountSigner,
  legacySigner,
  type Signer,
  segwitSigner,
  taprootSigner,
  witness,
  wrappedSigner,
} from '../../../test/support/signers.ts'
import { VECTORS } from '../../../test/support/walletVectors.ts'
import { computeAccountDigest } from './accountSignature.ts'
import { computeLegacyDigest } from './bip137.ts'
import { hashMessage, toSign, toSpend } from './bip322.ts'
import { decodeBitcoinScript } from './bytes.ts'
import { findProofMethod } from './proofMethod.ts'

describe('hashes', () => {
  const { script } = decodeBitcoinScript('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l') ?? {
    script: new Uint8Array(),
  }
  /** Ids are printed back to front. */
  const printed = (id: Uint8Array) => bytesToHex(id.toReversed())

  // BIP 322, "Test vectors".
  test.each([
    [
      '',
      'c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1',
      'c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7',
      '1e9654e951a5ba44c8604c4de6c67fd78a27e81dcadcfe1edf638ba3aaebaed6',
    ],
    [
      'Hello World',
      'f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a',
      'b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b',
      '88737ae86f2077145f93cc4b153ae9a1cb8d56afa511988c149c5c8c9d93bddf',
    ],
    [
      'UTF-8 support: öäüéàè 测试文本 \uD83D\uDE04',
      '43936b237ea38c7794eb5d755e0d220b6db92ebfc5c8f482759d22b1286376d7',
      'c8f4f525fe8afb1bc09b44175bd2096f079c98425e8a1be676b712add1fb62f0',
      '8f488e06b89eafd019ec528109eafaf7f1d1811fd617aa1eeb9658f1c1be6586',
    ],
  ])('of BIP 322 are its own: %o', (message, hash, spend, sign) => {
    const spent = toSpend(script, message)
    expect(bytesToHex(hashMessage(message))).toBe(hash)
    expect([printed(spent), printed(toSign(spent))]).toEqual([spend, sign])
  })

  test('of the older standards are theirs', () => {
    // bitcoinjs-message; EIP-191 as web3.js and LUKSO's library print it.
    expect(bytesToHex(computeLegacyDigest(''))).toBe(
      '80e795d4a4caadd7047af389d9f7f220562feb6196032e2131e10563352c4bcc',
    )
    expect(bytesToHex(computeLegacyDigest('Vires is Numeris'))).toBe(
      'f8a5affbef4a3241b19067aa694562f64f513310817297089a8929a930f4f933',
    )
    expect(bytesToHex(computeAccountDigest('ethereum', 'Hello World'))).toBe(
      'a1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2',
    )
    expect(bytesToHex(computeAccountDigest('ethereum', 'Some data'))).toBe(
      '1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655',
    )
  })
})

describe('a signature that others published', () => {
  test.each(VECTORS.map((vector) => [vector.from, vector] as const))(
    'proves its own message and nothing else: %s',
    (_, { method, ...claimed }) => {
      expect(findProofMethod(claimed)).toBe(method)
      expect(findProofMethod({ ...claimed, signature: ` ${claimed.signature}\n` })).toBe(method)
      expect(findProofMethod({ ...claimed, message: `${claimed.message}.` })).toBeNull()
      const others = VECTORS.filter(
        ({ network, address }) => network === claimed.network && address !== claimed.address,
      )
      for (const { address } of others)
        expect([address, findProofMethod({ ...claimed, address })]).toEqual([address, null])
      expect(findProofMethod({ ...claimed, signature: claimed.signature.slice(0, -4) })).toBeNull()
      expect(findProofMethod({ ...claimed, signature: '' })).toBeNull()
    },
  )

  // Invalid signatures listed by BIP 322 and bitcoinjs-message.
  test.each([
    ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'not-valid-base64!!!'],
    ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'smpAA=='],
    ['bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'fooAA=='],
    [
      'bc1pyrgrm6cu6n54jrvkdjd9rvyd3xfyu84s2623awu2srn6mxhscwpsm5644w',
      'incorrect prefix',
      'fulAUDZwFXUp+adN+/UZj5dVrGAbB3zKs1Vcalz5fCF9srxS63eSWNGvH1NYbrBkPt1BJDUyWUz9zgUxfc63/QheT6M',
    ],
    [
      'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9',
      '',
      'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
    [
      '1111111111111111111114oLvT2',
      'vires is numeris',
      'H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
    ],
    [
      '16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM',
      'vires is numeris',
      'H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
    ],
    [
      '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs',
      'vires is numeris',
      'G8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
    ],
  ])('shows nothing where its standard says that it does not: %s', (address, message, signature) => {
    expect(findProofMethod({ network: 'btc', address, message, signature })).toBeNull()
  })
})

const SIGNERS: readonly (readonly [string, Network, (word: string) => Signer])[] = [
  ['segwit', 'btc', segwitSigner],
  ['wrapped segwit', 'btc', wrappedSigner],
  ['taproot', 'btc', taprootSigner],
  ['taproot with its flag spelled out', 'btc', (word) => taprootSigner(word, 1)],
  ['legacy', 'btc', legacySigner],
  ['Ethereum', 'eth', accountSigner],
  ['TRON', 'usdt-trc20', (word) => accountSigner(word, 'tron')],
]

describe('a signature of our own message', () => {
  const MESSAGE = 'Proof for evenkeel.example. Issued 2026-11-21T21:30:00.000Z.'

  test.each(SIGNERS)('is taken from the key of the address alone: %s', (_, network, signer) => {
    const [ours, theirs] = [signer('ours'), signer('theirs')]
    const claimed = { network, address: ours.address, message: MESSAGE }
    expect(findProofMethod({ ...claimed, signature: ours.sign(MESSAGE) })).not.toBeNull()
    expect(findProofMethod({ ...claimed, signature: theirs.sign(MESSAGE) })).toBeNull()
    expect(findProofMethod({ ...claimed, signature: ours.sign(`${MESSAGE} `) })).toBeNull()
  })

  test('is invalid on another family of networks', () => {
    for (const [, made, signer] of SIGNERS) {
      const { address, sign } = signer('ours')
      const kind = made === 'eth' ? ['eth', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] : [made]
      for (const network of NETWORKS.filter((each) => !kind.includes(each)))
        expect([
          network,
          findProofMethod({ network, address, message: MESSAGE, signature: sign(MESSAGE) }),
        ]).toEqual([network, null])
    }
    const [ethereum, tron] = [accountSigner('ours'), accountSigner('ours', 'tron')]
    const message = MESSAGE
    expect(
      findProofMethod({
        network: 'usdt-trc20',
        address: tron.address,
        message,
        signature: ethereum.sign(message),
      }),
    ).toBeNull()
    expect(
      findProofMethod({ network: 'eth', address: ethereum.address, message, signature: tron.sign(message) }),
    ).toBeNull()
  })

  test('a signature with a high S is refused, because anybody can derive it without the key', () => {
    const account = accountSigner('ours')
    const bytes = hexToBytes(account.sign(MESSAGE).slice(2))
    const turned = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
    const high = new secp256k1.Signature(turned.r, secp256k1.Point.Fn.ORDER - turned.s).toBytes('compact')
    const v = bytes[64] === 27 ? 28 : 27
    const signature = `0x${bytesToHex(Uint8Array.from([...high, v]))}`
    expect(
      findProofMethod({ network: 'eth', address: account.address, message: MESSAGE, signature }),
    ).toBeNull()

    const legacy = legacySigner('ours')
    const [header = 0, ...rest] = base64.decode(legacy.sign(MESSAGE))
    const low = secp256k1.Signature.fromBytes(Uint8Array.from(rest), 'compact')
    const over = new secp256k1.Signature(low.r, secp256k1.Point.Fn.ORDER - low.s).toBytes('compact')
    const otherHeader = header % 2 === 1 ? header + 1 : header - 1
    expect(
      findProofMethod({
        network: 'btc',
        address: legacy.address,
        message: MESSAGE,
        signature: base64.encode(Uint8Array.from([otherHeader, ...over])),
      }),
    ).toBeNull()

    const segwit = segwitSigner('ours')
    const stack = base64.decode(segwit.sign(MESSAGE))
    const derLength = (stack[1] ?? 0) - 1
    const der = secp256k1.Signature.fromBytes(stack.subarray(2, 2 + derLength), 'der')
    const highDer = new secp256k1.Signature(der.r, secp256k1.Point.Fn.ORDER - der.s).toBytes('der')
    const publicKey = stack.subarray(stack.length - 33)
    const address = segwit.address
    const again = witness(Uint8Array.from([...highDer, 1]), publicKey)
    expect(findProofMethod({ network: 'btc', address, message: MESSAGE, signature: again })).toBeNull()
    // The same parts with the low S are the signature itself: the high S alone is what was refused.
    const own = witness(Uint8Array.from([...der.toBytes('der'), 1]), publicKey)
    expect(findProofMethod({ network: 'btc', address, message: MESSAGE, signature: own })).toBe('bip322')
  })

  test('is refused when it does not sign everything, or carries something beside', () => {
    const segwit = segwitSigner('ours')
    const stack = base64.decode(segwit.sign(MESSAGE))
    const signed = stack.subarray(2, 2 + (stack[1] ?? 0))
    const publicKey = stack.subarray(stack.length - 33)
    const claimed = { network: 'btc', address: segwit.address, message: MESSAGE } as const
    for (const signature of [
      witness(Uint8Array.from([...signed.subarray(0, -1), 2]), publicKey),
      witness(signed, publicKey, Uint8Array.of()),
      witness(signed),
      base64.encode(Uint8Array.from([...stack, 0])),
      witness(signed, Uint8Array.from([...publicKey, 0])),
    ])
      expect(findProofMethod({ ...claimed, signature })).toBeNull()
    const taproot = taprootSigner('ours')
    const sixtyFour = base64.decode(taproot.sign(MESSAGE)).subarray(2)
    for (const flag of [0, 1, 2, 0x81])
      expect(
        findProofMethod({
          ...claimed,
          address: taproot.address,
          signature: witness(Uint8Array.from([...sixtyFour, flag])),
        }),
      ).toBeNull()
  })
})

test('any input gives yes or no', () => {
  const addresses = fc.oneof(fc.string(), fc.constantFrom(...VECTORS.map(({ address }) => address)))
  const signatures = fc.oneof(
    fc.string(),
    fc.base64String({ maxLength: 200 }),
    fc.uint8Array({ minLength: 65, maxLength: 65 }).map(bytesToHex),
    fc.uint8Array({ minLength: 65, maxLength: 65 }).map(base64.encode),
    fc
      .tuple(fc.uint8Array({ maxLength: 72 }), fc.uint8Array({ maxLength: 34 }))
      .map((items) => witness(...items)),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...NETWORKS),
      addresses,
      fc.string(),
      signatures,
      (network, address, message, signature) => {
        expect(findProofMethod({ network, address, message, signature })).toBeNull()
      },
    ),
    randomRuns(300),
  )
})
