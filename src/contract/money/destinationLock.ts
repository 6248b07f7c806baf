import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passwordAndProof } from '../identity/factors.ts'

/** How long it takes to add a destination while the lock is on, and to switch the lock off. migrations/0059 has the same. */
export const LOCK_HOURS = 48

/** The lock "only to my saved destinations", while it is on. */
export const destinationLock = z.object({
  since: isoTime,
  /** From when it is off, if its owner asked for that. */
  offFrom: z.nullable(isoTime),
})
export type DestinationLock = z.output<typeof destinationLock>

export const switchLockOn = endpoint('POST', '/users/destination-lock', 'signed-in', {
  summary: `Pay withdrawals only to saved destinations, at once. Also cancels a request to switch this off. While it is on, a new address can be used after ${LOCK_HOURS} hours, and a new bank account not at all`,
  answer: destinationLock,
  limit: { name: 'destination-lock', per: 'account', max: 60, windowSeconds: 3600 },
  refusals: ['conflict'],
})

export const switchLockOff = endpoint('POST', '/users/destination-lock/off', 'signed-in', {
  summary: `Ask to switch the lock off. It stays on for ${LOCK_HOURS} more hours, which nobody can shorten. Takes the password and, if there is one, the second factor`,
  body: passwordAndProof,
  answer: destinationLock,
  limit: { name: 'destination-lock', per: 'account', max: 60, windowSeconds: 3600 },
  refusals: [
    'conflict',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
