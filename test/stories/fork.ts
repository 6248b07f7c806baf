import { CONFIRMATIONS_NEEDED } from '../../src/contract/money/payments.ts'
import { checkChainServers } from '../../worker/console/selfCheck/payments.ts'
import { openStage } from './stage.ts'
import type { Step } from './story.ts'

/** Payments in ether before and after forks of Ethereum that add fields to its blocks. */
export async function* playFork(): AsyncGenerator<Step> {
  const stage = await openStage()
  const chain = stage.chains.ethereumChain
  try {
    const address = await stage.addressOf(stage.investorId, 'eth')
    const receive = async () => {
      chain.payEther(address, 10n ** 17n)
      await mine(1)
    }
    const mine = async (blocks: number) => {
      for (let mined = 0; mined < blocks; mined++) chain.mine(stage.now())
      await stage.work()
    }
    const finalise = async () => {
      for (let looks = 0; looks < 4; looks++) await mine(CONFIRMATIONS_NEEDED.ethereum / 2)
    }
    const show = async (happened: string) => {
      const { findings } = await checkChainServers(stage.db, null, stage.now())
      return stage.show(happened, findings)
    }
    await receive()
    await finalise()
    yield await show('A payment of 0.1 ETH is finalised and credited.')

    chain.fork = 'amsterdam'
    await receive()
    yield await show(
      'The fork Amsterdam adds fields to each block. A second payment arrives in such a block.',
    )
    await finalise()
    yield await show('It is finalised and credited like the first.')

    chain.fork = 'later'
    await receive()
    yield await show('A later fork adds a field that this version does not know. A third payment arrives.')
    await finalise()
    yield await show('The hash of the block binds every field that is read, so it is credited too.')
  } finally {
    stage.close()
  }
}
