import { unitsToRedeem, valueCents } from '../../ledger/units.ts'

/** What the settings charge: a share of profit, and cents a month. */
export interface FeeTerms {
  readonly performanceBasisPoints: number
  readonly subscriptionCents: number
}

/** Units that are sold to pay a fee, and what they bring, in cents. */
export interface Fee {
  readonly units: number
  readonly cents: number
}

/** Of the profit that selling so many units above the high-water mark would bring, the house's share, in cents rounded down. */
export function performanceFee(
  units: number,
  highWater: number,
  redeemPrice: number,
  { performanceBasisPoints }: FeeTerms,
): number {
  if (redeemPrice <= highWater) return 0
  // Counted by the difference in price, so that a cent's rounding is never taken for profit.
  const profit = valueCents(units, redeemPrice - highWater)
  return Number((BigInt(profit) * BigInt(performanceBasisPoints)) / 10_000n)
}

/** The units that pay so many cents; null where that is nothing. Whoever pays keeps a part: of a smaller position less is taken. */
export function feeOf(cents: number, units: number, redeemPrice: number): Fee | null {
  const sold = Math.min(unitsToRedeem(cents, redeemPrice), units - 1)
  const paid = sold > 0 ? valueCents(sold, redeemPrice) : 0
  return cents > 0 && paid > 0 ? { units: sold, cents: paid } : null
}
