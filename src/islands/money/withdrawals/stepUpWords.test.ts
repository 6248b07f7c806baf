import { describe, expect, it } from 'vitest'
import { STEP_UP_REASONS } from '../../../contract/money/withdrawals.ts'
import { describeMethods, describeReasons } from './stepUp.ts'

describe('the words that ask for proof', () => {
  it('give a sentence for each reason the contract has', () => {
    const sentences = describeReasons(STEP_UP_REASONS)
    expect(new Set(sentences).size).toBe(STEP_UP_REASONS.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('leave out reasons they do not know', () => {
    expect(describeReasons(['full_moon', 'constructor'])).toEqual([])
  })

  it('name only the ways there are', () => {
    expect(describeMethods(['email'])).not.toContain('authenticator')
    expect(describeMethods(['totp'])).not.toContain('e-mailed')
    expect(describeMethods(['totp', 'email'])).toMatch(/authenticator.*e-mailed/)
  })
})
