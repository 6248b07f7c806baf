import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import { headerWith, receiptWith, TEST_ADDRESSES } from '../../../test/support/ethereumChain.ts'
import { parseBlockHeader } from './header.ts'
import { toHex } from './hex.ts'
import { verifyMinedTransaction } from './minedTransaction.ts'
import { decodeTransaction, encodeTransaction } from './transaction.ts'

const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })
const GWEI = 1_000_000_000n

const SIGNATURE = { yParity: '0x1', r: `0x${'5a'.repeat(32)}`, s: `0x${'3c'.repeat(32)}` }
const FIELDS = {
  chainId: '0x1',
  nonce: '0x7',
  gas: '0x30d40',
  to: TEST_ADDRESSES[1],
  value: '0x1',
  input: '0x',
  accessList: [],
  ...SIGNATURE,
}

/** A transaction that offers 3 gwei for a unit of gas, of which 1 is priority. */
const dynamic = { ...FIELDS, type: '0x2', maxFeePerGas: hex(3n * GWEI), maxPriorityFeePerGas: hex(GWEI) }
const legacy = { ...FIELDS, type: '0x0', v: '0x25', gasPrice: hex(2n * GWEI) }
const withAccessList = { ...FIELDS, type: '0x1', gasPrice: hex(5n * GWEI) }

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

const hashOf = (transaction: object) => decodeTransaction(encodeTransaction(transaction)).hash

/** A block with these transactions, whose base fee is 1 gwei. Each uses as much gas as its number says. */
function blockOf(...sent: readonly (readonly [transaction: object, gas: bigint, status?: string])[]) {
  let used = 0n
  const transactions = sent.map(([transaction]) => transaction)
  const receipts = sent.map(([transaction, gas, status = '0x1']) => {
    used += gas
    const { type } = transaction as { type: string }
    return { ...receiptWith([], { status, type }), cumulativeGasUsed: hex(used) }
  })
  return { header: headerWith(receipts, transactions), transactions, receipts }
}

describe('a mined transaction', () => {
  it('of a known block succeeded, and paid its gas times the price that the receipt says', () => {
    const block = {
      header: parseBlockHeader(known.block),
      transactions: known.block.transactions,
      receipts: known.receipts,
    }
    for (const [index, { hash }] of known.block.transactions.entries()) {
      const { gasUsed, effectiveGasPrice, logs } = known.receipts[index] ?? {
        gasUsed: '0x0',
        effectiveGasPrice: '0x0',
        logs: [],
      }
      const mined = verifyMinedTransaction(block, hash)
      expect([mined.succeeded, mined.fee, mined.logs.length]).toEqual([
        true,
        BigInt(gasUsed) * BigInt(effectiveGasPrice),
        logs.length,
      ])
    }
  })

  it('pays the base fee and its priority fee, but no more than it offers', () => {
    const greedy = { ...dynamic, nonce: '0x8', maxPriorityFeePerGas: hex(3n * GWEI) }
    const block = blockOf([dynamic, 21_000n], [greedy, 30_000n])
    expect(verifyMinedTransaction(block, hashOf(dynamic)).fee).toBe(21_000n * 2n * GWEI)
    expect(verifyMinedTransaction(block, hashOf(greedy)).fee).toBe(30_000n * 3n * GWEI)
  })

  it('of an older type pays its gas price', () => {
    const block = blockOf([legacy, 21_000n], [withAccessList, 22_000n])
    expect(verifyMinedTransaction(block, hashOf(legacy)).fee).toBe(21_000n * 2n * GWEI)
    expect(verifyMinedTransaction(block, hashOf(withAccessList)).fee).toBe(22_000n * 5n * GWEI)
  })

  it('can have failed, and pays all the same', () => {
    const block = blockOf([legacy, 21_000n], [dynamic, 40_000n, '0x0'])
    expect(verifyMinedTransaction(block, hashOf(dynamic))).toMatchObject({
      succeeded: false,
      fee: 40_000n * 2n * GWEI,
    })
    expect(verifyMinedTransaction(block, hashOf(legacy)).succeeded).toBe(true)
  })

  it('is not taken from another block, nor with other receipts', () => {
    const block = blockOf([dynamic, 21_000n])
    expect(() => verifyMinedTransaction(block, toHex(new Uint8Array(32)))).toThrow(
      refused('no_such_transaction'),
    )
    expect(() => verifyMinedTransaction({ ...block, transactions: [legacy] }, hashOf(legacy))).toThrow(
      refused('transactions_differ'),
    )
    const [receipt] = block.receipts
    for (const receipts of [[], [{ ...receipt, status: '0x0' }], [receipt, receipt]])
      expect(() => verifyMinedTransaction({ ...block, receipts }, hashOf(dynamic))).toThrow(
        refused('receipts_differ'),
      )
  })
})
