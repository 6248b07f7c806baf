import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import type { Database, Statement } from '../../../worker/lib/database.ts'
import { poolSteps, strategies, valuations } from '../../../worker/lib/tables/strategies.ts'

const DEFINITION = '{"assets":["sim-index","sim-alder"]}'
/** The first hash of these strategies' records. */
const BEGINNING = computeHash(DEFINITION)

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
  return db.insert(valuations).values({ ...buildOpen(valued), hash: openHash(valued) })
}

/** The hash of such a day's open, which the next valuation continues. */
export function openHash(valued: Valued): string {
  const { strategy, kind, unitPrice, recordedAt, commitment, previous, priceReturn } = buildOpen(valued)
  const day = new Date(valued.day).toISOString().slice(0, 10)
  const fields = { format: 2, strategy, day, kind, unitPrice, weights: {}, recordedAt, commitment, previous }
  return computeHash(toCanonicalJson({ ...fields, return: priceReturn }))
}

function buildOpen({ strategy, day, unitPrice, units = 0, netValue = 0, previous = BEGINNING }: Valued) {
  const ends = { issuePrice: issuePrice(unitPrice), redeemPrice: redeemPrice(unitPrice) }
  const details = { cash: 0, holdings: {}, flows: [], orders: [] }
  const salt = '0'.repeat(64)
  return {
    ...{ strategy, day, kind: 'open' as const, unitPrice, recordedAt: day, previous },
    ...{ units, netValue, ...ends, weights: '{}', priceReturn: 0, follows: 1, salt },
    details: JSON.stringify(details),
    commitment: computeHash(toCanonicalJson({ ...details, units, netValue, ...ends, salt })),
  }
}

// Synchronous, unlike the contract's own hash.
function computeHash(text: string): string {
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
