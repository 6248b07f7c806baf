/**
 * What fixes a strategy and its forward record, so that anybody can recompute both from what GET /strategies/:slug and its
 * /record answer.
 *
 * Canonical JSON is RFC 8785's: keys sorted by their UTF-16 code units, no white space, numbers as JavaScript writes them. A
 * definition's hash is the SHA-256 of its canonical JSON in UTF-8, as 64 lower-case hexadecimal digits. Each valuation is hashed
 * likewise, with exactly the fields of `Recorded` but `hash`; `previous` is the hash of the valuation before it, for the first one
 * the definition's. They follow one upon the other as day, open before close.
 *
 * What a pool holds and what investors pay in or take out is not public: with few investors it would tell of each. A valuation has a
 * commitment to it instead, the SHA-256 of the canonical JSON of `Committed` with a random `salt` of 256 bits beside its fields. Whoever
 * is given salt and fields later can check that they were not changed since.
 */
export interface Recorded {
  readonly format: 2
  readonly strategy: string
  /** The UTC day, `2026-01-31`. */
  readonly day: string
  readonly kind: 'open' | 'close'
  /** Micro-USD for one unit. */
  readonly unitPrice: number
  /** By how much it is more than at the valuation before, as a share to the 10⁻⁸: 0.01 is 1 %. */
  readonly return: number
  /** What each asset was of what the rules hold, in millionths, before they traded; the rest was cash. */
  readonly weights: Readonly<Record<string, number>>
  /** Epoch milliseconds. */
  readonly recordedAt: number
  readonly commitment: string
  readonly previous: string
  readonly hash: string
}

/** A valuation of before commitments. What its hash was made of is not public any more: it is a link of the chain and nothing else. */
export interface Linked {
  readonly format: 1
  readonly strategy: string
  readonly day: string
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly return: null
  readonly weights: null
  readonly recordedAt: number
  readonly commitment: null
  readonly previous: string
  readonly hash: string
}

/** What a commitment is to. Money in micro-USD, but for cents of flows; units in 10⁻⁶; quantities in 10⁻⁸ of an asset. */
export interface Committed {
  readonly units: number
  readonly netValue: number
  /** At an open what whoever came paid for a unit and whoever left got, null at a close. */
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly cash: number
  readonly holdings: Readonly<Record<string, number>>
  /** At a close: what came, what left and what was charged on its day, all investors together. */
  readonly flows: readonly {
    readonly code: string
    readonly count: number
    readonly units: number
    readonly cents: number
  }[]
  /** At a close: the orders of its day to the broker, with what was filled of each and what that cost. */
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

/** The hash of a definition, and so the beginning of its record. */
export function definitionHash(definition: unknown): Promise<string> {
  return sha256(canonicalJson(definition))
}

/** The commitment to what is not public of a valuation. */
export function commitmentOf(salt: string, committed: Committed): Promise<string> {
  return sha256(canonicalJson({ ...committed, salt }))
}

/** The return from one unit price to the next, as it is recorded. */
export function returnOf(before: number, after: number): number {
  return Math.round((after / before - 1) * 1e8) / 1e8 + 0
}

/** The hash that a valuation must have. */
export function recordHash(valuation: Omit<Recorded, 'hash'>): Promise<string> {
  return sha256(hashedText(valuation))
}

/** What of a valuation is hashed; further fields are not in it. */
function hashedText(valuation: Omit<Recorded, 'hash'>): string {
  const { format, strategy, day, kind, unitPrice, weights, recordedAt, commitment, previous } = valuation
  const fields = { format, strategy, day, kind, unitPrice, weights, recordedAt, commitment, previous }
  return canonicalJson({ ...fields, return: valuation.return })
}

/** Whether a valuation follows on the hash of the one before it, and its own is that of its fields: of format 1, the first alone. */
export async function followsOn(previous: string, valuation: Recorded | Linked): Promise<boolean> {
  if (valuation.previous !== previous) return false
  return valuation.format === 1 || valuation.hash === (await recordHash(valuation))
}

/**
 * Where a record, oldest first, stops being one chain from the definition on: the place of the first valuation that doesn't
 * follow; null where all do. None of format 1 comes after one of format 2, and each return is that of the unit prices.
 */
export async function brokenAt(
  definition: unknown,
  record: readonly (Recorded | Linked)[],
): Promise<number | null> {
  let previous = await definitionHash(definition)
  for (const [place, valuation] of record.entries()) {
    const former = record[place - 1]
    if (!(await followsOn(previous, valuation))) return place
    if (valuation.format === 1 && former?.format === 2) return place
    if (
      former &&
      valuation.format === 2 &&
      valuation.return !== returnOf(former.unitPrice, valuation.unitPrice)
    )
      return place
    previous = valuation.hash
  }
  return null
}

/** JSON as RFC 8785 has it. A TypeError for what JSON has no word for. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number.')
  const text: unknown = JSON.stringify(value)
  if (typeof text !== 'string') throw new TypeError('JSON has no word for it.')
  return text
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
