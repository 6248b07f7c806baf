/**
 * What fixes a strategy and its forward record, so that anybody can recompute both from what GET /strategies/:slug and its
 * /record answer.
 *
 * Canonical JSON is RFC 8785's: keys sorted by their UTF-16 code units, no white space, numbers as JavaScript writes them. A
 * definition's hash is the SHA-256 of its canonical JSON in UTF-8, as 64 lower-case hexadecimal digits. Each valuation is hashed
 * likewise, with exactly the fields of `Recorded` but `hash`; `previous` is the hash of the valuation before it, for the first one
 * the definition's. They follow one upon the other as day, open before close. What a pool holds in all is not in it: with few
 * investors it would tell of each.
 */
export interface Recorded {
  readonly strategy: string
  /** The UTC day, `2026-01-31`. */
  readonly day: string
  readonly kind: 'open' | 'close'
  /** Micro-USD for one unit. */
  readonly unitPrice: number
  /** What who comes pays for one, and who goes gets, in micro-USD: at an open, null at a close. */
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  /** What each asset was of the pool, in millionths, before it traded; the rest was cash. */
  readonly weights: Readonly<Record<string, number>>
  /** Epoch milliseconds. */
  readonly recordedAt: number
  readonly previous: string
  readonly hash: string
}

/** The hash of a definition, and so the beginning of its record. */
export function definitionHash(definition: unknown): Promise<string> {
  return sha256(canonicalJson(definition))
}

/** The hash that a valuation must have. */
export function recordHash(valuation: Omit<Recorded, 'hash'>): Promise<string> {
  return sha256(hashedText(valuation))
}

/** What of a valuation is hashed; further fields are not in it. */
export function hashedText(valuation: Omit<Recorded, 'hash'>): string {
  const { strategy, day, kind, unitPrice, issuePrice, redeemPrice, weights, recordedAt, previous } = valuation
  const hashed = { strategy, day, kind, unitPrice, issuePrice, redeemPrice, weights, recordedAt, previous }
  return canonicalJson(hashed)
}

/** Whether a valuation follows on the hash of the one before it, and its own is that of its fields. */
export async function followsOn(previous: string, valuation: Recorded): Promise<boolean> {
  return valuation.previous === previous && valuation.hash === (await recordHash(valuation))
}

/**
 * Where a record, oldest first, stops being one chain from the definition on: the place of the first valuation that doesn't
 * follow; null where all do.
 */
export async function brokenAt(definition: unknown, record: readonly Recorded[]): Promise<number | null> {
  let previous = await definitionHash(definition)
  for (const [place, valuation] of record.entries()) {
    if (!(await followsOn(previous, valuation))) return place
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
