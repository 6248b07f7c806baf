import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { askedAfter } from './stepUp.ts'

const stepUp = new ApiFailure(403, {
  msg: 'Please confirm this withdrawal with a code.',
  code: 'step_up_required',
  methods: ['totp', 'email'],
  reasons: ['new_device'],
})
const asked = { methods: ['totp', 'email'], reasons: ['new_device'], timesSent: 1 }

describe('the proof that a withdrawal is asked for', () => {
  it('is what the server names', () => {
    expect(askedAfter(null, stepUp)).toEqual(asked)
  })

  it('counts the codes that were sent, so that a new one can be said', () => {
    expect(askedAfter(asked, stepUp)?.timesSent).toBe(2)
  })

  it('stays after a wrong code and after a lost connection', () => {
    expect(askedAfter(asked, new ApiFailure(403, { msg: '', code: 'invalid_code' }))).toBe(asked)
    expect(askedAfter(asked, new ApiFailure(0, { msg: '', code: 'network_failure' }))).toBe(asked)
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
    expect(askedAfter(asked, refused)).toEqual({ ...asked, passkey })
    expect(askedAfter(null, refused)).toBeNull()
  })

  it('goes when something else is in the way first', () => {
    expect(askedAfter(asked, new ApiFailure(422, { msg: '', code: 'insufficient_funds' }))).toBeNull()
    expect(askedAfter(asked, new ApiFailure(403, { msg: '', code: 'kyc_required' }))).toBeNull()
    const fields = { amount: 'The smallest withdrawal is $10.00' }
    expect(askedAfter(asked, new ApiFailure(422, { msg: '', code: 'validation_failed', fields }))).toBeNull()
  })
})
