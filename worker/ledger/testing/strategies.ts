import type { Database, Statement } from '../../lib/database.ts'
import { poolSteps, strategies, valuations } from '../../strategies/tables.ts'

export const DAY_MS = 86_400_000

/** Starts a strategy of two assets, with an empty pool. */
export function startStrategy(db: Database, slug: string, startedAt = 0): Statement {
  return db.insert(strategies).values({
    slug,
    definition: '{"assets":["sim-index","sim-alder"]}',
    hash: `hash-${slug}`,
    market: 'simulated',
    minimum: 1000,
    startedAt,
  })
}

export interface Valued {
  readonly strategy: string
  readonly day: number
  readonly unitPrice: number
  /** The pool's, since a price is what it is worth by them. */
  readonly units?: number
  readonly netValue?: number
  /** The hash before; of a day it is the strategy's name and the day. */
  readonly previous: string
}

/** Opens a day: orders from before it are priced. Who comes pays 1 % more, who goes gets 1 % less. */
export function openDay(db: Database, { units = 0, netValue = 0, ...valued }: Valued): Statement {
  return db.insert(valuations).values({
    ...valued,
    kind: 'open',
    issuePrice: issuePrice(valued.unitPrice),
    redeemPrice: redeemPrice(valued.unitPrice),
    units,
    netValue,
    weights: '{}',
    recordedAt: valued.day,
    hash: `${valued.strategy}-${valued.day}`,
  })
}

function issuePrice(unitPrice: number): number {
  return Math.ceil(unitPrice * 1.01)
}

export function redeemPrice(unitPrice: number): number {
  return Math.floor(unitPrice * 0.99)
}

/** Ends a day's step. */
export function endStep(db: Database, strategy: string, day: number): Statement {
  return db.insert(poolSteps).values({ strategy, day, at: day })
}
