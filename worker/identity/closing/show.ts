import type { Closing } from '../../../src/contract/identity/accountClosing.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { keptDaysOf, obstaclesOf, readClosingFacts } from './facts.ts'

/** What stands in the way of closing one's own account, what is asked for, and how long what is kept. */
export async function showClosing(call: ActorCall): Promise<Answer<Closing>> {
  const standing = await readClosingFacts(call)
  return ok({
    obstacles: obstaclesOf(standing),
    methods: [
      ...(standing.passkeys ? (['passkey'] as const) : []),
      ...(standing.totp ? (['totp'] as const) : []),
    ],
    keptDays: keptDaysOf(standing),
  })
}
