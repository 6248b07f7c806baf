import { and, eq } from 'drizzle-orm'
import type { PayoutState } from '../../../src/contract/console/payoutStates.ts'
import type { Actor } from '../../http/actor.ts'
import type { Call } from '../../http/call.ts'
import { toIntegerSql } from '../../ledger/requestEvents.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { payoutCoins, payoutItems, payouts, payoutTransactions } from '../../lib/tables/payouts.ts'
import type { PaidItem } from './payable.ts'

/** An unsigned transaction of a payout. */
export interface NewTransaction {
  readonly unsigned: string
  readonly details: string
  /** Satoshi, or the most in gwei. */
  readonly fee: number
  /** The coins that it spends; values in satoshi. */
  readonly coins: readonly { readonly coin: string; readonly value: number }[]
}

export function insertItem(
  db: Database,
  payout: string,
  output: number,
  { request, network, quantity, units, rate }: PaidItem,
): Statement {
  return db.insert(payoutItems).values({
    ...{ payout, output, request, network, rate },
    quantity: quantity.toString(),
    units: toIntegerSql(units),
  })
}

/** Changes a payout that is still in this state. */
export function updatePayout(
  db: Database,
  { id, state }: { readonly id: string; readonly state: PayoutState },
  changes: Partial<typeof payouts.$inferInsert>,
): Statement {
  return db
    .update(payouts)
    .set(changes)
    .where(and(eq(payouts.id, id), eq(payouts.state, state)))
}

/** Records a version of a payout's transaction, and reserves its coins. */
export function insertTransaction(
  { db, actor, nowMs }: Pick<Call, 'db' | 'nowMs'> & { readonly actor: Pick<Actor, 'id'> },
  payout: string,
  version: number,
  { coins, ...transaction }: NewTransaction,
): Statement[] {
  return [
    db
      .insert(payoutTransactions)
      .values({ payout, version, ...transaction, builtBy: actor.id, builtAt: nowMs }),
    ...coins.map((coin) => db.insert(payoutCoins).values({ payout, version, ...coin })),
  ]
}
