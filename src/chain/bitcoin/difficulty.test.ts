import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeNextBits,
  computeWork,
  decodeTarget,
  encodeTarget,
  hasDifficulty,
  isPossibleChange,
} from './difficulty.ts'
import { BITCOIN_NETWORKS } from './network.ts'

const { mainnet, regtest } = BITCOIN_NETWORKS

describe('difficulty', () => {
  it('expands and compacts targets as nodes do', () => {
    expect(decodeTarget(0x1d00ffff)).toBe(0xffffn << 208n)
    expect(decodeTarget(0x207fffff)).toBe(0x7fffffn << 232n)
    expect(decodeTarget(0x05009234)).toBe(0x92340000n)
    expect(decodeTarget(0x03123456)).toBe(0x123456n)
    expect(decodeTarget(0x02123456)).toBe(0x1234n)
    expect(encodeTarget(0x80n)).toBe(0x02008000)
    expect(encodeTarget(0x12345600n)).toBe(0x04123456)
    for (const bits of [0x1d00ffff, 0x207fffff, 0x1b04864c, 0x17028c61, 0x1c05a3f4])
      expect(encodeTarget(decodeTarget(bits))).toBe(bits)
  })

  it.each([
    ['zero', 0],
    ['zero after shifting', 0x01003456],
    ['negative', 0x04923456],
    ['negative after shifting', 0x01fedcba],
    ['overflowing', 0xff123456],
    ['just overflowing', 0x21010000],
  ])('refuses a target that is %s', (_, bits) => {
    expect(() => decodeTarget(bits)).toThrow(expect.objectContaining({ code: 'bad_target' }))
  })

  it('compacts any target to the nearest one below with the same first bits', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, (1n << 255n) - 1n), (target) => {
        const compacted = decodeTarget(encodeTarget(target))
        expect(compacted).toBeLessThanOrEqual(target)
        expect(target - compacted).toBeLessThanOrEqual(target >> 15n)
        expect(decodeTarget(encodeTarget(compacted))).toBe(compacted)
      }),
    )
  })

  // Bitcoin Core's own cases (pow_tests.cpp): real periods of mainnet, and both bounds of a change.
  it.each([
    ['the first change, at height 32,256', 0x1d00ffff, 1262152739 - 1261130161, 0x1d00d86a],
    ['the limit, at height 2,016', 0x1d00ffff, 1233061996 - 1231006505, 0x1d00ffff],
    ['a quarter at most, at height 68,544', 0x1c05a3f4, 1279297671 - 1279008237, 0x1c0168fd],
    ['four times at most, at height 46,368', 0x1c387f6f, 1269211443 - 1263163443, 0x1d00e1fd],
  ])('changes as in Bitcoin Core: %s', (_, bits, seconds, expected) => {
    expect(computeNextBits(mainnet, bits, seconds)).toBe(expected)
    expect(isPossibleChange(mainnet, 2016, bits, expected)).toBe(true)
  })

  it('allows changes only between periods, and no larger ones', () => {
    expect(isPossibleChange(mainnet, 2016, 0x1c05a3f4, 0x1c0168fc)).toBe(false)
    expect(isPossibleChange(mainnet, 2016, 0x1c387f6f, 0x1d00e1fe)).toBe(false)
    expect(isPossibleChange(mainnet, 2017, 0x1c387f6f, 0x1d00e1fd)).toBe(false)
    expect(isPossibleChange(mainnet, 2017, 0x1c387f6f, 0x1c387f6f)).toBe(true)
    expect(isPossibleChange(regtest, 2016, 0x207fffff, 0x207ffffe)).toBe(false)
  })

  it('counts work and difficulty', () => {
    // The work of mainnet's genesis block, as nodes report it.
    expect(computeWork(decodeTarget(0x1d00ffff))).toBe(0x100010001n)
    expect(computeWork(decodeTarget(0x207fffff))).toBe(2n)
    expect(hasDifficulty(decodeTarget(0x1d00ffff), 1n)).toBe(true)
    expect(hasDifficulty(decodeTarget(0x1d00ffff), 2n)).toBe(false)
    // Block 100,000 has the difficulty 14,484.16.
    expect(hasDifficulty(decodeTarget(0x1b04864c), 14_484n)).toBe(true)
    expect(hasDifficulty(decodeTarget(0x1b04864c), 14_485n)).toBe(false)
    expect(hasDifficulty(decodeTarget(0x207fffff), 0n)).toBe(true)
  })
})
