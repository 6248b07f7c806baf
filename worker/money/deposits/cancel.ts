import type { ActorCall, Answer } from '../../http/call.ts'
import { cancelRequest } from '../requests/cancel.ts'
import type { RequestRow } from '../requests/events.ts'

/** Takes back a deposit request. Nothing was credited, so nothing moves. */
export function cancelDeposit(call: ActorCall, request: RequestRow): Promise<Answer<{ msg: string }>> {
  return cancelRequest(call, request, `Deposit ${request.ref} is cancelled.`)
}
