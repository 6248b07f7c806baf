import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passwordAndProof } from './factors.ts'

/** What prevents closing an account, in the order in which an owner would resolve it. */
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
  /** Empty if the account can be closed. `amount` in USD; `msg` explains the obstacle and how to resolve it. */
  obstacles: z.array(
    z.object({ kind: z.enum(CLOSING_OBSTACLES), amount: z.optional(z.number()), msg: z.string() }),
  ),
  /** The second factors; one of them is required too. Empty where none is on. A recovery code replaces any of them. */
  methods: z.array(z.enum(['passkey', 'totp'])),
  /** How many days after closing identity documents and personal data are kept. */
  keptDays: z.object({ documents: z.number(), person: z.number() }),
})
export type ClosingConditions = z.output<typeof closing>

export const getClosing = endpoint('GET', '/users/closing', 'signed-in', {
  summary: 'What prevents closing your own account, and how long data is kept afterwards',
  answer: closing,
  refusals: ['forbidden'],
})

export const closeAccount = endpoint('POST', '/users/close', 'signed-in', {
  summary:
    'Close your own account for good, with the password and, if one is on, a second factor. Refused while it has money, debts or open requests',
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
