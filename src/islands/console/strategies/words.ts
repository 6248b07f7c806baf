import type { OperatorStrategy } from '../../../contract/console/strategies.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { StatusProps } from '../../../design/Status.tsx'

type Facts<Keys extends keyof OperatorStrategy> = Pick<OperatorStrategy, Keys>

/** The status with the most serious problem: an active strategy may be late. */
export function statusOf({ status, behind, lacking }: Facts<'status' | 'behind' | 'lacking'>): StatusProps {
  if (status === 'suspended') return behind ? { status, label: 'Suspended, late' } : { status }
  if (status === 'stopped') return { status }
  if (behind) return { status: 'rejected', label: 'Late' }
  return lacking === null ? { status: 'active' } : { status: 'pending', label: 'Waits for prices' }
}

/** Who or what stopped its trading: "Suspended by Ana Torres". */
export function endedBy({ status, by, rule }: Facts<'status' | 'by' | 'rule'>): string {
  if (status === 'stopped')
    return by === null ? 'Stopped for good' : `Stopped for good, as ${by.name} approved`
  if (by !== null) return `Suspended by ${by.name}`
  if (rule === 'drawdown') return 'Suspended by its drawdown rule'
  return rule === 'band'
    ? 'Suspended by its band: it left what its test allows for'
    : 'Suspended by the platform'
}

/** What happens to a suspended or stopped strategy and to the money in it. */
export function aftermath({
  status,
  since,
  lastStep,
  units,
}: Facts<'status' | 'since' | 'lastStep' | 'units'>): string {
  if (status === 'stopped') return STOPPED
  if (units === 0) return 'It takes no new money. Nobody has anything in it.'
  // Its holdings are sold at the first open after the suspension.
  return lastStep !== null && Date.parse(lastStep) >= Date.parse(since)
    ? 'It takes no new money, and what it held is sold. Its units stay what they are worth in cash until they are redeemed.'
    : 'It takes no new money, and what it holds is sold at its next open, 00:00 UTC.'
}

/** A sentence that says why resuming cannot be proposed; undefined if it can. */
export function notResumable({ rule, proposed }: Facts<'rule' | 'proposed'>): string | undefined {
  if (rule === 'drawdown')
    return 'Its own drawdown rule ended it. It is not resumed: it would buy nothing again.'
  return notProposable({ proposed })
}

/** A sentence that says why no further proposal is possible; undefined if one is. */
export function notProposable({ proposed }: Facts<'proposed'>): string | undefined {
  if (proposed === null) return undefined
  const what = proposed.action === 'stop' ? 'Stopping it for good' : 'Resuming it'
  return `${what} is proposed already, and waits for another operator.`
}

/** "3 in, $120.00; 1 out", or "None". */
export function pendingOrders({ ordersIn, ordersOut }: Facts<'ordersIn' | 'ordersOut'>): string {
  const words = [
    ordersIn.count > 0 && `${ordersIn.count} in, ${formatUsd(ordersIn.amount)}`,
    ordersOut.count > 0 &&
      `${ordersOut.count} out${ordersOut.amount > 0 ? `, ${formatUsd(ordersOut.amount)}` : ''}`,
  ].filter((each) => each !== false)
  return words.length === 0 ? 'None' : words.join('; ')
}

/** "3.2% below its highest close; it suspends itself at 35.0%". */
export function drawdownWords({
  drawdown,
  maximumDrawdown,
}: Facts<'drawdown' | 'maximumDrawdown'>): string | null {
  if (drawdown === null) return null
  const now = drawdown === 0 ? 'At its highest close' : `${percent(drawdown)} below its highest close`
  return maximumDrawdown === null ? now : `${now}; it suspends itself at ${percent(maximumDrawdown)}`
}

/** "$98.10, between $91.20 and $113.40 with $101.00 in the middle". */
export function bandWords({ unitPrice, band }: Facts<'unitPrice' | 'band'>): string | null {
  if (unitPrice === null || band === null) return null
  const { lower, median, upper } = band
  const between = `between ${formatUsd(lower)} and ${formatUsd(upper)}, ${formatUsd(median)} in the middle`
  if (unitPrice < lower) return `Below it: ${between}`
  return unitPrice > upper ? `Above it: ${between}` : `Within it: ${between}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

// The consequences, shown before the decision is confirmed.
export const SUSPENDING =
  'It takes no new money from now on. At its next open, 00:00 UTC, what waits to be invested is given back and what it holds is sold. Whoever holds units is told by mail, with your reason. They can redeem as always.'
export const RESUMING =
  'Another operator has to approve it. Then it takes new money at once, buys again at its next open, 00:00 UTC, and is measured anew by its rules from there. Whoever holds units is told by mail.'
export const STOPPING =
  'Another operator has to approve it. Then it never trades or takes money again, and nobody can resume it: a strategy with these rules would start anew, under another name. What investors have in it stays in cash until they redeem it; they are told by mail, with your reason.'
const STOPPED =
  'It never trades or takes money again, and is not resumed. What investors have in it stays in cash until they redeem it.'
