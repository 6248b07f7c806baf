import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passwordAndProof } from './factors.ts'

/** What can stand in the way of closing an account, in the order in which one would clear it away. */
const CLOSING_OBSTACLES = [
  'frozen',
  'deposits',
  'withdrawals',
  'correction',
  'invested',
  'owed',
  'available',
] as const
export type ClosingObstacle = (typeof CLOSING_OBSTACLES)[number]

const closing = z.object({
  /** Empty: the account can be closed. `amount` in USD; `msg` says what it is and how to get on. */
  obstacles: z.array(
    z.object({ kind: z.enum(CLOSING_OBSTACLES), amount: z.optional(z.number()), msg: z.string() }),
  ),
  /** The second factors, of which one is asked for as well; empty where none is on. A recovery code stands in for any. */
  methods: z.array(z.enum(['passkey', 'totp'])),
  /** How many days after closing identity documents, and what names the person, are kept. */
  keptDays: z.object({ documents: z.number(), person: z.number() }),
})
export type Closing = z.output<typeof closing>

export const getClosing = endpoint('GET', '/users/closing', 'signed-in', {
  summary: 'What stands in the way of closing one’s own account, and how long what is kept after it',
  answer: closing,
  refusals: ['forbidden'],
})

export const closeAccount = endpoint('POST', '/users/close', 'signed-in', {
  summary:
    'Close one’s own account for good, with the password and, where a second factor is on, a proof of it. Refused while money is in it or anything is open',
  body: passwordAndProof,
  answer: message,
  requires: ['unfrozen'],
  limit: { name: 'close-account', per: 'account', max: 20, windowSeconds: 900 },
  refusals: [
    'forbidden',
    'account_frozen',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
    'money_left',
  ],
})
