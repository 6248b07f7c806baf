import { refuse } from '../../lib/errors.ts'
import type { RequestFacts } from './requests.ts'

/**
 * Refuses to move money for a request while its investor's account is frozen, in words for operators. The database asks
 * again in the batch.
 */
export function refuseFrozen({ frozenAt }: Pick<RequestFacts, 'frozenAt'>): void {
  if (frozenAt !== null) refuseAsFrozen()
}

export function refuseAsFrozen(): never {
  refuse('account_frozen', {
    msg: 'This investor’s account is frozen, so no money moves. Lift the freeze first, or reject this.',
  })
}
