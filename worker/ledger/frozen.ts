import { refuse } from '../lib/errors.ts'

/** Tells an operator that no money moves for this investor. The database refuses it too. */
export function refuseAsFrozen(): never {
  refuse('account_frozen', {
    msg: 'This investor’s account is frozen, so no money moves. Lift the freeze first, or reject this.',
  })
}
