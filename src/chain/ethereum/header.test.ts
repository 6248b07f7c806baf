import { describe, expect, it } from 'vitest'
import known from '../../../test/support/ethereumBlocks.json' with { type: 'json' }
import { decodeHeader, parseBlockHeader } from './header.ts'
import { parseHex, toHex } from './hex.ts'
import { decodeRlp, encodeRlp, listItem } from './rlp.ts'

const refused = (code: string, message = '') =>
  expect.objectContaining({ name: 'ChainError', code, message: expect.stringContaining(message) })

// Genesis to Prague are from the public test chain of the Ethereum execution API, Osaka and Cancun from the main network.
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

  it.each(Object.keys(known.headers.prague).filter((name) => name !== 'size' && name !== 'hash'))(
    'with another %s has another hash',
    (name) => {
      const block: Record<string, unknown> = known.headers.prague
      const value = String(block[name])
      const changed = { ...block, [name]: `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` }
      // The extra data of this block is empty.
      if (name === 'extraData') changed.extraData = '0x01'
      expect(() => parseBlockHeader(changed)).toThrow(refused('block_hash_differs'))
    },
  )

  it('does not have a hash that the server only claims', () => {
    expect(() => parseBlockHeader({ ...known.headers.prague, hash: known.headers.cancun.hash })).toThrow(
      refused('block_hash_differs'),
    )
  })

  it('of a later fork is refused, with the name of the new field', () => {
    const later = {
      ...known.headers.osaka,
      hash: `0x${'11'.repeat(32)}`,
      blockAccessListHash: `0x${'22'.repeat(32)}`,
    }
    expect(() => parseBlockHeader(later)).toThrow(refused('unknown_header_field', 'blockAccessListHash'))
    expect(() => parseBlockHeader({ ...known.headers.prague, author: '0x00' })).not.toThrow()
    const items = listItem(decodeRlp(parseHex(parseBlockHeader(known.headers.osaka).encoded, ''), ''), '')
    const longer = toHex(encodeRlp([...items, new Uint8Array(32)]))
    expect(() => decodeHeader(longer)).toThrow(refused('unknown_header_field'))
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
    ['an empty list', '0xc0', 'unknown_header_field'],
    ['trailing bytes', `${parseBlockHeader(known.headers.prague).encoded}00`, 'invalid_rlp'],
  ])('cannot be decoded from %s', (_name, encoded, code) => {
    expect(() => decodeHeader(encoded)).toThrow(refused(code))
  })
})
