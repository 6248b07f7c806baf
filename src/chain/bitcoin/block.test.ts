import { describe, expect, test } from 'vitest'
import { mine, REGTEST_GENESIS } from '../../../test/support/bitcoinBlocks.ts'
import { joinBytes } from '../../contract/bytes.ts'
import { parseBlock } from './block.ts'
import { encodeCompactSize, parseHex } from './bytes.ts'
import { parseHeader } from './header.ts'
import { computeMerkleRoot } from './merkle.ts'
import { parseTransaction, serializeTransaction } from './transaction.ts'

/** Transactions with and without witnesses. */
const TRANSACTIONS = Array.from({ length: 5 }, (_, i) =>
  serializeTransaction({
    version: 2,
    lockTime: i,
    inputs: Array.from({ length: i + 1 }, (_input, vout) => ({
      txid: '22'.repeat(32),
      vout: 10 * i + vout,
      script: i === 0 ? '5151' : '',
      sequence: 0xfffffffd,
      witness: i % 2 === 0 ? [] : ['30'.repeat(71), '02'.repeat(33)],
    })),
    outputs: [
      { script: `0014${'ab'.repeat(20)}`, value: 1_000n + BigInt(i) },
      { script: `5120${'cd'.repeat(32)}`, value: 5n },
    ],
  }),
)
const TXIDS = TRANSACTIONS.map((raw) => parseTransaction(raw).txid)

function blockOf(transactions: readonly string[], txids = TXIDS): Uint8Array {
  const header = mine(REGTEST_GENESIS, { merkleRoot: computeMerkleRoot(txids) })
  const parts = transactions.map((raw) => parseHex(raw, 'A transaction'))
  return joinBytes([parseHex(header, 'The header'), encodeCompactSize(parts.length), ...parts])
}

describe('a whole block', () => {
  test('gives its header and each transaction’s id, outputs and bytes without witnesses', () => {
    const { header, transactions } = parseBlock(blockOf(TRANSACTIONS))
    expect(header.previousHash).toBe(parseHeader(REGTEST_GENESIS).hash)
    expect(transactions.map(({ txid }) => txid)).toEqual(TXIDS)
    for (const [i, { outputs, stripped }] of transactions.entries()) {
      const parsed = parseTransaction(TRANSACTIONS[i] ?? '')
      expect(outputs).toEqual(parsed.outputs)
      expect(stripped()).toBe(parsed.stripped)
    }
  })

  test('is refused without one of its transactions, with another one, or in another order', () => {
    const [first = '', second = '', ...others] = TRANSACTIONS
    for (const wrong of [
      TRANSACTIONS.slice(1),
      [...TRANSACTIONS, first],
      [second, first, ...others],
      [first, first, ...others],
    ])
      expect(() => parseBlock(blockOf(wrong))).toThrow(expect.objectContaining({ name: 'ChainError' }))
  })

  test('is refused if it is cut short or continues', () => {
    const block = blockOf(TRANSACTIONS)
    for (const length of [0, 79, 80, 81, 200, block.length - 1])
      expect(() => parseBlock(block.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'malformed' }),
      )
    expect(() => parseBlock(joinBytes([block, Uint8Array.of(0)]))).toThrow(
      expect.objectContaining({ code: 'malformed' }),
    )
  })
})
