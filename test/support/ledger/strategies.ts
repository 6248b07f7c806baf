import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import type { Database, Statement } from '../../../worker/lib/database.ts'
import { poolSteps, strategies, valuations } from '../../../worker/lib/tables/strategies.ts'

const DEFINITION = '{"assets":["sim-index","sim-alder"]}'
/** The first hash of these strategies' records. */
const BEGINNING = hashOf(DEFINITION)

/** Starts a strategy of two assets, with an empty pool. */
export function startStrategy(db: Database, slug: string, startedAt = 0): Statement {
  return db.insert(strategies).values({
    slug,
    definition: DEFINITION,
    hash: BEGINNING,
    market: 'simulated',
    minimum: 1000,
    startedAt,
  })
}

export interface Valued {
  readonly strategy: string
  readonly day: number
  readonly unitPrice: number
  /** The pool's units, because they determine its price. */
  readonly units?: number
  readonly netValue?: number
  /** The hash of the previous valuation. The first one follows the definition. */
  readonly previous?: string
}

/** Opens a day, which prices earlier orders. Allocations pay 1 % more, redemptions get 1 % less. */
export function openDay(db: Database, valued: Valued): Statement {
  const { units = 0, netValue = 0 } = valued
  const hash = openHash(valued)
  return db.insert(valuations).values({ ...openOf(valued), units, netValue, weights: '{}', hash })
}

/** The hash of such a day's open, which the next valuation continues. Format 1, from before commitments. */
export function openHash(valued: Valued): string {
  const day = new Date(valued.day).toISOString().slice(0, 10)
  return hashOf(toCanonicalJson({ ...openOf(valued), day, weights: {} }))
}

function openOf({ strategy, day, unitPrice, previous = BEGINNING }: Valued) {
  return {
    ...{ strategy, day, kind: 'open' as const, unitPrice, recordedAt: day, previous },
    ...{ issuePrice: issuePrice(unitPrice), redeemPrice: redeemPrice(unitPrice) },
  }
}

// Synchronous, unlike the contract's own hash.
function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
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
