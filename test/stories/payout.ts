import type { OperatorPayout } from '../../src/contract/console/payouts.ts'
import { finalizePsbt, signPsbt, testWallet } from '../support/bitcoinWallet.ts'
import { fileChainWithdrawal } from '../support/chainPeople.ts'
import { testAccount } from '../support/ethereumChain.ts'
import { openStage } from './stage.ts'
import type { Step } from './story.ts'

/** A withdrawal in bitcoin from a wallet that two of three people sign for. */
export async function* playPayout(): AsyncGenerator<Step> {
  const wallet = testWallet('wsh-sortedmulti')
  const stage = await openStage({
    wallets: { bitcoin: wallet.descriptor.text, ethereum: testAccount(0) },
  })
  const { investorId: investor, request, show } = stage
  try {
    await stage.receive(2_000_000n)
    await stage.mine(3)
    yield await show(
      'The investor has deposited 0.02 BTC. The platform knows only the public keys of its wallet.',
    )

    const id = 'withdrawal'
    const address = testWallet('wpkh', { name: 'outside' }).address(0)
    await fileChainWithdrawal(stage.db, stage.now(), { id, investor, network: 'btc', address, cents: 321_00 })
    yield await show('They withdraw $321.00 to an address of theirs. The amount is held.')

    await request('approver', 'POST', `/operator/withdrawals/${id}/approve`, {
      riskReason: 'Called back, all is in order',
    })
    yield await show('One operator approves it.')

    const built = await request<OperatorPayout>('payer', 'POST', '/operator/payouts', {
      chain: 'bitcoin',
      withdrawals: [id],
      fee: 5,
    })
    const showPayout = async (happened: string) => {
      const { words } = await stage.payout(built._id)
      return show(happened, [`The payout: ${words}`])
    }
    yield await showPayout(
      'Another operator builds the transaction that pays it: a PSBT for hardware wallets.',
    )

    const release = (signed: string) =>
      stage.pay('POST', `/operator/payouts/${built._id}/release`, { signed })
    const signed = wallet.devices.slice(0, 2).map((device) => signPsbt(built.unsigned ?? '', [device]))
    await release(signed[0] ?? '')
    yield await showPayout('The first device signs. One signature is not enough.')

    const stolen = finalizePsbt(signPsbt(built.unsigned ?? '', wallet.devices.slice(0, 2))).replace(
      '20a1070000000000',
      '21a1070000000000',
    )
    const { body } = await release(stolen)
    yield await showPayout(
      `Somebody returns a transaction that pays one satoshi more. It is refused: “${body.msg}”`,
    )

    await release(signed[1] ?? '')
    yield await showPayout('The second device signs the right one. The platform checks both and sends it.')

    await stage.mine()
    yield await showPayout('A block has it.')
    await stage.mine(2)
    yield await showPayout(
      'Two more blocks confirm it. The withdrawal is completed, and the network fee is booked.',
    )
  } finally {
    stage.close()
  }
}
