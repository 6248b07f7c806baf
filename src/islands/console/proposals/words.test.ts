import { describe, expect, it, test } from 'vitest'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { describeProposal } from '../../../contract/console/proposalWords.ts'
import { isolate } from '../../../contract/isolate.ts'
import { describeClosedDecisions, listProposableKinds, PROPOSABLE } from './words.ts'

const proposal: Proposal = {
  _id: '1',
  kind: 'bonus',
  status: 'pending',
  createdAt: '2026-01-31T09:30:00.000Z',
  proposedBy: { _id: '2', name: 'Olga' },
  steps: [],
  reason: null,
  rejection: null,
}

describe('a proposal in a line', () => {
  it('says how much a bonus is and for whom', () => {
    const investor = { _id: '3', name: 'Ana', email: 'ana@example.com' }
    expect(describeProposal({ ...proposal, amount: 50, investor })).toBe('Bonus of $50.00 to Ana')
  })

  it('says which request a reversal is of', () => {
    const investor = { _id: '3', name: 'Ana Torres', email: 'ana@example.com' }
    const request = { _id: '4', ref: 'DEP-1', trxType: 'deposit' as const, amount: 500, investor }
    expect(describeProposal({ ...proposal, kind: 'reversal', request })).toBe(
      'Reverse DEP-1, $500.00, of Ana Torres',
    )
  })

  it('says where a wallet receives', () => {
    const wallet = {
      walletName: 'usdt' as const,
      network: 'usdt-bsc' as const,
      address: '0x0',
      simulated: true,
    }
    expect(describeProposal({ ...proposal, kind: 'wallet', wallet })).toBe(
      'Receive USDT on BNB Smart Chain (BEP-20) at another address',
    )
  })

  it('says whose key opens documents from then on, by its fingerprint', () => {
    const reviewerKey = {
      _id: '5',
      recipient: 'age1',
      fingerprint: '91AF 03CD',
      method: 'passphrase' as const,
    }
    expect(describeProposal({ ...proposal, kind: 'reviewer_key', reviewerKey })).toBe(
      'Encrypt documents to the key of Olga, 91AF 03CD',
    )
  })

  it('says what leaves one place of the treasury and arrives at another', () => {
    const treasury = {
      action: 'conversion' as const,
      from: { place: 'bitcoin:watched', name: 'Vault', asset: 'bitcoin', quantity: '0.5' },
      to: { place: 'usd:bank', name: 'Bank', asset: 'usd', quantity: '25000' },
      documentHash: '0'.repeat(64),
    }
    expect(describeProposal({ ...proposal, kind: 'treasury', treasury })).toBe(
      `Conversion of 0.5 BTC at ${isolate('Vault')} into 25,000 USD at ${isolate('Bank')}`,
    )
  })

  it('says to whom an announcement is mailed, and what it is called', () => {
    const announcement = { topic: 'tips' as const, subject: 'Take a break', text: 'Now and then.' }
    const describe = (kind: 'announcement' | 'service_notice') =>
      describeProposal({ ...proposal, kind, announcement })
    expect(describe('announcement')).toBe('Mail to subscribers: Take a break')
    expect(describe('service_notice')).toBe('Mail to every investor: Take a break')
  })

  it('says of each setting what it is and what it would be', () => {
    const changes = [
      { setting: 'twoPersonLimit', label: 'Two operators above', before: '$5,000.00', after: '$2,500.00' },
      { setting: 'kycRequired', label: 'Identity required', before: 'Yes', after: 'No' },
    ]
    expect(describeProposal({ ...proposal, kind: 'settings', changes })).toBe(
      'Two operators above: $5,000.00 → $2,500.00; Identity required: Yes → No',
    )
  })
})

const bonus = { kind: 'bonus', proposedBy: { _id: 'ana', name: 'Ana' } } as const

test('a proposal is decided by another operator with a role for its kind', () => {
  expect(describeClosedDecisions({ _id: 'bo', roles: ['treasurer'] }, bonus)).toEqual({})
})

test('its own proposer may take it back, and not approve it', () => {
  const { approve, reject } = describeClosedDecisions({ _id: 'ana', roles: ['treasurer'] }, bonus)
  expect(approve).toContain('Another operator has to approve it')
  expect(reject).toBeUndefined()
})

test('who lacks the role for its kind reads which one it needs', () => {
  const needed = 'Needs the role of treasurer.'
  expect(describeClosedDecisions({ _id: 'bo', roles: ['reviewer'] }, bonus)).toEqual({
    approve: needed,
    reject: needed,
  })
})

test('a treasurer proposes what moves money, an administrator what is mailed to many, and nobody else anything', () => {
  expect(listProposableKinds(['treasurer'])).toEqual(['bonus', 'reversal'])
  expect(listProposableKinds(['administrator'])).toEqual(['announcement', 'service_notice'])
  expect(listProposableKinds(['treasurer', 'administrator'])).toEqual(PROPOSABLE)
  expect(listProposableKinds(['reviewer', 'auditor'])).toEqual([])
})
