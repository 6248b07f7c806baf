import { MARKET_IDS } from '../../../src/contract/money/coins.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { PendingPrices } from '../../lib/market/snapshot.ts'

/** A price that changed by more than this factor since the last list must be confirmed. */
const JUMP = 2
/** The factor for coins of deposits and withdrawals. */
const JUMP_OF_OFFERED = 1.25
/** How close a second price must be to confirm the first. */
const AGREES = 1.1

/** How long a jump can be confirmed. */
const CONFIRMED_WITHIN_MS = DAY_MS

const offered = new Set<string>(Object.values(MARKET_IDS))

/**
 * Delays jumps until the next list confirms them. A misplaced decimal point or a wrong coin lasts one list, a real crash lasts
 * longer. Meanwhile the previous price stays and the coin has no quotes. A newly listed coin has no previous price to compare
 * with: it is shown at once, and a coin of deposits and withdrawals has quotes from the next list on that confirms it.
 */
export function filterJumps<T extends { readonly id: string; readonly current_price: number }>(
  received: readonly T[],
  before: ReadonlyMap<string, number>,
  held: PendingPrices,
): { rows: T[]; held: PendingPrices } {
  const stillHeld: Record<string, number> = {}
  const rows = received.map((row) => {
    const last = before.get(row.id)
    const first = Object.hasOwn(held, row.id) ? held[row.id] : undefined
    const isPlausible = last === undefined ? !offered.has(row.id) : !isJump(row.id, row.current_price, last)
    if (isPlausible || (first !== undefined && isNearPrice(row.current_price, first))) return row
    stillHeld[row.id] = row.current_price
    return { ...row, current_price: last ?? row.current_price }
  })
  return { rows, held: stillHeld }
}

/**
 * Whether a list can confirm the jumps of an earlier one. The same list again confirms no jump, and after more than a day without a
 * list two errors are as likely as a real jump.
 */
export function canConfirmJumps(times: {
  readonly heldAtMs: number
  readonly seenAtMs: number
  readonly nowMs: number
}): boolean {
  const { heldAtMs, seenAtMs, nowMs } = times
  return seenAtMs > heldAtMs && nowMs - heldAtMs <= CONFIRMED_WITHIN_MS
}

/** Whether a coin's price changed more than is plausible at once. */
export function isJump(id: string, price: number, before: number): boolean {
  return computeRatio(price, before) > (offered.has(id) ? JUMP_OF_OFFERED : JUMP)
}

/** Whether two prices are close enough to confirm each other. */
export function isNearPrice(price: number, secondPrice: number): boolean {
  return computeRatio(price, secondPrice) <= AGREES
}

function computeRatio(a: number, b: number): number {
  return a > b ? a / b : b / a
}
