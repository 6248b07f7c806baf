import { type SQL, sql } from 'drizzle-orm'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { NETWORKS, type Network } from '../../../src/contract/money/coins.ts'
import { getLimits as endpoint, type Limits } from '../../../src/contract/money/limits.ts'
import { describeMinimum } from '../../../src/contract/money/minimums.ts'
import { MAX_OPEN_REQUESTS } from '../../../src/contract/money/transactions.ts'
import { NEW_DESTINATION_HOURS } from '../../../src/contract/money/withdrawals.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { createReadRoute, ok } from '../../http/call.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { readDecisionTimes, toDecisionTimes } from '../decisionTimes/read.ts'
import { canLiftDelay } from './recentChange.ts'

/** The limits of deposits and withdrawals. Informational: filing checks them again. */
export const getLimits = createReadRoute(
  endpoint,
  ({ actorId }) => [
    readMinimums(),
    countOpen(actorId, 'deposits'),
    countOpen(actorId, 'withdrawals'),
    buildQuery<{ balance: number }>(sql`SELECT balance FROM accounts WHERE id = ${actorId} || ':available'`),
    readDecisionTimes(),
  ],
  async ({ actor, nowMs }, [minimums, [deposits], [withdrawals], [available], times]) => {
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
      available: toUsd(available?.balance ?? 0),
      deposits: buildBounds('deposit', deposits),
      withdrawals: {
        ...buildBounds('withdrawal', withdrawals),
        minimumByNetwork: getMinimumByNetwork(minimums),
      },
      newDestinationHours: canLiftDelay(actor, nowMs) ? 0 : NEW_DESTINATION_HOURS,
      decisionTimes: toDecisionTimes(times),
    })
  },
)

export function readMinimums(): RowQuery<{ value: string }> {
  return buildQuery<{ value: string }>(sql`SELECT value FROM settings WHERE key = 'minimums'`)
}

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
  const minimums = JSON.parse(rows[0]?.value ?? '{}') as { [part: string]: number | undefined }
  return minimums[part] ?? SETTINGS[`minimums.${part}`].default
}

/** The number of an investor's open requests in a queue, and their sum. */
export interface Open {
  readonly open: number
  readonly cents: number
}

/** Counts open requests. Repeats the condition of the partial index `requests_open`, so that SQLite uses it. */
export function countOpen(investor: string | SQL, queue: 'deposits' | 'withdrawals'): RowQuery<Open> {
  return buildQuery<Open>(sql`
    SELECT count(*) AS open, coalesce(sum(amount), 0) AS cents FROM requests
    WHERE investor = ${investor} AND queue = ${queue}
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`)
}

/** Refuses a request above the limit. */
export function assertMayOpen(rows: readonly { open: number }[]): void {
  if ((rows[0]?.open ?? 0) >= MAX_OPEN_REQUESTS) refuse('too_many_open')
}
