import type { Network } from '../../../contract/money/coins.ts'
import type { Identity, Limits } from '../../../contract/money/limits.ts'
import { describeMinimum } from '../../../contract/money/minimums.ts'
import { formatUsd, parseUsd, toCents } from '../../../contract/money.ts'

/** The hint shows the remaining number of requests if it is below this. */
const FEW_LEFT = 5

/** The smallest amount, and how many more requests are possible. */
export function limitWords(limits: Limits | null, queue: Queue, network: Network | null = null): string[] {
  if (limits === null) return []
  const { open } = limits[queue]
  const { usd, words } = getMinimum(limits, queue, network)
  const left = limits.maxOpen - open
  const unproved = queue === 'withdrawals' ? limits.withdrawals.withoutAddressProof : null
  return [
    usd > 0 && `${words}.`,
    unproved !== null && `Above ${formatUsd(unproved)} we ask for a proof of address.`,
    left > 0 && left < FEW_LEFT && `You can open ${left} more until one is decided.`,
  ].filter((words) => words !== false)
}

/** The smallest amount, over a network if one is given, and what to say about it. */
function getMinimum(limits: Limits, queue: Queue, network: Network | null): { usd: number; words: string } {
  const { minimum } = limits[queue]
  if (queue === 'deposits') return { usd: minimum, words: describeMinimum('deposit', minimum) }
  const usd = network === null ? minimum : limits.withdrawals.minimumByNetwork[network]
  return { usd, words: describeMinimum('withdrawal', usd, usd > minimum ? network : null) }
}

/** Why the server would refuse the amount. Null if it would accept it, or if no valid amount is typed yet. */
export function findAmountProblem(
  limits: Limits | null,
  queue: Queue,
  typed: unknown,
  network: Network | null = null,
): string | null {
  const cents = parseUsd(typed)
  if (limits === null || cents === null) return null
  if (queue === 'withdrawals') {
    if (isBeyond(limits, typed)) return 'That is more than what is available.'
    // The whole balance may be withdrawn even if it is below the minimum.
    if (cents === toCents(limits.available)) return null
  }
  const { usd, words } = getMinimum(limits, queue, network)
  return cents >= toCents(usd) ? null : words
}

export function isBeyond({ available }: Limits, typed: unknown): boolean {
  return (parseUsd(typed) ?? 0) > toCents(available)
}

export type Queue = 'deposits' | 'withdrawals'

/** Why the server would refuse any request, in the order in which it checks. `address`: a proof is needed for the amount. `invested`: empty, but for money in strategies. */
export type Obstacle = 'frozen' | 'address' | Exclude<Identity, 'approved'> | 'full' | 'empty' | 'invested'

/** Null if a request is possible, or if the limits could not be loaded: the server checks them again. */
export function findObstacle(limits: Limits | null, queue: Queue): Obstacle | null {
  if (limits === null) return null
  const { frozen, identity, identityRequired, maxOpen, available } = limits
  if (frozen) return 'frozen'
  if (identityRequired && identity !== 'approved') return identity
  if (limits[queue].open >= maxOpen) return 'full'
  return queue === 'withdrawals' && available <= 0 ? 'empty' : null
}
