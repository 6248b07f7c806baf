import { MARKET_IDS } from '../../../src/contract/money/coins.ts'

/** Prices that were told but are not yet plausible, by coin. */
export type PendingPrices = Readonly<Record<string, number>>

/** A price that changed by more than this factor since the last list is held back. */
const JUMP = 2
/** Money is counted by the prices of these: they are held back sooner. */
const JUMP_OF_OFFERED = 1.25
/** How near the second telling must be to the first. */
const AGREES = 1.1

const offered = new Set<string>(Object.values(MARKET_IDS))

/**
 * Which of the prices told are plausible. One that jumps is not, until the next list tells it again: a slipped decimal
 * point or a coin mistaken for another lasts one list, a real crash lasts. What is held back keeps the price before,
 * and nothing is quoted by it meanwhile. A coin that was not listed before has nothing to jump from.
 */
export function withoutJumps<T extends { readonly id: string; readonly current_price: number }>(
  received: readonly T[],
  before: ReadonlyMap<string, number>,
  held: PendingPrices,
): { rows: T[]; held: PendingPrices } {
  const stillHeld: Record<string, number> = {}
  const rows = received.map((row) => {
    const last = before.get(row.id)
    const first = Object.hasOwn(held, row.id) ? held[row.id] : undefined
    if (last === undefined || !isJump(row.id, row.current_price, last)) return row
    if (first !== undefined && agrees(row.current_price, first)) return row
    stillHeld[row.id] = row.current_price
    return { ...row, current_price: last }
  })
  return { rows, held: stillHeld }
}

/** Whether a coin's price changed more than is plausible at once. */
export function isJump(id: string, price: number, before: number): boolean {
  return ratio(price, before) > (offered.has(id) ? JUMP_OF_OFFERED : JUMP)
}

/** Whether two tellings are near enough to be of the same price. */
export function agrees(price: number, other: number): boolean {
  return ratio(price, other) <= AGREES
}

function ratio(a: number, b: number): number {
  return a > b ? a / b : b / a
}
