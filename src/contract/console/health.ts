import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { STRATEGY_STATUSES } from '../investing/strategies.ts'
import { ROLES } from '../roles.ts'

/** Why a sign-in failed, as it is counted; `too_many` was refused before anything was compared. */
export const FAILED_SIGN_INS = ['password', 'code', 'passkey', 'unverified', 'closed', 'too_many'] as const
export type FailedSignIn = (typeof FAILED_SIGN_INS)[number]

/** Of mails that wait, and of those that fail, no more are counted. */
export const MOST_MAILS = 1000

export const operatorHealth = z.object({
  /** Of when all of it is. */
  at: isoTime,
  mail: z.object({
    /** Whether there is anything that carries mails. */
    carried: z.boolean(),
    waiting: z.number(),
    oldest: z.nullable(isoTime),
    /** Of those that wait, the ones that failed at least once: by kind of failure, most first. Never whose they are. */
    failing: z.array(z.object({ error: z.string(), count: z.number() })),
    /** When the oldest of the failing ones was written. */
    failingSince: z.nullable(isoTime),
  }),
  cron: z.object({
    /** When it last ran to its end; null before it ever did. */
    at: z.nullable(isoTime),
    work: z.array(
      z.object({
        name: z.string(),
        /** Noted each five minutes, and at once when something changed. */
        at: isoTime,
        /** The longest run of that day. */
        longestMs: z.number(),
        failedSince: z.nullable(isoTime),
        error: z.nullable(z.string()),
      }),
    ),
  }),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), finding: z.nullable(z.string()), at: isoTime }),
  ),
  market: z.array(z.object({ name: z.string(), source: z.string(), at: isoTime })),
  /** Those that are not as they should be: suspended, or with a day’s step that should be done. */
  strategies: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      status: z.enum(STRATEGY_STATUSES),
      since: isoTime,
      reason: z.nullable(z.string()),
      /** Since when the step of a day should be done. */
      lateSince: z.nullable(isoTime),
      /** Since when bars of its market that have closed are missing. */
      lackingSince: z.nullable(isoTime),
    }),
  ),
  signIns: z.object({
    /** Hours (UTC) of the last seven days in which some failed. */
    hours: z.array(z.object({ at: isoTime, cause: z.enum(FAILED_SIGN_INS), count: z.number() })),
    /** Accounts and network addresses for which so many failed that further tries wait now. */
    locked: z.object({ accounts: z.number(), addresses: z.number() }),
  }),
  /** Operators who are signed in, the one seen last first. */
  operators: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      roles: z.array(z.enum(ROLES)),
      sessions: z.number(),
      lastSeenAt: isoTime,
    }),
  ),
})

export type OperatorHealth = z.output<typeof operatorHealth>

export const getHealth = endpoint('GET', '/operator/health', 'operator:overview', {
  summary:
    'How the platform’s own work goes: mail, cron, self-checks, market, strategies that stand still, failed sign-ins, who of the operators is signed in',
  answer: operatorHealth,
})

export const retryMail = endpoint('POST', '/operator/outbox/retry', 'operator:outbox.write', {
  summary: 'Try mails that failed again now, instead of up to six hours later: the 500 oldest',
  answer: z.object({ msg: z.string(), tried: z.number() }),
  audit: ['outbox.retried'],
})
