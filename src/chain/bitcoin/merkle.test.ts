import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAINNET_100000, MAINNET_100000_TXIDS } from '../../../test/support/bitcoinBlocks.ts'
import { joinBytes } from '../../contract/bytes.ts'
import { hash256, hashBytes, hashText } from './bytes.ts'
import { parseHeader } from './header.ts'
import { buildMerkleTree, computeMerkleRoot, computeRootOfPath } from './merkle.ts'
import { serializeTransaction } from './transaction.ts'

const txids = fc.uniqueArray(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  { minLength: 1, maxLength: 40 },
)

describe('Merkle paths', () => {
  it('lead from each transaction of block 100,000 to the root in its header', () => {
    const { merkleRoot } = parseHeader(MAINNET_100000[0] ?? '')
    expect(computeMerkleRoot(MAINNET_100000_TXIDS)).toBe(merkleRoot)
    MAINNET_100000_TXIDS.forEach((txid, position) => {
      expect(computeRootOfPath(txid, position, buildMerkleTree(MAINNET_100000_TXIDS).pathOf(position))).toBe(
        merkleRoot,
      )
    })
    expect(buildMerkleTree(MAINNET_100000_TXIDS).pathOf(0)).toEqual([
      'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
      '8e30899078ca1813be036a073bbf80b86cdddde1c96e9e9c99e9e3782df4ae49',
    ])
  })

  it('lead to the root of any block, and from no other position or transaction', () => {
    fc.assert(
      fc.property(txids, fc.nat(), fc.nat(), (block, one, other) => {
        const [position, elsewhere] = [one % block.length, other % block.length]
        const path = buildMerkleTree(block).pathOf(position)
        const root = computeMerkleRoot(block)
        expect(computeRootOfPath(block[position] ?? '', position, path)).toBe(root)
        if (position === elsewhere) return
        expect(attempt(() => computeRootOfPath(block[elsewhere] ?? '', position, path))).not.toBe(root)
        expect(attempt(() => computeRootOfPath(block[position] ?? '', elsewhere, path))).not.toBe(root)
      }),
    )
  })

  it('refuses the second position that a doubled last transaction would have', () => {
    const block = MAINNET_100000_TXIDS.slice(0, 3)
    const path = buildMerkleTree(block).pathOf(2)
    expect(path[0]).toBe(block[2])
    expect(computeRootOfPath(block[2] ?? '', 2, path)).toBe(computeMerkleRoot(block))
    expect(() => computeRootOfPath(block[2] ?? '', 3, path)).toThrow(
      expect.objectContaining({ code: 'ambiguous_path' }),
    )
    expect(() => computeMerkleRoot([...block, block[2] ?? ''])).toThrow(
      expect.objectContaining({ code: 'ambiguous_path' }),
    )
  })

  it('refuses a path that begins inside a transaction of 64 bytes', () => {
    // The real transaction in the block. Its second half serves as the id of a payment that never happened.
    const real = Buffer.from(
      serializeTransaction({
        version: 1,
        lockTime: 0,
        inputs: [{ txid: '11'.repeat(32), vout: 0, script: '', sequence: 0, witness: [] }],
        outputs: [{ value: 1n, script: '6a020000' }],
      }),
      'hex',
    )
    const other = MAINNET_100000_TXIDS[0] ?? ''
    const root = hashText(hash256(joinBytes([hash256(real), hashBytes(other, 'txid')])))
    const forged = hashText(real.subarray(32))
    const path = [hashText(real.subarray(0, 32)), other]
    expect(computeMerkleRoot([hashText(hash256(real)), other])).toBe(root)
    expect(() => computeRootOfPath(forged, 1, path)).toThrow(
      expect.objectContaining({ code: 'ambiguous_path' }),
    )
  })

  it('refuses impossible positions and lengths', () => {
    const txid = MAINNET_100000_TXIDS[0] ?? ''
    expect(computeRootOfPath(txid, 0, [])).toBe(txid)
    for (const position of [1, -1, 0.5, Number.NaN]) {
      expect(() => computeRootOfPath(txid, position, [])).toThrow(
        expect.objectContaining({ code: 'no_such_position' }),
      )
      expect(() => buildMerkleTree([txid]).pathOf(position)).toThrow(
        expect.objectContaining({ code: 'no_such_position' }),
      )
    }
    expect(() => computeRootOfPath(txid, 0, Array(16).fill(txid))).toThrow(
      expect.objectContaining({ code: 'path_too_long' }),
    )
    expect(() => computeRootOfPath(txid, 0, ['12'])).toThrow(expect.objectContaining({ code: 'not_a_hash' }))
    expect(() => computeMerkleRoot([])).toThrow(expect.objectContaining({ code: 'no_transactions' }))
  })
})

function attempt(compute: () => string): string | null {
  try {
    return compute()
  } catch {
    return null
  }
}
