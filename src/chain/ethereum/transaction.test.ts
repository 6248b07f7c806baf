import { Transaction } from 'micro-eth-signer'
import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import { TEST_ADDRESSES, testKey } from '../../../test/support/ethereumChain.ts'
import { decodeRlp, encodeRlp, listItem } from './rlp.ts'
import { deriveSender } from './sender.ts'
import { decodeTransaction, encodeTransaction } from './transaction.ts'
import { buildTrie } from './trie.ts'

const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })
const { legacy, dynamicFee, setCode } = known.transactions

describe('a transaction', () => {
  it.each(Object.entries(known.transactions))(
    'of the kind %s has the known hash and sender',
    (_kind, transaction) => {
      const bytes = encodeTransaction(transaction)
      expect(decodeTransaction(bytes)).toEqual({
        hash: transaction.hash,
        type: Number(transaction.type),
        to: transaction.to,
        value: BigInt(transaction.value),
      })
      expect(deriveSender(bytes).toLowerCase()).toBe(transaction.from)
    },
  )

  it.each(known.block.transactions.map((each) => [each.hash, each] as const))(
    'that signs its chain (EIP-155) has the known hash and sender: %s',
    (hash, transaction) => {
      const bytes = encodeTransaction(transaction)
      expect(decodeTransaction(bytes).hash).toBe(hash)
      expect(deriveSender(bytes).toLowerCase()).toBe(transaction.from)
    },
  )

  it('counts in the root of its block', () => {
    expect(buildTrie(known.block.transactions.map(encodeTransaction)).root).toBe(known.block.transactionsRoot)
  })

  it('is encoded as another implementation does', () => {
    const key = testKey('/0/0').privateKey ?? new Uint8Array(0)
    const signed = Transaction.prepare({
      to: TEST_ADDRESSES[1],
      value: 10n ** 18n,
      nonce: 7n,
      maxFeePerGas: 30n * 10n ** 9n,
      accessList: [{ address: TEST_ADDRESSES[2], storageKeys: [`0x${'11'.repeat(32)}`] }],
    }).signBy(key, false)
    const { raw } = signed
    const quantity = (value: bigint | number | undefined) => `0x${(value ?? 0).toString(16)}`
    const bytes = encodeTransaction({
      type: '0x2',
      chainId: quantity(raw.chainId),
      nonce: quantity(raw.nonce),
      maxFeePerGas: quantity(raw.maxFeePerGas),
      maxPriorityFeePerGas: quantity(raw.maxPriorityFeePerGas),
      gas: quantity(raw.gasLimit),
      to: raw.to.toLowerCase(),
      value: quantity(raw.value),
      input: '0x',
      accessList: raw.accessList,
      // Old servers write v and no yParity.
      v: quantity(raw.yParity),
      r: quantity(raw.r),
      s: quantity(raw.s),
    })
    expect(bytes).toEqual(signed.toBytes())
    expect(deriveSender(bytes)).toBe(TEST_ADDRESSES[0])
  })

  it('has the same encoding where a server writes leading zeros', () => {
    const padded = {
      ...dynamicFee,
      r: `0x${dynamicFee.r.slice(2).padStart(64, '0')}`,
      nonce: `0x000${dynamicFee.nonce.slice(2)}`,
    }
    expect(encodeTransaction(padded)).toEqual(encodeTransaction(dynamicFee))
  })

  it.each([
    ['an unknown type', { ...legacy, type: '0x5' }, 'unknown_type'],
    ['no nonce', { ...legacy, nonce: undefined }, 'invalid_quantity'],
    ['a short receiver', { ...legacy, to: '0x00' }, 'invalid_hex'],
    ['no access list', { ...dynamicFee, accessList: undefined }, 'invalid_json'],
    ['no authorizations', { ...setCode, authorizationList: undefined }, 'invalid_json'],
    ['a number above 256 bits', { ...legacy, value: `0x1${'00'.repeat(32)}` }, 'invalid_quantity'],
  ])('with %s is refused', (_name, transaction, code) => {
    expect(() => encodeTransaction(transaction)).toThrow(refused(code))
  })

  it('of other bytes cannot be decoded', () => {
    const fields = [...listItem(decodeRlp(encodeTransaction(legacy), ''), '')]
    expect(() => decodeTransaction(encodeRlp(fields.slice(1)))).toThrow(refused('invalid_rlp'))
    const large = fields.with(4, new Uint8Array(33).fill(1))
    expect(() => decodeTransaction(encodeRlp(large))).toThrow(refused('invalid_rlp'))
    fields[3] = new Uint8Array(19)
    expect(() => decodeTransaction(encodeRlp(fields))).toThrow(refused('invalid_rlp'))
    expect(() => decodeTransaction(Uint8Array.of(0x05, 0xc0))).toThrow(refused('unknown_type'))
  })

  it('with an impossible signature has no sender', () => {
    const withSignature = (v: bigint, r: bigint, s: bigint) =>
      encodeTransaction({
        ...legacy,
        v: `0x${v.toString(16)}`,
        r: `0x${r.toString(16)}`,
        s: `0x${s.toString(16)}`,
      })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const [v, r, s] = [BigInt(legacy.v), BigInt(legacy.r), BigInt(legacy.s)]
    expect(deriveSender(withSignature(v, r, s)).toLowerCase()).toBe(legacy.from)
    // The high half of s with the other parity is the same signature for the curve, but not for Ethereum (EIP-2).
    const impossible: [bigint, bigint, bigint][] = [
      [27n, r, order - s],
      [v, 0n, s],
      [v, r, 0n],
      [v, order, s],
      [26n, r, s],
      [0n, r, s],
    ]
    for (const signature of impossible) {
      expect(() => deriveSender(withSignature(...signature))).toThrow(refused('invalid_signature'))
    }
    expect(() => deriveSender(encodeTransaction({ ...dynamicFee, yParity: '0x2' }))).toThrow(
      refused('invalid_signature'),
    )
  })
})
