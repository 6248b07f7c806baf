import type { AnnouncedDeposit } from '../../src/contract/money/deposits.ts'
import { openStage } from './stage.ts'
import type { Step } from './story.ts'

/** A deposit in bitcoin, from its announcement to its credit. */
export async function* playDeposit(): AsyncGenerator<Step> {
  const stage = await openStage()
  const { investorId, show } = stage
  try {
    const paymentTo = await stage.addressOf(investorId, 'btc')
    yield await show('The investor gets a Bitcoin address of their own.')
    const form = new FormData()
    for (const [field, value] of Object.entries({ type: 'bitcoin', amount: '1000', paymentTo }))
      form.set(field, value)
    const { quote } = await stage.request<AnnouncedDeposit>(investorId, 'POST', '/deposits', form)
    const quantity = quote?.quantity ?? ''
    yield await show(`They announce $1,000.00. The platform quotes ${quantity} BTC for 30 minutes.`)
    await stage.receive(BigInt(quantity.replace('.', '')))
    yield await show('They pay. Two independent servers report the payment.')
    await stage.mine()
    yield await show('A block has the payment. The platform checks its Merkle proof.')
    await stage.mine()
    yield await show('A second block confirms it.')
    await stage.mine()
    yield await show(
      'A third block confirms it. The platform credits the quoted amount, and no operator decides.',
    )
  } finally {
    stage.close()
  }
}
