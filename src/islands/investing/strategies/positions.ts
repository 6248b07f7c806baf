import type { Position } from '../../../contract/investing/allocations.ts'

type Standing = Pick<Position, 'units' | 'pendingIn' | 'pendingOut' | 'profit' | 'realised' | 'fees'>

/** Gain or loss in USD of what is held and of what was redeemed, after fees: over all positions it is the total profit. */
export function gainOf({ profit, realised, fees }: Standing): number {
  return Math.round((profit + realised - (fees ?? 0)) * 100) / 100
}

/** Whether all of it was redeemed. */
export function isClosed({ units, pendingIn, pendingOut }: Standing): boolean {
  return units === 0 && pendingIn === 0 && pendingOut === 0
}

/** Those to list: what is held or waits first, then what was redeemed; none where every order was taken back. */
export function listedPositions<Row extends Standing>(positions: readonly Row[]): Row[] {
  const held = positions.filter((each) => !isClosed(each))
  return [...held, ...positions.filter((each) => isClosed(each) && gainOf(each) !== 0)]
}
