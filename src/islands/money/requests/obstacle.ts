import type { Identity, Limits } from '../../../contract/money/limits.ts'

/** A queue that requests are filed to. */
export type Queue = 'deposits' | 'withdrawals'

/** Why a request would be refused whatever is typed: the first of what the server would say. */
export type Obstacle = 'frozen' | Exclude<Identity, 'approved'> | 'full' | 'empty'

/** What stands in the way of filing. Null where nothing does, or the limits could not be loaded: the server says it then. */
export function obstacleOf(limits: Limits | null, queue: Queue): Obstacle | null {
  if (limits === null) return null
  const { frozen, identity, identityRequired, maxOpen, available } = limits
  if (frozen) return 'frozen'
  if (identityRequired && identity !== 'approved') return identity
  if (limits[queue].open >= maxOpen) return 'full'
  return queue === 'withdrawals' && available <= 0 ? 'empty' : null
}
