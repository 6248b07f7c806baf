import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { ReversalEffect } from '../../../src/contract/console/proposals.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { buildQuery, parseStored, type RowQuery } from '../../lib/database.ts'
import { getStrategyName } from '../../lib/strategyName.ts'

/** One account that a reversal changes, as its books stand now. Amounts in cents. */
interface ReversalFacts {
  readonly kind: 'credit' | 'payout' | 'bonus'
  readonly investor: string
  readonly name: string
  readonly email: string
  readonly amount: number
  readonly available: number
  readonly owed: number
  /** What orders to invest have set aside. They are cancelled while there is a debt. */
  readonly allocating: number
  /** What pending redemptions bring. */
  readonly redeeming: number
  /** JSON: the positions that are not being sold as a whole, with cost and worth. */
  readonly positions: string
}

const positionList = z.array(z.object({ strategy: z.string(), cost: z.number(), worth: z.number() }))

/** The accounts that a pending reversal changes: the investor's, and the account that earned a bonus by the reversed deposit. */
export function readReversalEffects(proposal: SQL): RowQuery<ReversalFacts> {
  return buildQuery(sql`
    WITH reversed AS MATERIALIZED (
      SELECT r.id, r.kind, r.investor, r.amount FROM proposals p JOIN requests r ON r.id = p.request
      WHERE p.id = ${proposal} AND p.kind = 'reversal' AND p.status = 'pending'),
    changed (kind, investor, amount) AS (
      SELECT iif(kind = 'deposit', 'credit', 'payout'), investor, amount FROM reversed
      UNION ALL
      SELECT 'bonus', b.referrer, b.amount
      FROM reversed r JOIN referral_bonuses b ON b.deposit = r.id JOIN users u ON u.id = b.referrer
      WHERE b.granted_at IS NOT NULL AND b.reversed_at IS NULL AND u.closed_at IS NULL)
    SELECT c.kind, c.investor, u.display_name AS name, u.email, c.amount,
           coalesce((SELECT balance FROM accounts WHERE id = c.investor || ':available'), 0) AS available,
           -coalesce((SELECT balance FROM accounts WHERE id = c.investor || ':owed'), 0) AS owed,
           (SELECT coalesce(sum(balance), 0) FROM accounts WHERE owner = c.investor AND kind = 'allocating') AS allocating,
           (SELECT coalesce(sum(cents), 0) FROM unit_orders
             WHERE investor = c.investor AND kind = 'redeem' AND status = 'pending') AS redeeming,
           (SELECT json_group_array(json_object('strategy', strategy, 'cost', cost, 'worth', worth)) FROM (
             SELECT p.strategy, p.cost, p.units * 1e-10 * coalesce((
               SELECT unit_price FROM valuations v WHERE v.strategy = p.strategy ORDER BY v.day DESC, v.kind LIMIT 1), 0) AS worth
             FROM positions p WHERE p.investor = c.investor AND p.units > 0 AND NOT EXISTS (
               SELECT 1 FROM unit_orders o WHERE o.investor = p.investor AND o.kind = 'redeem'
                 AND o.strategy = p.strategy AND o.status = 'pending' AND o.cents IS NULL)
             ORDER BY p.strategy)) AS positions
    FROM changed c JOIN users u ON u.id = c.investor`)
}

/**
 * The effect of a reversal on one account if it is approved now. The trigger `transfers_recovered` files the redemptions by the same rule,
 * and a test compares the two.
 */
export function computeReversalEffect(facts: ReversalFacts): ReversalEffect {
  const { kind, amount, available, owed } = facts
  const isTaken = kind !== 'payout'
  // A shortfall becomes a debt; a returned payout repays debt first.
  const balance = isTaken ? Math.min(available, amount) : amount - Math.min(owed, amount)
  const debt = isTaken ? amount - balance : 0
  return {
    kind,
    investor: { _id: facts.investor, name: facts.name, email: facts.email },
    amount: toUsd(amount),
    balance: toUsd(balance),
    debt: toUsd(isTaken ? owed + debt : owed - (amount - balance)),
    orders: toUsd(Math.max(0, Math.min(debt, facts.allocating + facts.redeeming))),
    redemptions: listRedemptions(facts, debt),
  }
}

/** The redemptions that are filed for a debt: of so many units as the missing money bought, over all positions. */
function listRedemptions(
  { allocating, redeeming, positions }: ReversalFacts,
  debt: number,
): ReversalEffect['redemptions'] {
  const missing = debt - allocating - redeeming
  const held = parseStored(positionList, positions).filter(({ worth }) => worth > 0)
  const total = sum(held.map(({ worth }) => worth))
  if (missing <= 0) return []
  return held.map(({ strategy, cost, worth }) => {
    const cents = ((missing * worth) / total) * Math.max(1, worth / Math.max(cost, 1))
    const isWhole = cents + 1 >= worth
    return {
      strategy: { _id: strategy, name: getStrategyName(strategy) },
      amount: toUsd(isWhole ? Math.trunc(worth) : Math.trunc(cents) + 1),
      isWhole,
    }
  })
}
