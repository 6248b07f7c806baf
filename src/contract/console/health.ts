import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { STRATEGY_STATUSES } from '../investing/strategies.ts'
import { CHAINS } from '../money/payments.ts'
import { ROLES } from '../roles.ts'
import { chainServer } from './watchWallets.ts'

/** Why a sign-in failed; `too_many` was refused before any comparison. */
export const FAILED_SIGN_INS = ['password', 'code', 'passkey', 'unverified', 'closed', 'too_many'] as const
export type FailedSignIn = (typeof FAILED_SIGN_INS)[number]

/** Waiting and failing mails are counted up to here. */
export const MOST_MAILS = 1000

export const operatorHealth = z.object({
  at: isoTime,
  mail: z.object({
    /** Whether a mail provider is configured. */
    carried: z.boolean(),
    waiting: z.number(),
    oldest: z.nullable(isoTime),
    /** Waiting mails that failed at least once, by error, most frequent first. Never with recipients. */
    failing: z.array(z.object({ error: z.string(), count: z.number() })),
    /** When the oldest failing mail was written. */
    failingSince: z.nullable(isoTime),
  }),
  cron: z.object({
    /** When it last completed; null before the first time. */
    at: z.nullable(isoTime),
    work: z.array(
      z.object({
        name: z.string(),
        /** Updated every five minutes, and immediately on a change. */
        at: isoTime,
        longestMs: z.number(),
        failedSince: z.nullable(isoTime),
        error: z.nullable(z.string()),
      }),
    ),
  }),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), finding: z.nullable(z.string()), at: isoTime }),
  ),
  /** When operators paused payouts; null while they go on. */
  payoutsPausedSince: z.nullable(isoTime),
  /** The servers of chains whose payments are proved, and payments that need a person. */
  chains: z.object({
    servers: z.array(z.extend(chainServer, { chain: z.enum(CHAINS) })),
    queued: z.number(),
    undone: z.number(),
    /** The oldest blocks that could not be searched three times or more. Payments in them wait. */
    unsearched: z.array(
      z.object({
        chain: z.enum(CHAINS),
        height: z.number(),
        /** In words that follow "a server". */
        fault: z.string(),
        failures: z.number(),
        since: isoTime,
      }),
    ),
  }),
  /** Who holds a key of a watch-only wallet in use and cannot sign any more. */
  lostKeys: z.array(
    z.object({ wallet: z.string(), chain: z.enum(CHAINS), holder: z.string(), keys: z.number() }),
  ),
  market: z.array(z.object({ name: z.string(), source: z.string(), at: isoTime })),
  /** Strategies with a problem: suspended, or late with a day's step. */
  strategies: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      status: z.enum(STRATEGY_STATUSES),
      since: isoTime,
      reason: z.nullable(z.string()),
      /** Since when a day's step is late. */
      lateSince: z.nullable(isoTime),
      /** Since when closed bars of its market are missing. */
      lackingSince: z.nullable(isoTime),
    }),
  ),
  signIns: z.object({
    /** Hours (UTC) of the last seven days with failures. */
    hours: z.array(z.object({ at: isoTime, cause: z.enum(FAILED_SIGN_INS), count: z.number() })),
    /** Accounts and network addresses that must wait because of failures. */
    locked: z.object({ accounts: z.number(), addresses: z.number() }),
  }),
  /** Signed-in operators, the most recently active first. */
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

export const getHealth = endpoint('GET', '/operator/health', 'operator:health.read', {
  summary:
    'The platform’s health: mail, cron, self-checks, servers of chains, market, stalled strategies, failed sign-ins and signed-in operators',
  answer: operatorHealth,
})

export const retryMail = endpoint('POST', '/operator/outbox/retry', 'operator:outbox.write', {
  summary: 'Retry the 500 oldest failed mails now instead of up to six hours later',
  answer: z.object({ msg: z.string(), tried: z.number() }),
  audit: ['outbox.retried'],
})

export const retryBlocks = endpoint('POST', '/operator/blocks/retry', 'operator:wallets.watch', {
  summary:
    'Search blocks that could not be searched again in the next minutes instead of up to ten minutes later',
  answer: z.object({ msg: z.string(), tried: z.number() }),
  audit: ['blocks.retried'],
})
