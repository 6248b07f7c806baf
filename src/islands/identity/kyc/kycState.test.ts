import { describe, expect, it } from 'vitest'
import type { KycRecord } from '../../../contract/identity/kyc.ts'
import { deriveKycState } from './kycState.ts'

const rejected: KycRecord = {
  _id: '1',
  status: 'rejected',
  document: 'Passport',
  createdAt: '2026-01-01T00:00:00.000Z',
  reason: 'The picture is blurred.',
  sealedBy: 'browser',
  looks: [],
}
const pending: KycRecord = { ...rejected, _id: '2', status: 'pending', reason: undefined }

describe('how far someone’s identity check has come', () => {
  it('is missing while nothing was submitted', () => {
    expect(deriveKycState([])).toEqual({ state: 'missing' })
  })

  it('is what the newest record says, whatever came before', () => {
    expect(deriveKycState([pending, rejected])).toEqual({ state: 'pending', record: pending })
    expect(deriveKycState([rejected])).toEqual({ state: 'rejected', record: rejected })
  })
})
