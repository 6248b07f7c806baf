import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAINNET_100000_TXIDS, MAINNET_PAYMENT } from '../../../test/support/bitcoinBlocks.ts'
import { isTransaction, MAXIMUM_VALUE, parseTransaction, serializeTransaction } from './transaction.ts'

/** The signed transaction of BIP-143's example of P2WPKH. */
const SEGWIT =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000'

const hex = (bytes: number) =>
  fc.uint8Array({ maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'))
const transactions = fc.record({
  version: fc.constantFrom(1, 2, -1),
  lockTime: fc.nat(),
  inputs: fc.uniqueArray(
    fc.record({
      txid: fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((array) => Buffer.from(array).toString('hex')),
      vout: fc.nat(3),
      script: hex(300),
      sequence: fc.nat(0xffffffff),
      witness: fc.array(hex(80), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4, selector: ({ txid, vout }) => `${txid}:${vout}` },
  ),
  outputs: fc.array(fc.record({ value: fc.bigInt(0n, 2_000_000_000n), script: hex(40) }), {
    minLength: 1,
    maxLength: 300,
  }),
})

describe('parsing a transaction', () => {
  it('reads a transaction of mainnet without witnesses', () => {
    const parsed = parseTransaction(MAINNET_PAYMENT)
    expect(parsed).toMatchObject({
      txid: MAINNET_100000_TXIDS[1],
      version: 1,
      lockTime: 0,
      isCoinbase: false,
      isReplaceable: false,
      virtualSize: 259,
      stripped: MAINNET_PAYMENT,
    })
    expect(parsed.outputs).toEqual([
      { value: 556_000_000n, script: '76a914c398efa9c392ba6013c5e04ee729755ef7f58b3288ac' },
      { value: 4_444_000_000n, script: '76a914948c765a6914d43f2a7ac177da2c2f6b52de3d7c88ac' },
    ])
  })

  it('reads the signed transaction of BIP-143 and leaves the witnesses out of the txid', () => {
    const parsed = parseTransaction(SEGWIT)
    expect(parsed.txid).toBe('e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609')
    expect(parsed.inputs[0]?.witness).toEqual([])
    expect(parsed.inputs[1]?.witness[1]).toBe(
      '025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357',
    )
    expect(parsed.isReplaceable).toBe(true)
    expect(parsed.outputs.map(({ value }) => value)).toEqual([112_340_000n, 223_450_000n])
    expect(serializeTransaction(parsed)).toBe(SEGWIT)
  })

  it('gives back what was serialized', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const raw = serializeTransaction(transaction)
        const parsed = parseTransaction(raw)
        expect(parsed).toMatchObject(transaction)
        expect(parseTransaction(parsed.stripped).txid).toBe(parsed.txid)
      }),
    )
  })

  it('refuses every shortened and every lengthened transaction', () => {
    for (const raw of [MAINNET_PAYMENT, SEGWIT]) {
      for (let length = 0; length < raw.length; length += 2) {
        expect(() => parseTransaction(raw.slice(0, length))).toThrow(
          expect.objectContaining({ name: 'ChainError' }),
        )
      }
      expect(() => parseTransaction(`${raw}00`)).toThrow('has bytes after its end')
    }
  })

  it.each([
    ['text that is not hexadecimal', 'zz', 'must be lowercase hexadecimal'],
    ['upper case', MAINNET_PAYMENT.toUpperCase(), 'must be lowercase hexadecimal'],
    ['more than 4 million bytes', '00'.repeat(4_000_001), 'larger than a block'],
    ['a million inputs in a few bytes', `01000000fe40420f00${'00'.repeat(50)}`, 'ends too early'],
    [
      'an announced witness that is missing',
      `01000000000101${'11'.repeat(32)}0000000000ffffffff010000000000000000016a0000000000`,
      'announces a witness and has none',
    ],
    [
      'a length in too many bytes',
      `01000000fd0100${'11'.repeat(32)}0000000000ffffffff010000000000000000016a00000000`,
      'writes a length in too many bytes',
    ],
    ['no outputs', `0100000001${'11'.repeat(32)}0000000000ffffffff0000000000`, 'has no outputs'],
  ])('refuses %s', (_, raw, words) => {
    expect(() => parseTransaction(raw)).toThrow(words)
  })

  it('refuses more than 21 million bitcoin, in one output or together', () => {
    const input = { txid: '11'.repeat(32), vout: 0, script: '', sequence: 0, witness: [] }
    const paying = (...values: bigint[]) =>
      serializeTransaction({
        version: 2,
        lockTime: 0,
        inputs: [input],
        outputs: values.map((value) => ({ script: '6a', value })),
      })
    expect(parseTransaction(paying(MAXIMUM_VALUE)).outputs[0]?.value).toBe(2_100_000_000_000_000n)
    for (const values of [[MAXIMUM_VALUE + 1n], [MAXIMUM_VALUE, 1n], [2n ** 64n - 1n]]) {
      expect(() => parseTransaction(paying(...values))).toThrow('pays more than 21 million bitcoin')
    }
  })

  it('refuses a coin that is spent twice', () => {
    const input = { txid: '11'.repeat(32), vout: 0, script: '', sequence: 0, witness: [] }
    const raw = serializeTransaction({
      version: 2,
      lockTime: 0,
      inputs: [input, input],
      outputs: [{ script: '6a', value: 1n }],
    })
    expect(() => parseTransaction(raw)).toThrow('spends a coin twice')
  })

  it('refuses 64 bytes, which could be a node of a Merkle tree', () => {
    const raw = serializeTransaction({
      version: 1,
      lockTime: 0,
      inputs: [{ txid: '11'.repeat(32), vout: 0, script: '', sequence: 0, witness: [] }],
      outputs: [{ value: 1n, script: '6a020000' }],
    })
    expect(raw).toHaveLength(128)
    expect(() => parseTransaction(raw)).toThrow(expect.objectContaining({ code: 'ambiguous_transaction' }))
    expect(isTransaction(Buffer.from(raw, 'hex'))).toBe(true)
    expect(isTransaction(new Uint8Array(64))).toBe(false)
  })

  it('recognises new coins and an opt-in to replacement', () => {
    const input = {
      txid: '0'.repeat(64),
      vout: 0xffffffff,
      script: '0101',
      sequence: 0xfffffffe,
      witness: [],
    }
    const transaction = { version: 2, lockTime: 0, inputs: [input], outputs: [{ script: '6a', value: 1n }] }
    expect(parseTransaction(serializeTransaction(transaction))).toMatchObject({
      isCoinbase: true,
      isReplaceable: false,
    })
    const replaceable = { ...transaction, inputs: [{ ...input, vout: 1, sequence: 0xfffffffd }] }
    expect(parseTransaction(serializeTransaction(replaceable))).toMatchObject({
      isCoinbase: false,
      isReplaceable: true,
    })
  })
})
