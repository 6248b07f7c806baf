import { describe, expect, it } from 'vitest'
import { STEP_UP_REASONS } from '../../../contract/money/withdrawals.ts'
import { methodWords, reasonWords } from './stepUp.ts'

describe('the words that ask for proof', () => {
  it('give a sentence for each reason the contract has', () => {
    const sentences = reasonWords(STEP_UP_REASONS)
    expect(new Set(sentences).size).toBe(STEP_UP_REASONS.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('leave out reasons they do not know', () => {
    expect(reasonWords(['full_moon', 'constructor'])).toEqual([])
  })

  it('name only the ways there are', () => {
    expect(methodWords(['email'])).not.toContain('authenticator')
    expect(methodWords(['totp'])).not.toContain('e-mailed')
    expect(methodWords(['totp', 'email'])).toMatch(/authenticator.*e-mailed/)
  })
})
