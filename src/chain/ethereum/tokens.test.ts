import { describe, expect, it } from 'vitest'
import { addressProblem } from '../../contract/money/addresses.ts'
import { TOKENS, tokenOf } from './tokens.ts'

const [tether, circle] = TOKENS

describe('the list of tokens', () => {
  it('has USDT and USDC of the main network, with six decimals and valid checksums', () => {
    expect(TOKENS.map(({ symbol, chainId, decimals }) => [symbol, chainId, decimals])).toEqual([
      ['USDT', 1, 6],
      ['USDC', 1, 6],
    ])
    for (const { contract } of TOKENS) {
      expect(contract).toMatch(/[A-F]/)
      expect(addressProblem('eth', contract)).toBe(null)
    }
  })

  it('finds a token by chain and contract, in any case of the letters', () => {
    expect(tokenOf(1, '0xdac17f958d2ee523a2206206994597c13d831ec7')).toBe(tether)
    expect(tokenOf(1, circle?.contract ?? '')).toBe(circle)
  })

  it('does not know the contract on another chain, nor another contract', () => {
    expect(tokenOf(11_155_111, tether?.contract ?? '')).toBe(null)
    expect(tokenOf(1, `0x${'ab'.repeat(20)}`)).toBe(null)
  })

  it('can be extended by tokens of a test chain', () => {
    const further = { chainId: 31_337, contract: `0x${'ab'.repeat(20)}`, symbol: 'USDT', decimals: 6 }
    expect(tokenOf(31_337, `0x${'AB'.repeat(20)}`, [further])).toBe(further)
    expect(tokenOf(1, further.contract, [further])).toBe(null)
  })
})
