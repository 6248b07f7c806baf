import { attachment } from '../../http/attachment.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import type { Deposit } from './deposit.ts'

/** The receipt that came with a deposit request. */
export async function showReceipt(call: ActorCall, deposit: Deposit): Promise<Response> {
  const file = await call.env.FILES.get(deposit.receiptKey)
  if (file === null) refuse('not_found', { msg: 'The receipt is no longer stored.' })
  return attachment(file.body, deposit.receiptType, deposit.ref)
}
