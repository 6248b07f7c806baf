import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import { receiptWith, transferLog, word } from '../../../test/support/ethereumChain.ts'
import { toHex } from './hex.ts'
import { decodeReceipt, encodeReceipt } from './receipt.ts'
import { encodeRlp } from './rlp.ts'
import { buildTrie } from './trie.ts'

const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })
const contract = `0x${'ab'.repeat(20)}`
const log = transferLog({ contract, from: `0x${'01'.repeat(20)}`, to: `0x${'02'.repeat(20)}`, quantity: 5n })

describe('receipts', () => {
  it('of a known block give its receipts root', () => {
    expect(buildTrie(known.receipts.map(encodeReceipt)).root).toBe(known.block.receiptsRoot)
  })

  it.each(['0x0', '0x1', '0x2', '0x3', '0x4'])('of the type %s are decoded as they were encoded', (type) => {
    const bytes = encodeReceipt(receiptWith([log, { ...log, topics: [], data: '0x' }], { type }))
    expect(type === '0x0' ? (bytes[0] ?? 0) >= 0xc0 : bytes[0] === Number(type)).toBe(true)
    const receipt = decodeReceipt(bytes)
    expect(receipt.succeeded).toBe(true)
    expect(receipt.logs.map(({ address, topics, data }) => ({ address, topics, data: toHex(data) }))).toEqual(
      [
        { address: contract, topics: log.topics, data: word(5n) },
        { address: contract, topics: [], data: '0x' },
      ],
    )
  })

  it('say whether the transaction succeeded', () => {
    expect(decodeReceipt(encodeReceipt(receiptWith([], { status: '0x0' }))).succeeded).toBe(false)
  })

  it('without a type are legacy ones', () => {
    const { type: _, ...legacy } = receiptWith([log])
    expect(encodeReceipt(legacy)).toEqual(encodeReceipt(receiptWith([log], { type: '0x0' })))
  })

  it('from before Byzantium are refused, because they do not say whether the transaction succeeded', () => {
    expect(known.receiptWithRoot.root).toMatch(/^0x[0-9a-f]{64}$/)
    expect(() => encodeReceipt(known.receiptWithRoot)).toThrow(refused('receipt_without_status'))
    const bytes = encodeRlp([new Uint8Array(32).fill(1), 21_000n, new Uint8Array(256), []])
    expect(() => decodeReceipt(bytes)).toThrow(refused('receipt_without_status'))
  })

  it.each([
    ['an unknown type', receiptWith([log], { type: '0x7e' }), 'unknown_type'],
    ['a type that is no number', receiptWith([log], { type: 'legacy' }), 'invalid_quantity'],
    ['a short bloom filter', { ...receiptWith([]), logsBloom: '0x00' }, 'invalid_hex'],
    ['no logs', { ...receiptWith([]), logs: null }, 'invalid_json'],
    ['a log that is no object', { ...receiptWith([]), logs: [1] }, 'invalid_json'],
    ['a short topic', receiptWith([{ ...log, topics: ['0x00'] }]), 'invalid_hex'],
    ['data of half a byte', receiptWith([{ ...log, data: '0x0' }]), 'invalid_hex'],
    ['data that is not hexadecimal', receiptWith([{ ...log, data: '0xzz' }]), 'invalid_hex'],
  ])('with %s are refused', (_name, receipt, code) => {
    expect(() => encodeReceipt(receipt)).toThrow(refused(code))
  })

  it.each([
    ['nothing', new Uint8Array(0), 'unknown_type'],
    ['an unknown type', Uint8Array.of(5, 0xc0), 'unknown_type'],
    ['a list of three items', encodeRlp([1n, 1n, new Uint8Array(256)]), 'invalid_rlp'],
    [
      'a log of two items',
      encodeRlp([1n, 1n, new Uint8Array(256), [[new Uint8Array(20), []]]]),
      'invalid_rlp',
    ],
    [
      'a log of no contract',
      encodeRlp([1n, 1n, new Uint8Array(256), [[new Uint8Array(19), [], 0n]]]),
      'invalid_rlp',
    ],
    ['gas with leading zeros', encodeRlp([1n, new Uint8Array(2), new Uint8Array(256), []]), 'invalid_rlp'],
  ])('cannot be decoded from %s', (_name, bytes, code) => {
    expect(() => decodeReceipt(bytes)).toThrow(refused(code))
  })
})
