import { describe, expect, it, test } from 'vitest'
import { SECOND_OPERATOR_REASONS } from '../../../contract/console/cases.ts'
import {
  describeProof,
  describeProofReason,
  describeRequestStatus,
} from '../../../contract/console/requestWords.ts'
import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { STEP_UP_REASONS } from '../../../contract/money/withdrawals.ts'
import {
  describeChangedFields,
  describeOwnApproval,
  describePayoutMethod,
  describeSoloAllowance,
  findPayee,
} from './words.ts'

describe('a withdrawal in words', () => {
  it('says by which coin and network it is paid', () => {
    expect(describePayoutMethod({ type: 'usdt', network: 'usdt-bsc', bank: null })).toBe(
      'USDT on BNB Smart Chain (BEP-20)',
    )
  })

  it('names the holder of the account that is paid, who may be another than the investor', () => {
    const investor = { _id: 'a', name: 'Ana Torres', email: 'ana@example.com' }
    const bank = { accountHolderName: 'Otto Other' } as OperatorWithdrawal['bank']
    expect(findPayee({ bank, investor })).toBe('Otto Other')
    expect(findPayee({ bank: null, investor })).toBe('Ana Torres')
  })

  it('says that an approved one is to be paid', () => {
    expect(describeRequestStatus('approved')).toBe('To be paid')
    expect(describeRequestStatus('completed')).toBe('Completed')
  })

  it('has words for every reason that proof is asked for', () => {
    expect(STEP_UP_REASONS.map(describeProofReason)).not.toContainEqual(expect.stringMatching(/_/))
  })

  it('shows a reason it does not know as it came', () => {
    expect(describeProofReason('constructor')).toBe('constructor')
  })

  it('names the fields of a bank destination that changed', () => {
    expect(describeChangedFields(['accountHolderName', 'branchCode'])).toBe(
      'account holder name, branch code',
    )
    expect(describeChangedFields([])).toBe('')
  })

  it('has words for every proof', () => {
    expect(describeProof('totp')).toMatch(/second factor/)
    expect(describeProof('email')).toMatch(/e-mail/)
    expect(describeProof('none')).toBe('Not required')
  })
})

const alone = { limit: 5000, used: 0, day: { limit: 25_000, used: 400 }, needsTwo: false, reasons: [] }

test('what one pays alone is said with both limits', () => {
  expect(describeSoloAllowance(alone)).toContain('$0.00 of $5,000.00')
  expect(describeSoloAllowance(alone)).toContain('$400.00 of $25,000.00')
})

test.each(SECOND_OPERATOR_REASONS)('%s is told as a sentence', (reason) => {
  const words = describeSoloAllowance({ ...alone, needsTwo: true, reasons: [reason] })
  expect(words).toMatch(/^[A-Z].*\.$/)
  expect(words).not.toMatch(/_|undefined/)
})

test.each([
  ['identified', 'You approved this investor’s identity, so another operator must pay or approve it.'],
  ['credited', 'You credited this investor, so another operator must pay or approve it.'],
] as const)('needing two operators because of %s is said in one sentence', (reason, words) => {
  expect(describeSoloAllowance({ ...alone, needsTwo: true, reasons: [reason] })).toBe(words)
})

test('several reasons stand one after another', () => {
  const words = describeSoloAllowance({ ...alone, needsTwo: true, reasons: ['credited', 'identified'] })
  expect(words).toContain('You credited this investor. You approved this investor’s identity.')
})

describe('an operator who approved a withdrawal', () => {
  const me = { _id: 'me', name: 'Olga', roles: [] }
  const other = { _id: 'other', name: 'Otto' }
  const approvedBy = (by: typeof other, amount = 5000.01) => ({
    amount,
    steps: [{ step: 'approved' as const, at: '2026-11-21T10:00:00.000Z', by }],
  })
  const settings = { twoPersonLimit: 5000 }

  it('does not record its payment where two are needed', () => {
    const opened = { ...approvedBy(me, 100), alone: { ...alone, needsTwo: true } }
    expect(describeOwnApproval(opened, me, null)).toMatch(/another operator must record/)
    expect(describeOwnApproval(approvedBy(me), me, settings)).toMatch(/another operator must record/)
    const risk = { score: 60, level: 'high' as const, signals: [] }
    expect(describeOwnApproval({ ...approvedBy(me, 100), risk }, me, settings)).toMatch(/another operator/)
  })

  it('records it otherwise', () => {
    expect(describeOwnApproval(approvedBy(other), me, settings)).toBeUndefined()
    expect(describeOwnApproval(approvedBy(me, 5000), me, settings)).toBeUndefined()
    expect(describeOwnApproval({ ...approvedBy(me), alone }, me, settings)).toBeUndefined()
    expect(describeOwnApproval(approvedBy(me), me, null)).toBeUndefined()
  })
})
