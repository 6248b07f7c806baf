import { refuse } from '../lib/errors.ts'

/** Tells an operator that no money moves for this investor. The database refuses it too. `ref` names one case of several. */
export function refuseAsFrozen(ref?: string): never {
  const msg = 'This investor’s account is frozen, so no money moves. Lift the freeze first, or reject this.'
  refuse('account_frozen', { msg: ref === undefined ? msg : `${ref}: ${msg}` })
}
