import * as z from 'zod/mini'
import { isoTime } from '../common.ts'

/** What may be wrong with a withdrawal, as its screen says it. */
export const SIGNALS = [
  'debt',
  'account_recovered',
  'shared_destination',
  'in_and_out',
  'identity_not_approved',
  'holder_differs',
  'password_changed',
  'email_changed',
  'second_factor_changed',
  'new_destination',
  'on_hold',
  'new_device',
  'unusual_amount',
  'several_in_a_day',
  'new_account',
  'bonus_included',
  'frozen_before',
  'whole_balance',
  'identity_new',
  'first_withdrawal',
] as const
export type SignalName = (typeof SIGNALS)[number]

export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

export const signal = z.object({
  signal: z.enum(SIGNALS),
  severity: z.enum(SEVERITIES),
  /** When it came about, or, of a hold, until when it lasts. */
  since: z.optional(isoTime),
  /** In USD: what is owed, was deposited, is usual, was asked for within a day, or was granted. */
  amount: z.optional(z.number()),
  /** How many withdrawals, or other investors. */
  count: z.optional(z.number()),
})

export type Signal = z.output<typeof signal>
