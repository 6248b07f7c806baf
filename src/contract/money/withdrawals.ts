import * as z from 'zod/mini'
import { amountField } from '../amountField.ts'
import { filed, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { passkeyAnswerField } from '../passkeyAnswer.ts'
import { choice, codeField, requiredText } from '../text.ts'
import { COINS, NETWORKS } from './coins.ts'

export const STEP_UP_REASONS = [
  'new_destination',
  'new_device',
  'recent_security_change',
  'large_share',
] as const
export type StepUpReason = (typeof STEP_UP_REASONS)[number]
export const STEP_UP_METHODS = ['passkey', 'totp', 'email'] as const

export const EMPTY_AMOUNT = 'Please input withdrawal amount in USD'

/** The fields of a withdrawal by cryptocurrency. Whether the address fits the network is checked after the fields. */
export const cryptoWithdrawal = z.object({
  amount: amountField(EMPTY_AMOUNT),
  type: choice(COINS, 'Please choose a coin'),
  network: choice(NETWORKS, 'Please choose a network'),
  address: requiredText('Please provide withdrawal address', 200),
  code: codeField(),
  passkey: passkeyAnswerField(),
})

/** Of both ways together: the name is what they are counted under. */
export const LIMIT = { name: 'withdrawals', per: 'account', max: 600, windowSeconds: 3600 } as const

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/withdrawals',
  scope: 'signed-in',
  summary: 'Withdraw by cryptocurrency. The amount is held at once',
  status: 201,
  accepts: 'either',
  body: cryptoWithdrawal,
  answer: filed,
  idempotent: true,
  requires: ['unfrozen', 'kyc'],
  limit: LIMIT,
  refusals: [
    'too_many_open',
    'debt_outstanding',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})

export const cancelWithdrawal = endpoint({
  method: 'POST',
  path: '/withdrawals/:id/cancel',
  scope: 'signed-in',
  summary: 'Take back a withdrawal that is still pending; what was held is available again',
  status: 200,
  answer: message,
  idempotent: true,
  refusals: ['not_pending'],
})
