import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { NETWORKS, type Network } from '../../../src/contract/money/coins.ts'
import { getLimits as endpoint, type Limits } from '../../../src/contract/money/limits.ts'
import { describeMinimum } from '../../../src/contract/money/minimums.ts'
import { MAX_OPEN_REQUESTS } from '../../../src/contract/money/transactions.ts'
import { NEW_DESTINATION_HOURS } from '../../../src/contract/money/withdrawals.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { createReadRoute, ok } from '../../http/call.ts'
import { toIsoOrNull } from '../../http/paging.ts'
import { canLiftDelay } from '../../identity/credentials/recentChange.ts'
import { sumUndone } from '../../ledger/balances.ts'
import { parseStored, selectRows, selectValues } from '../../lib/database.ts'
import { isMoneyReal } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { accounts } from '../../lib/tables/ledger.ts'
import { settings } from '../../lib/tables/operators.ts'
import { payoutPauses } from '../../lib/tables/payouts.ts'
import { requests } from '../../lib/tables/requests.ts'
import { readDecisionTimes, toDecisionTimes } from '../decisionTimes/read.ts'
import { readLock, toLock } from '../destinationLock/lock.ts'

/** More than one operator may credit alone stays pending, so a practice deposit starts with less where that limit is lower. */
const PRACTICE_DEPOSIT_CENTS = 10_000_00

/** The limits of deposits and withdrawals. Informational: filing checks them again. */
export const getLimits = createReadRoute(
  endpoint,
  ({ actorId, nowMs }) => [
    readMinimums(),
    countOpen(actorId, 'deposits'),
    countOpen(actorId, 'withdrawals'),
    selectRows({ cents: sql<number>`max(0, ${accounts.balance} - ${sumUndone(actorId)})` })
      .from(accounts)
      .where(sql`id = ${actorId} || ':available'`),
    readDecisionTimes(),
    selectRows({ cents: sql<number>`CAST(${settings.value} AS INTEGER)` })
      .from(settings)
      .where(eq(settings.key, 'twoPersonLimit')),
    selectRows({ at: payoutPauses.at }).from(payoutPauses).where(isNull(payoutPauses.liftedAt)),
    readLock(actorId, nowMs),
    readUnprovedAllowance(actorId),
  ],
  async (
    { env, actor, nowMs },
    [minimums, [deposits], [withdrawals], [available], times, [limit], [pause], [lock], [unproved]],
  ) => {
    const buildBounds = (kind: 'deposit' | 'withdrawal', now: typeof deposits) => ({
      minimum: toUsd(getMinimum(minimums, kind)),
      open: now?.open ?? 0,
      pending: toUsd(now?.cents ?? 0),
    })
    return ok({
      frozen: actor.frozen,
      identity: actor.kyc,
      identityRequired: actor.kycRequired,
      maxOpen: MAX_OPEN_REQUESTS,
      available: toUsd(available?.cents ?? 0),
      deposits: buildBounds('deposit', deposits),
      withdrawals: {
        ...buildBounds('withdrawal', withdrawals),
        minimumByNetwork: getMinimumByNetwork(minimums),
        withoutAddressProof: unproved?.cents == null ? null : toUsd(unproved.cents),
      },
      newDestinationHours: canLiftDelay(actor, nowMs) ? 0 : NEW_DESTINATION_HOURS,
      destinationLock: lock === undefined ? null : toLock(lock),
      decisionTimes: toDecisionTimes(times),
      payoutsPausedSince: toIsoOrNull(pause?.at ?? null),
      ...(!isMoneyReal(env) && {
        practiceDeposit: toUsd(
          Math.min(PRACTICE_DEPOSIT_CENTS, limit?.cents ?? SETTINGS.twoPersonLimit.default),
        ),
      }),
    })
  },
)

export function readMinimums() {
  return selectRows({ value: settings.value }).from(settings).where(eq(settings.key, 'minimums'))
}

const storedMinimums = z.record(z.string(), z.optional(z.number()))

/** The message for an amount in cents below the minimum, or null. A bank has no network. */
export function findMinimumProblem(
  rows: readonly { value: string }[],
  kind: 'deposit' | 'withdrawal',
  amountCents: number,
  network: Network | null = null,
): string | null {
  const general = getMinimum(rows, kind)
  const least = network === null ? general : Math.max(general, getMinimum(rows, network))
  return amountCents < least ? describeMinimum(kind, toUsd(least), least > general ? network : null) : null
}

function getMinimumByNetwork(rows: readonly { value: string }[]): Limits['withdrawals']['minimumByNetwork'] {
  const general = getMinimum(rows, 'withdrawal')
  // One entry for each network.
  return Object.fromEntries(
    NETWORKS.map((network) => [network, toUsd(Math.max(general, getMinimum(rows, network)))]),
  ) as Limits['withdrawals']['minimumByNetwork']
}

/** In cents, or the default. Settings are validated when they are proposed. */
function getMinimum(rows: readonly { value: string }[], part: 'deposit' | 'withdrawal' | Network): number {
  const minimums = parseStored(storedMinimums, rows[0]?.value ?? '{}')
  return minimums[part] ?? SETTINGS[`minimums.${part}`].default
}

/**
 * The number of an investor's open requests in a queue, and their sum. Repeats the condition of the partial index `requests_open`, so
 * that SQLite uses it.
 */
export function countOpen(investor: string | SQL, queue: 'deposits' | 'withdrawals') {
  return selectRows({ open: sql<number>`count(*)`, cents: sql<number>`coalesce(sum(amount), 0)` })
    .from(requests)
    .where(sql`investor = ${investor} AND queue = ${queue}
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`)
}

/**
 * How many cents may still be withdrawn before a proof of address is needed; null if none is. The trigger `requests_address_proved` has the
 * same rule.
 */
export function readUnprovedAllowance(investor: string | SQL) {
  return selectValues({
    cents: sql<number | null>`(
      SELECT max(0, CAST(s.value AS INTEGER) - (
        SELECT coalesce(sum(balance), 0) FROM accounts WHERE id IN (${investor} || ':held', ${investor} || ':paid_out')))
      FROM settings s
      WHERE ${lacksAddressProof(investor)})`,
  })
}

/** The amount in cents above which withdrawals need a proof of address; null if an investor has one, or none is needed. */
export function readAddressProofLimit(investor: SQL) {
  return selectValues({
    cents: sql<number | null>`(
      SELECT CAST(s.value AS INTEGER) FROM settings s
      WHERE ${lacksAddressProof(investor)} AND CAST(s.value AS INTEGER) < (
        SELECT coalesce(sum(balance), 0) FROM accounts WHERE id IN (${investor} || ':held', ${investor} || ':paid_out')))`,
  })
}

/** SQL: whether withdrawals need a proof of address (setting `s`) and the investor has no approved one. */
function lacksAddressProof(investor: string | SQL): SQL {
  return sql`s.key = 'addressProofAbove' AND CAST(s.value AS INTEGER) > 0
        AND NOT EXISTS (SELECT 1 FROM kyc_submissions WHERE user_id = ${investor} AND kind = 'address' AND status = 'approved')`
}

/** Refuses a request above the limit. */
export function assertMayOpen(rows: readonly { open: number }[]): void {
  if ((rows[0]?.open ?? 0) >= MAX_OPEN_REQUESTS) refuse('too_many_open')
}
