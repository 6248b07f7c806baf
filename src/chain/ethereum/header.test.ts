import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import { decodeHeader, parseBlockHeader } from './header.ts'
import { parseHex, toHex } from './hex.ts'
import { decodeRlp, encodeRlp, listItem, type RlpInput } from './rlp.ts'

const refused = (code: string, message = '') =>
  expect.objectContaining({ name: 'ChainError', code, message: expect.stringContaining(message) })

// Genesis to Prague are from the public test chain of the Ethereum execution API, Osaka and Cancun from the main network, Amsterdam is the
// first block of that fork on the test network Sepolia.
const blocks: [string, Record<string, unknown>][] = [
  ...Object.entries(known.headers),
  ['a block of the main network', known.mainnet.block],
  ['a block with transactions', known.block],
]

describe('a block header', () => {
  it.each(blocks)('has the known hash: %s', (_name, block) => {
    const header = parseBlockHeader(block)
    expect(header).toMatchObject({
      hash: block.hash,
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      parentHash: block.parentHash,
      receiptsRoot: block.receiptsRoot,
      transactionsRoot: block.transactionsRoot,
    })
    expect(decodeHeader(header.encoded)).toEqual(header)
  })

  it.each(Object.keys(known.headers.amsterdam).filter((name) => name !== 'size' && name !== 'hash'))(
    'with another %s has another hash',
    (name) => {
      const block: Record<string, unknown> = known.headers.amsterdam
      const value = String(block[name])
      const changed = { ...block, [name]: `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` }
      expect(() => parseBlockHeader(changed)).toThrow(refused('block_hash_differs'))
    },
  )

  it('does not have a hash that the server only claims', () => {
    expect(() => parseBlockHeader({ ...known.headers.prague, hash: known.headers.cancun.hash })).toThrow(
      refused('block_hash_differs'),
    )
  })

  it('of a later fork is accepted, if its hash agrees with the new fields', () => {
    const { amsterdam } = known.headers
    const items = listItem(decodeRlp(parseHex(parseBlockHeader(amsterdam).encoded, ''), ''), '')
    const hashWith = (...fields: (Uint8Array | bigint)[]) =>
      toHex(keccak_256(encodeRlp([...items, ...fields])))
    const root = new Uint8Array(32).fill(0x22)
    const later = {
      // In another order than in the header, beside two that only the server adds.
      author: amsterdam.miner,
      laterNumber: '0x0',
      laterRoot: toHex(root),
      blockTimestamp: amsterdam.timestamp,
      ...amsterdam,
    }
    const header = parseBlockHeader({ ...later, hash: hashWith(root, 0n) })
    expect(header).toMatchObject({ number: Number(amsterdam.number), laterFields: 2 })
    expect(header.receiptsRoot).toBe(amsterdam.receiptsRoot)
    expect(decodeHeader(header.encoded)).toEqual(header)
    expect(parseBlockHeader(later).laterFields).toBe(0)
    for (const changed of [
      { ...later, hash: hashWith(root, 1n) },
      { ...later, hash: hashWith(root, 0n), receiptsRoot: amsterdam.transactionsRoot },
      { ...later, hash: hashWith(root, 0n), laterRoot: { root: toHex(root) } },
      { ...later, hash: hashWith(root, 0n), laterRoot: `0x${'22'.repeat(257)}` },
    ])
      expect(() => parseBlockHeader(changed)).toThrow(refused('unknown_header_field', 'laterRoot'))
    // Fields of a later fork stand after all known ones.
    const { slotNumber: _, ...early } = later
    expect(() => parseBlockHeader({ ...early, hash: hashWith(root) })).toThrow(
      refused('unknown_header_field', 'laterRoot'),
    )
    const nested = toHex(encodeRlp([...items, [root]] as RlpInput))
    expect(() => decodeHeader(nested)).toThrow(refused('invalid_rlp', 'later field'))
  })

  it('without a field of its fork is refused', () => {
    const { withdrawalsRoot: _, ...block } = known.headers.prague
    expect(() => parseBlockHeader(block)).toThrow(refused('incomplete_header', 'withdrawalsRoot'))
    const { requestsHash: __, ...shorter } = known.headers.prague
    expect(() => parseBlockHeader(shorter)).toThrow(refused('block_hash_differs'))
    const { stateRoot: ___, ...incomplete } = known.headers.prague
    expect(() => parseBlockHeader(incomplete)).toThrow(refused('invalid_hex', 'stateRoot'))
  })

  it.each([
    ['null', null, 'invalid_json'],
    ['a list', [], 'invalid_json'],
    ['text', 'block', 'invalid_json'],
    ['a short hash', { ...known.headers.prague, parentHash: '0x00' }, 'invalid_hex'],
    ['a number that is no text', { ...known.headers.prague, number: 45 }, 'invalid_quantity'],
    ['a negative number', { ...known.headers.prague, number: '-0x1' }, 'invalid_quantity'],
  ])('is not %s', (_name, block, code) => {
    expect(() => parseBlockHeader(block)).toThrow(refused(code))
  })

  it.each([
    ['nothing', undefined, 'invalid_hex'],
    ['no RLP', '0xffff', 'invalid_rlp'],
    ['an empty list', '0xc0', 'incomplete_header'],
    ['trailing bytes', `${parseBlockHeader(known.headers.prague).encoded}00`, 'invalid_rlp'],
  ])('cannot be decoded from %s', (_name, encoded, code) => {
    expect(() => decodeHeader(encoded)).toThrow(refused(code))
  })
})
