import { keccak_256 } from '@noble/hashes/sha3.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainError } from '../chainError.ts'
import { parseHex, toHex } from './hex.ts'
import { encodeRlp } from './rlp.ts'
import { buildTrie, valueInProof } from './trie.ts'

const refused = (code: string) => expect.objectContaining({ name: 'ChainError', code })
const values = (count: number) =>
  Array.from({ length: count }, (_, i) => new Uint8Array(((i * 7) % 90) + 1).fill(i % 256))
const rootOf = (trie: { root: string }) => parseHex(trie.root, 'root', 32)

describe('the trie of a list', () => {
  // Computed with another implementation, @ethereumjs/mpt 10.
  it.each([
    [1, '0x7da536f7df63a0dfb481590e53be0e3063d9b798925cc3d479a3eb3155d0b394'],
    [2, '0x746dcccefc723b748bdc60afc170e185dfc453e6f46b1274dd48a602dce915f0'],
    [17, '0x1bcf1e5de6f8b8c533bee3a96e2585e125b5a3ab022ddb591dd302b3ad3e623e'],
    [128, '0x4cd6e83bfd58ad2c55088068fdde02bc4410d1311cdd833206f2aa36a79a4f01'],
    [129, '0xe6aca6abd629dc4d0712e581b30ff7effbafdb721c69b811be063eef0cb83946'],
    [257, '0x8613175ac3149d879b3e407ebd71c6c1c26c4317e6f06f1e616b7bcf89811810'],
    [1000, '0x60e52367d5a4937f978bb0c629824791087df15d011bc2b9e8059a541583da8e'],
  ])('of %d values has the known root, and a proof of each value', (count, root) => {
    const list = values(count)
    const trie = buildTrie(list)
    expect(trie.root).toBe(root)
    for (const [index, value] of list.entries()) {
      expect(toHex(valueInProof(rootOf(trie), index, trie.proofOf(index)))).toBe(toHex(value))
    }
  })

  it('without values has the known root of the empty trie, and no proof', () => {
    const trie = buildTrie([])
    expect(trie.root).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
    expect(() => trie.proofOf(0)).toThrow(refused('not_in_trie'))
    expect(() => valueInProof(rootOf(trie), 0, [encodeRlp(new Uint8Array(0))])).toThrow(
      refused('invalid_rlp'),
    )
  })

  it.each([-1, 0.5, 300, Number.NaN])('has no proof at the index %d', (index) => {
    expect(() => buildTrie(values(300)).proofOf(index)).toThrow(refused('not_in_trie'))
  })
})

describe('a proof', () => {
  const sizes = [1, 2, 20, 130, 300]
  const tries = sizes.map((size) => buildTrie(values(size)))
  const anyProof = fc
    .integer({ min: 0, max: sizes.length - 1 })
    .chain((i) => fc.record({ i: fc.constant(i), index: fc.nat((sizes[i] ?? 1) - 1) }))
    .map(({ i, index }) => {
      const trie = tries[i] ?? buildTrie([])
      return { root: rootOf(trie), index, nodes: trie.proofOf(index), size: sizes[i] ?? 0 }
    })

  it('with any changed byte is refused', () => {
    fc.assert(
      fc.property(
        anyProof,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (proof, n, position, bits) => {
          const node = n % proof.nodes.length
          const changed = proof.nodes.map((each) => each.slice())
          const bytes = changed[node] ?? new Uint8Array(1)
          bytes[position % bytes.length] = (bytes[position % bytes.length] ?? 0) ^ bits
          expect(() => valueInProof(proof.root, proof.index, changed)).toThrow(refused('invalid_proof'))
        },
      ),
    )
  })

  it('with a changed root is refused', () => {
    fc.assert(
      fc.property(anyProof, fc.nat(31), fc.integer({ min: 1, max: 255 }), (proof, position, bits) => {
        const root = proof.root.slice()
        root[position] = (root[position] ?? 0) ^ bits
        expect(() => valueInProof(root, proof.index, proof.nodes)).toThrow(refused('invalid_proof'))
      }),
    )
  })

  it('proves no other index', () => {
    fc.assert(
      fc.property(anyProof, fc.nat(400), (proof, other) => {
        fc.pre(other !== proof.index)
        // Values of short leaves can share all nodes, so that the proof holds for both. Then it gives the other one's value.
        let value: Uint8Array
        try {
          value = valueInProof(proof.root, other, proof.nodes)
        } catch (error) {
          expect(['not_in_trie', 'invalid_proof']).toContain((error as ChainError).code)
          return
        }
        expect(value).toEqual(values(proof.size)[other])
      }),
    )
  })

  it('with a missing, a further or a moved node is refused', () => {
    const trie = buildTrie(values(300))
    const nodes = trie.proofOf(170)
    expect(nodes.length).toBeGreaterThan(2)
    const wrong = [[], nodes.slice(1), nodes.slice(0, -1), [...nodes, nodes[0]], [...nodes].reverse()]
    for (const list of wrong) {
      expect(() => valueInProof(rootOf(trie), 170, list as Uint8Array[])).toThrow(refused('invalid_proof'))
    }
  })

  it('of absence is refused', () => {
    const trie = buildTrie(values(300))
    // The branch of 256 to 299 (key 82 01 …) has nothing at 300, and the trie has no key 82 02 ….
    for (const index of [300, 320, 512, 70_000]) {
      expect(() => valueInProof(rootOf(trie), index, trie.proofOf(299))).toThrow(refused('not_in_trie'))
    }
  })

  it('of any bytes is refused with a reason', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }),
        fc.nat(300),
        (nodes, index) => {
          expect(() => valueInProof(new Uint8Array(32), index, nodes)).toThrow(refused('invalid_proof'))
        },
      ),
    )
  })

  // A trie of a real block has no such nodes, but they have the right hash here.
  it.each([
    ['a node of three items', [new Uint8Array(1), new Uint8Array(1), new Uint8Array(1)], 'invalid_proof'],
    ['a byte string', new Uint8Array(40), 'invalid_rlp'],
    ['a path without flags', [new Uint8Array(0), new Uint8Array(1)], 'invalid_proof'],
    ['a path with unknown flags', [Uint8Array.of(0x40, 0x80), new Uint8Array(1)], 'invalid_proof'],
    ['a path with a wrong padding', [Uint8Array.of(0x21, 0x80), new Uint8Array(1)], 'invalid_proof'],
    ['a path that is a list', [[], new Uint8Array(1)], 'invalid_rlp'],
    ['a leaf with a list', [Uint8Array.of(0x20, 0x80), []], 'invalid_rlp'],
    ['a leaf of a longer path', [Uint8Array.of(0x20, 0x80, 0x00), new Uint8Array(1)], 'not_in_trie'],
    ['a leaf of a shorter path', [Uint8Array.of(0x38), new Uint8Array(1)], 'not_in_trie'],
    ['an extension to a short hash', [Uint8Array.of(0x00, 0x80), new Uint8Array(31)], 'invalid_rlp'],
    [
      'an extension over the whole path',
      [Uint8Array.of(0x00, 0x80), Array.from({ length: 17 }, () => [])],
      'not_in_trie',
    ],
  ])('with %s is refused', (_name, node, code) => {
    const encoded = encodeRlp(node)
    expect(() => valueInProof(keccak_256(encoded), 0, [encoded])).toThrow(refused(code))
  })
})
