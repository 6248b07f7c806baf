import type { requestBankWithdrawal as endpoint } from '../../../src/contract/bankWithdrawals.ts'
import type { Filed } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { bankDestination } from './destination.ts'
import { fileWithdrawal } from './file.ts'
import { proofOf } from './wish.ts'

/** Withdraws to a bank account by the online service. */
export async function requestBankWithdrawal(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<Filed>> {
  return fileWithdrawal(call, {
    kind: 'online-service-withdrawal',
    amountCents: call.body.amount,
    destination: await bankDestination(call.body),
    proof: await proofOf(call.body),
  })
}
