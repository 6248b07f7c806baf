import type { Definition } from '../../../engine/definition.ts'
import { hashDefinition, toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { SIMULATED } from '../../../worker/investing/candles/markets.ts'
import { submitAllocation, submitRedemption } from '../../../worker/ledger/strategies.ts'
import { newId, newRef } from '../../../worker/lib/crypto/tokens.ts'
import { type Database, runBatch } from '../../../worker/lib/database.ts'
import { strategies, strategyEvents } from '../../../worker/lib/tables/strategies.ts'
import { withTriggerDropped } from '../withTriggerDropped.ts'

/** Starts a test's own strategy without a band. */
export async function startPool(
  db: Database,
  slug: string,
  definition: Definition,
  startedAt: number,
  band: object | null = null,
  market = SIMULATED,
): Promise<void> {
  await runBatch(db, [
    db.insert(strategies).values({
      slug,
      definition: toCanonicalJson(definition),
      hash: await hashDefinition(definition),
      market,
      minimum: 1000,
      startedAt,
      band: band && JSON.stringify(band),
    }),
  ])
}

export interface Filed {
  readonly investor: string
  readonly strategy: string
  readonly kind: 'allocate' | 'redeem'
  /** Null: all of it. */
  readonly cents: number | null
  readonly atMs: number
  readonly id?: string
  readonly onward?: string
}

/** Files an order as its investor, at a given time. */
export async function fileOrder(db: Database, filed: Filed): Promise<string> {
  const { investor, strategy, kind, cents, atMs, id = newId(), onward = null } = filed
  const asked = { id, ref: newRef(kind === 'allocate' ? 'ALC' : 'RDM'), investor, strategy, atMs }
  await runBatch(db, [
    kind === 'allocate'
      ? submitAllocation(db, { ...asked, cents: cents ?? 0 })
      : submitRedemption(db, { ...asked, cents, onward }),
  ])
  return id
}

/** Records a suspension or a resumption that nobody proposed, although the schema takes neither from the system alone. */
export async function recordEvent(
  db: Database,
  strategy: string,
  kind: 'suspended' | 'resumed',
  at: number,
): Promise<void> {
  const event = { strategy, kind, at, reason: 'A look at it', actor: 'system' }
  await withTriggerDropped(db.$client as D1Database, 'strategy_events_decided_by_two', () =>
    withTriggerDropped(db.$client as D1Database, 'strategy_events_resumed_by_rule', () =>
      runBatch(db, [db.insert(strategyEvents).values(event)]),
    ),
  )
}
