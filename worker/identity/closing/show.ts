import type { ClosingConditions } from '../../../src/contract/identity/closing.ts'
import { formatCents, toUsd } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { parseRetention } from '../../platform/settings/values.ts'

/** The obstacles to closing the account, the second factors that closing needs, and how long data is kept. */
export async function showClosing(call: ActorCall): Promise<Answer<ClosingConditions>> {
  const facts = await readClosingFacts(call)
  return ok({
    obstacles: listObstacles(facts),
    methods: [...(facts.passkeys ? (['passkey'] as const) : []), ...(facts.totp ? (['totp'] as const) : [])],
    keptDays: computeKeptDays(facts),
  })
}

/** The facts that closing depends on. Amounts in cents. */
export interface ClosingFacts {
  readonly frozenAt: number | null
  readonly totp: 0 | 1
  readonly passkeys: 0 | 1
  readonly available: number
  readonly invested: number
  readonly owed: number
  readonly deposits: number
  readonly depositsCents: number
  readonly withdrawals: number
  readonly withdrawalsCents: number
  readonly corrections: number
  /** The stored setting, or null. */
  readonly retention: string | null
}

/** One round trip. The trigger `users_close` checks the same conditions in the batch. */
export async function readClosingFacts({ actor, env }: ActorCall): Promise<ClosingFacts> {
  const sumBalanceSql = (kinds: string) =>
    `(SELECT coalesce(sum(balance), 0) FROM accounts WHERE owner = u.id AND kind ${kinds})`
  const open = (column: string, queue: string) =>
    `(SELECT ${column} FROM requests WHERE investor = u.id AND queue = '${queue}'
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved'))`
  const facts = await env.DB.prepare(
    `SELECT u.frozen_at AS frozenAt,
            EXISTS (SELECT 1 FROM second_factors WHERE user_id = u.id AND enabled_at IS NOT NULL) AS totp,
            EXISTS (SELECT 1 FROM passkeys WHERE user_id = u.id) AS passkeys,
            ${sumBalanceSql("= 'available'")} AS available, -${sumBalanceSql("= 'owed'")} AS owed,
            ${sumBalanceSql("NOT IN ('available', 'held', 'owed', 'paid_in', 'granted', 'paid_out', 'result', 'fees')")} AS invested,
            ${open('count(*)', 'deposits')} AS deposits, ${open('coalesce(sum(amount), 0)', 'deposits')} AS depositsCents,
            ${open('count(*)', 'withdrawals')} AS withdrawals,
            ${open('coalesce(sum(amount), 0)', 'withdrawals')} AS withdrawalsCents,
            (SELECT count(*) FROM proposals p JOIN requests r ON r.id = p.request
             WHERE p.status = 'pending' AND p.kind = 'reversal' AND r.investor = u.id) AS corrections,
            (SELECT value FROM settings WHERE key = 'retention') AS retention
     FROM users u WHERE u.id = ?1`,
  )
    .bind(actor.id)
    .first<ClosingFacts>()
  return facts ?? refuse('unauthorized')
}

type Obstacle = ClosingConditions['obstacles'][number]

/** The obstacles to closing, in the order to resolve them, with what to do. */
export function listObstacles(facts: ClosingFacts): Obstacle[] {
  const { frozenAt, deposits, depositsCents, withdrawals, withdrawalsCents, corrections } = facts
  const { invested, owed, available } = facts
  const obstacles: (Obstacle | false)[] = [
    frozenAt !== null && {
      kind: 'frozen',
      msg: `Your account is frozen. Write to ${site.supportEmail} to have the freeze lifted first.`,
    },
    deposits > 0 && {
      kind: 'deposits',
      amount: toUsd(depositsCents),
      msg: `${formatCents(depositsCents)} ${open(deposits, 'deposit request')}: cancel requests that you did not pay, and wait for the others.`,
    },
    withdrawals > 0 && {
      kind: 'withdrawals',
      amount: toUsd(withdrawalsCents),
      msg: `${formatCents(withdrawalsCents)} ${open(withdrawals, 'withdrawal')}: wait until it is paid, or cancel it while it is pending.`,
    },
    corrections > 0 && {
      kind: 'correction',
      msg: 'A correction of your account is pending. Please wait until it is decided.',
    },
    invested > 0 && {
      kind: 'invested',
      amount: toUsd(invested),
      msg: `${formatCents(invested)} is invested or in pending orders. Redeem or cancel it first.`,
    },
    owed > 0 && {
      kind: 'owed',
      amount: toUsd(owed),
      msg: `You owe ${formatCents(owed)} because a credit was reversed. Repay it with a deposit, or write to ${site.supportEmail}.`,
    },
    available > 0 && {
      kind: 'available',
      amount: toUsd(available),
      msg: `${formatCents(available)} is available. Withdraw all of it first. There is no minimum when you withdraw everything.`,
    },
  ]
  return obstacles.filter((obstacle) => obstacle !== false)
}

function open(count: number, what: string): string {
  return count === 1 ? `in a ${what} is still open` : `in ${count} ${what}s is still open`
}

/** How long data of a closed account is kept, in days. */
export function computeKeptDays({
  retention,
}: Pick<ClosingFacts, 'retention'>): ClosingConditions['keptDays'] {
  const { documentDays, personDays } = parseRetention(retention)
  // Erasing a person shreds their documents.
  return { documents: Math.min(documentDays, personDays), person: personDays }
}
