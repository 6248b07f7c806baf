import { type ActorCall, type Answer, noContent } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { assertFactor, commitWithFactor } from './actFactor.ts'

/** Shows the second factor again: from now on this session counts as fresh. Without a proof it says how one can be given. */
export async function confirmFactor(call: ActorCall): Promise<Answer<undefined>> {
  if (!call.actor.twoFactor) refuse('two_factor_not_set_up')
  const act = { renews: true } as const
  await assertFactor(call, act)
  await commitWithFactor(call, act, {})
  return noContent()
}
