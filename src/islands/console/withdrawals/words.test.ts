import { describe, expect, it } from 'vitest'
import { STEP_UP_REASONS } from '../../../contract/money/withdrawals.ts'
import { changedWords, methodOf, proofWords, reasonWords, statusWord } from './words.ts'

describe('a withdrawal in words', () => {
  it('says by which coin and network it is paid', () => {
    expect(methodOf({ type: 'usdt', network: 'usdt-bsc', bank: null })).toBe(
      'USDT on BNB Smart Chain (BEP-20)',
    )
  })

  it('says that an approved one is to be paid', () => {
    expect(statusWord('approved')).toBe('To be paid')
    expect(statusWord('completed')).toBe('Completed')
  })

  it('has words for every reason that proof is asked for', () => {
    expect(STEP_UP_REASONS.map(reasonWords)).not.toContainEqual(expect.stringMatching(/_/))
  })

  it('shows a reason it does not know as it came', () => {
    expect(reasonWords('constructor')).toBe('constructor')
  })

  it('names the fields of a bank destination that changed', () => {
    expect(changedWords(['accountHolderName', 'branchCode'])).toBe('account holder name, branch code')
    expect(changedWords([])).toBe('')
  })

  it('has words for every proof', () => {
    expect(proofWords('totp')).toMatch(/second factor/)
    expect(proofWords('email')).toMatch(/e-mail/)
    expect(proofWords('none')).toMatch(/None/)
  })
})
