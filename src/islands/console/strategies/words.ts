import type { OperatorStrategy } from '../../../contract/console/strategies.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { StatusProps } from '../../../design/Status.tsx'

type Facts<Keys extends keyof OperatorStrategy> = Pick<OperatorStrategy, Keys>

/** The status with the most serious problem: an active strategy may be late. */
export function describeStrategyStatus({
  status,
  behind,
  lacking,
}: Facts<'status' | 'behind' | 'lacking'>): StatusProps {
  if (status === 'suspended') return behind ? { status, label: 'Suspended, late' } : { status }
  if (status === 'stopped') return { status }
  if (behind) return { status: 'rejected', label: 'Late' }
  return lacking === null ? { status: 'active' } : { status: 'pending', label: 'Waiting for prices' }
}

/** Who or what stopped its trading: "Suspended by Ana Torres". */
export function describeEnding({ status, by, rule }: Facts<'status' | 'by' | 'rule'>): string {
  if (status === 'stopped')
    return by === null ? 'Stopped for good' : `Stopped for good, approved by ${isolate(by.name)}`
  if (by !== null) return `Suspended by ${isolate(by.name)}`
  if (rule === 'drawdown') return 'Suspended: it hit its drawdown limit'
  return rule === 'band' ? 'Suspended: it left the band of its test' : 'Suspended by the system'
}

/** What happens to a suspended or stopped strategy and to the money in it. */
export function describeAftermath({
  status,
  since,
  lastStep,
  units,
}: Facts<'status' | 'since' | 'lastStep' | 'units'>): string {
  if (status === 'stopped') return STOPPED
  if (units === 0) return 'It takes no new money. No investor has money in it.'
  // Its holdings are sold at the first open after the suspension.
  return lastStep !== null && Date.parse(lastStep) >= Date.parse(since)
    ? 'It takes no new money, and its holdings are sold. Its units keep their cash value until investors redeem them.'
    : 'It takes no new money. Its holdings are sold at its next open, 00:00 UTC.'
}

/** A sentence that says why resuming cannot be proposed; undefined if it can. */
export function describeResumeObstacle({ rule, proposed }: Facts<'rule' | 'proposed'>): string | undefined {
  if (rule === 'drawdown') return 'It hit its own drawdown limit, so only its own rule resumes it.'
  return describeProposalObstacle({ proposed })
}

/** A sentence that says why no further proposal is possible; undefined if one is. */
export function describeProposalObstacle({ proposed }: Facts<'proposed'>): string | undefined {
  if (proposed === null) return undefined
  const what = proposed.action === 'stop' ? 'A proposal to stop it for good' : 'A proposal to resume it'
  return `${what} is already waiting for another operator.`
}

/** "3 in, $120.00; 1 out", or "None". */
export function describePendingOrders({ ordersIn, ordersOut }: Facts<'ordersIn' | 'ordersOut'>): string {
  const words = [
    ordersIn.count > 0 && `${ordersIn.count} in, ${formatUsd(ordersIn.amount)}`,
    ordersOut.count > 0 &&
      `${ordersOut.count} out${ordersOut.amount > 0 ? `, ${formatUsd(ordersOut.amount)}` : ''}`,
  ].filter((phrase) => phrase !== false)
  return words.length === 0 ? 'None' : words.join('; ')
}

/** "3.2% below its highest close; it suspends itself at 35.0%". */
export function describeDrawdown({
  drawdown,
  maximumDrawdown,
}: Facts<'drawdown' | 'maximumDrawdown'>): string | null {
  if (drawdown === null) return null
  const now = drawdown === 0 ? 'At its highest close' : `${formatPercent(drawdown)} below its highest close`
  return maximumDrawdown === null ? now : `${now}. It is suspended at ${formatPercent(maximumDrawdown)}`
}

/** "$98.10, between $91.20 and $113.40 with $101.00 in the middle". */
export function describeBand({ unitPrice, band }: Facts<'unitPrice' | 'band'>): string | null {
  if (unitPrice === null || band === null) return null
  const { lower, median, upper } = band
  const between = `between ${formatUsd(lower)} and ${formatUsd(upper)}, median ${formatUsd(median)}`
  if (unitPrice < lower) return `Below it: ${between}`
  return unitPrice > upper ? `Above it: ${between}` : `Within it: ${between}`
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

// The consequences, shown before the decision is confirmed.
export const SUSPENDING =
  'It takes no new money. At its next open, 00:00 UTC, waiting investments are returned and its holdings are sold. Its investors get a mail with your reason. They can redeem at any time.'
export const RESUMING =
  'Another operator has to approve this. The strategy then takes new money at once and buys again at its next open, 00:00 UTC. Its rules measure drawdown from there. Its investors get a mail.'
export const STOPPING =
  'Another operator has to approve this. The strategy then never trades or takes money again, and nobody can resume it. Its investors’ money stays in cash until they redeem it. They get a mail with your reason.'
const STOPPED =
  'It never trades or takes money again, and cannot be resumed. Its investors’ money stays in cash until they redeem it.'
