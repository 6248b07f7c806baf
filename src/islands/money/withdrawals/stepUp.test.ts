import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { requestAfter } from './stepUp.ts'

const stepUp = new ApiFailure(403, {
  msg: 'Please confirm this withdrawal with a code.',
  code: 'step_up_required',
  methods: ['totp', 'email'],
  reasons: ['new_device'],
})
const request = { methods: ['totp', 'email'], reasons: ['new_device'], timesSent: 1 }

describe('the proof that a withdrawal is asked for', () => {
  it('is what the server names', () => {
    expect(requestAfter(null, stepUp)).toEqual(request)
  })

  it('counts the codes that were sent, so that a new one can be said', () => {
    expect(requestAfter(request, stepUp)?.timesSent).toBe(2)
  })

  it('stays after a wrong code and after a lost connection', () => {
    expect(requestAfter(request, new ApiFailure(403, { msg: '', code: 'invalid_code' }))).toBe(request)
    expect(requestAfter(request, new ApiFailure(0, { msg: '', code: 'network_failure' }))).toBe(request)
  })

  it('stays after a passkey’s answer that was refused, with the next question', () => {
    const passkey = {
      challenge: 'bmV4dA',
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required' as const,
      allowCredentials: [],
    }
    const refused = new ApiFailure(403, { msg: '', code: 'invalid_passkey', methods: ['passkey'], passkey })
    expect(requestAfter(request, refused)).toEqual({ ...request, passkey })
    expect(requestAfter(null, refused)).toBeNull()
  })

  it('goes when something else is in the way first', () => {
    expect(requestAfter(request, new ApiFailure(422, { msg: '', code: 'insufficient_funds' }))).toBeNull()
    expect(requestAfter(request, new ApiFailure(403, { msg: '', code: 'kyc_required' }))).toBeNull()
    const fields = { amount: 'The smallest withdrawal is $10.00' }
    expect(
      requestAfter(request, new ApiFailure(422, { msg: '', code: 'validation_failed', fields })),
    ).toBeNull()
  })
})
