/**
 * Hashes a strategy and its live record, so that anyone can recompute both from GET /strategies/:slug and its /record.
 *
 * Canonical JSON follows RFC 8785: keys sorted by UTF-16 code units, no white space, numbers as JavaScript writes them.
 * A definition's hash is the SHA-256 of its canonical JSON in UTF-8, as 64 lower-case hexadecimal digits. Each
 * valuation is hashed likewise, with exactly the fields of `RecordedValuation` except `hash`. `previous` is the hash of
 * the previous valuation, for the first one the definition's. Valuations are ordered by day, open before close.
 *
 * A pool's holdings and investors' flows are private: with few investors they would reveal each one. Each valuation
 * instead has a commitment to them: the SHA-256 of the canonical JSON of `CommittedFacts` with a random `salt` of 256 bits
 * as a further field. With the salt and the fields, anyone can later check that they are unchanged.
 */

import { toHex } from '../bytes.ts'
export interface RecordedValuation {
  readonly format: 2
  readonly strategy: string
  readonly day: string
  readonly kind: 'open' | 'close'
  /** Micro-USD per unit. */
  readonly unitPrice: number
  /** Return since the previous valuation, as a share rounded to 10⁻⁸: 0.01 is 1 %. */
  readonly return: number
  /** Each asset's share of the holdings in millionths, before the rules traded; the rest was cash. */
  readonly weights: Readonly<Record<string, number>>
  /** Epoch milliseconds. */
  readonly recordedAt: number
  readonly commitment: string
  readonly previous: string
  readonly hash: string
}

/**
 * The facts of a commitment. Money in micro-USD, except flows in cents; units in 10⁻⁶; quantities in 10⁻⁸ of an asset.
 */
export interface CommittedFacts {
  readonly units: number
  readonly netValue: number
  /** At an open, the unit price paid by incoming and received by leaving investors; null at a close. */
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly cash: number
  readonly holdings: Readonly<Record<string, number>>
  /** At a close: money in, money out and fees of the day, of all investors together. */
  readonly flows: readonly {
    readonly code: string
    readonly count: number
    readonly units: number
    readonly cents: number
  }[]
  /** At a close: the day's broker orders, with fills and costs. */
  readonly orders: readonly {
    readonly id: string
    readonly asset: string
    readonly side: string
    readonly quantity: number
    readonly filled: number | null
    readonly price: number | null
    readonly fee: number | null
    readonly slippage: number | null
    readonly cash: number | null
  }[]
}

/** The hash of a definition, which starts its record's chain. */
export function hashDefinition(definition: unknown): Promise<string> {
  return hashSha256(toCanonicalJson(definition))
}

export function computeCommitment(salt: string, committed: CommittedFacts): Promise<string> {
  return hashSha256(toCanonicalJson({ ...committed, salt }))
}

/** The return from one unit price to the next, rounded as recorded. */
export function computeReturn(before: number, after: number): number {
  return Math.round((after / before - 1) * 1e8) / 1e8 + 0
}

/** The correct hash of a valuation. */
export function recordHash(valuation: Omit<RecordedValuation, 'hash'>): Promise<string> {
  return hashSha256(serializeValuation(valuation))
}

/** The hashed text of a valuation. Other fields are not part of it. */
function serializeValuation(valuation: Omit<RecordedValuation, 'hash'>): string {
  const { format, strategy, day, kind, unitPrice, weights, recordedAt, commitment, previous } = valuation
  const fields = { format, strategy, day, kind, unitPrice, weights, recordedAt, commitment, previous }
  return toCanonicalJson({ ...fields, return: valuation.return })
}

/** Whether a valuation continues the chain after `previous`, and its hash matches its fields. */
export async function isNextInChain(previous: string, valuation: RecordedValuation): Promise<boolean> {
  return valuation.previous === previous && valuation.hash === (await recordHash(valuation))
}

/**
 * Checks a record, oldest first, as one chain from the definition. Returns the index of the first broken valuation, or
 * null. Each return must match the unit prices.
 */
export async function findFirstBrokenIndex(
  definition: unknown,
  record: readonly RecordedValuation[],
): Promise<number | null> {
  let previous = await hashDefinition(definition)
  for (const [index, valuation] of record.entries()) {
    const former = record[index - 1]
    if (!(await isNextInChain(previous, valuation))) return index
    if (former && valuation.return !== computeReturn(former.unitPrice, valuation.unitPrice)) return index
    previous = valuation.hash
  }
  return null
}

/** Canonical JSON (RFC 8785). Throws a TypeError for values that JSON cannot represent. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalJson(field)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number.')
  const text: unknown = JSON.stringify(value)
  if (typeof text !== 'string') throw new TypeError('JSON has no word for it.')
  return text
}

async function hashSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toHex(new Uint8Array(digest))
}
