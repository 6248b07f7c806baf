import type { Identity, Limits } from '../../../contract/money/limits.ts'
import { formatUsd, parseUsd } from '../../../contract/money.ts'

/** The number of requests left is shown below this. */
const FEW_LEFT = 5

/** Sentences for the hint of the amount field. */
export function limitWords(limits: Limits | null, queue: Queue): string[] {
  if (limits === null) return []
  const { minimum, open, pending } = limits[queue]
  const left = limits.maxOpen - open
  const one = queue === 'deposits' ? 'deposit' : 'withdrawal'
  return [
    pending > 0 && (queue === 'deposits' ? announced(open, pending) : held(open, pending)),
    minimum > 0 && `The smallest ${one} is ${formatUsd(minimum)}.`,
    left > 0 && left < FEW_LEFT && `You can open ${left} more until one is decided.`,
  ].filter((words) => words !== false)
}

function announced(open: number, usd: number): string {
  return open === 1
    ? `An open deposit of ${formatUsd(usd)} awaits approval.`
    : `${open} open deposits, ${formatUsd(usd)} in all, await approval.`
}

function held(open: number, usd: number): string {
  return `${formatUsd(usd)} is held for ${open === 1 ? 'an open withdrawal' : `${open} open withdrawals`}.`
}

/** Why the server would refuse the amount; null if it would not, or if it is no amount yet. */
export function amountProblem(limits: Limits | null, queue: Queue, typed: unknown): string | null {
  const cents = parseUsd(typed)
  if (limits === null || cents === null) return null
  if (queue === 'withdrawals') {
    if (isBeyond(limits, typed)) return 'That is more than what is available.'
    // The whole balance may be withdrawn even if it is below the minimum.
    if (cents === inCents(limits.available)) return null
  }
  const { minimum } = limits[queue]
  if (cents >= inCents(minimum)) return null
  return `The smallest ${queue === 'deposits' ? 'deposit' : 'withdrawal'} is ${formatUsd(minimum)}`
}

export function isBeyond({ available }: Limits, typed: unknown): boolean {
  return (parseUsd(typed) ?? 0) > inCents(available)
}

function inCents(usd: number): number {
  return Math.round(usd * 100)
}

export type Queue = 'deposits' | 'withdrawals'

/** Why any request would be refused: the server's first reason. */
export type Obstacle = 'frozen' | Exclude<Identity, 'approved'> | 'full' | 'empty'

/** Null if nothing prevents a request, or if the limits could not be loaded: the server checks anyway. */
export function obstacleOf(limits: Limits | null, queue: Queue): Obstacle | null {
  if (limits === null) return null
  const { frozen, identity, identityRequired, maxOpen, available } = limits
  if (frozen) return 'frozen'
  if (identityRequired && identity !== 'approved') return identity
  if (limits[queue].open >= maxOpen) return 'full'
  return queue === 'withdrawals' && available <= 0 ? 'empty' : null
}
