import type { ApproveDepositBody } from '../../../src/contract/console/deposits.ts'
import type { Coin } from '../../../src/contract/money/coins.ts'
import { quantityAt, unitsOf } from '../../ledger/custody.ts'
import { refuseField } from '../../lib/errors.ts'
import type { Arrived } from '../../money/requests/events.ts'
import type { Deposit } from './deposit.ts'

// Beyond it SQLite's integers would turn into inexact numbers.
const MOST_UNITS = 2n ** 62n
/** A fiftieth is 2 %: what differs by more from the believed rate takes two people. */
const TOLERANCE = 50n

/** What the quantity is judged by. */
interface Known {
  readonly deposit: Pick<Deposit, 'coin' | 'firstQuantity'>
  /** USD for one coin now, as quotes use it; null when the market does not say. */
  readonly rate: string | null
  readonly custodyUnits: bigint
}

/**
 * How many of the coin's smallest units came in, as an operator stated or else by the believed rate, and how many the
 * amount is at that rate. Refuses a quantity that cannot be counted, and none where two people have to state it.
 */
export function arrivedOf(
  body: Pick<ApproveDepositBody, 'quantity'>,
  { deposit, rate, custodyUnits }: Known,
  amountCents: number,
): Arrived {
  const { coin, firstQuantity } = deposit
  const unitsAtRate = rate === null ? null : unitsOf(coin, quantityAt(coin, amountCents, rate))
  const stated = body.quantity ?? firstQuantity
  if (stated === null && rate === null)
    return refuseField('quantity', 'There is no market price now. Please give the quantity that arrived')
  const units = stated === null ? unitsAtRate : unitsOf(coin, stated)
  if (units === null || custodyUnits + units > MOST_UNITS)
    return refuseField('quantity', 'That quantity is too small or too large to be counted')
  const arrived = { units, unitsAtRate }
  // Only the first operator stated it so far.
  if (body.quantity === undefined && isUnusual(arrived))
    return refuseField(
      'quantity',
      unitsAtRate === null
        ? 'There is no market price now. Two operators have to give the quantity that arrived'
        : 'The first operator’s quantity differs by more than 2 % from the market price. Please give the quantity that arrived',
    )
  return arrived
}

/** Whether a quantity differs by more than 2 % from the amount at the believed rate, or there is no rate to compare it with. */
export function isUnusual({ units, unitsAtRate }: Arrived): boolean {
  if (unitsAtRate === null) return true
  const difference = units > unitsAtRate ? units - unitsAtRate : unitsAtRate - units
  return difference * TOLERANCE > unitsAtRate
}

/** The quantity that an operator stated, in the coin's smallest unit; null where it was left to the price. */
export function statedUnits(coin: Coin, { quantity }: Pick<ApproveDepositBody, 'quantity'>): bigint | null {
  return quantity === undefined ? null : unitsOf(coin, quantity)
}
