import type { Filed } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { requestWithdrawal as endpoint } from '../../../src/contract/withdrawals.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { walletDestination } from './destination.ts'
import { fileWithdrawal } from './file.ts'
import { proofOf } from './wish.ts'

/** Withdraws by cryptocurrency. */
export async function requestWithdrawal(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<Filed>> {
  return fileWithdrawal(call, {
    kind: 'withdrawal',
    amountCents: call.body.amount,
    destination: await walletDestination(call.body),
    proof: await proofOf(call.body),
  })
}
