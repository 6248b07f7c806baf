import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../contract/money/addresses.ts'
import { TOKENS } from './tokens.ts'

describe('the list of tokens', () => {
  it('has USDT and USDC of the main network, with six decimals and valid checksums', () => {
    expect(TOKENS.map(({ symbol, chainId, decimals }) => [symbol, chainId, decimals])).toEqual([
      ['USDT', 1, 6],
      ['USDC', 1, 6],
    ])
    for (const { contract } of TOKENS) {
      expect(contract).toMatch(/[A-F]/)
      expect(formatProblem('eth', contract)).toBe(null)
    }
  })
})
