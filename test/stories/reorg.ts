import type { Proposal } from '../../src/contract/console/proposals.ts'
import { openStage } from './stage.ts'
import type { Step } from './story.ts'

/** A credited payment disappears from the chain, returns, and disappears for good. */
export async function* playReorganisation(): AsyncGenerator<Step> {
  const stage = await openStage()
  const { request, show } = stage
  const chain = stage.chains.bitcoinChain
  try {
    const payment = await stage.receive(1_500_000n)
    await stage.mine(3)
    yield await show('A payment of 0.015 BTC has three blocks and is credited at the price.')

    chain.reorganise(4, [], { nowMs: stage.now(), share: 0 })
    for (let looks = 0; looks < 2; looks++) await stage.work()
    yield await show('Miners replace the last four blocks, and the new ones do not have the payment.')

    await stage.mine(3)
    yield await show('The payment is mined again and confirmed. The prepared reversal ends by itself.')

    chain.reorganise(4, [payment], { nowMs: stage.now() })
    for (let looks = 0; looks < 2; looks++) await stage.work()
    yield await show('It happens again, and this time the payer has spent the same coins elsewhere.')

    const [reversal] = await request<Proposal[]>('payer', 'GET', '/operator/proposals?status=pending')
    await request('payer', 'POST', `/operator/proposals/${reversal?._id}/approve`, {})
    yield await show(
      'An operator looks at the chain and approves the prepared reversal. The books are as before the payment.',
    )
  } finally {
    stage.close()
  }
}
