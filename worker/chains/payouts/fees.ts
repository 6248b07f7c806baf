import { FEE_SPEEDS, type getPayoutFees, type PayoutFees } from '../../../src/contract/console/payouts.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { getBitcoinConfiguration, getEthereumConfiguration } from '../servers/configuration.ts'
import { createJsonRpc } from '../servers/jsonRpc.ts'
import { CallBudget, ServerFault } from '../servers/server.ts'
import { createPayoutEsplora } from './bitcoinServer.ts'
import { fetchFees } from './ethereumServer.ts'

type Choices = PayoutFees['choices']

/** The fees that the network asks for now. The first server that answers is enough: an operator sees the fee before signing. */
export async function payoutFees({ env, query: { chain } }: CallOf<typeof getPayoutFees>) {
  const budget = new CallBudget(2)
  if (chain === 'bitcoin') {
    const { servers } = getBitcoinConfiguration(env) ?? refuse('network_not_proved')
    const choices = await tryServers(servers, async (server) =>
      listBitcoinChoices(await createPayoutEsplora(server, budget).feeEstimates()),
    )
    return ok<PayoutFees>({ chain, unit: 'sat/vB', choices })
  }
  const { servers } = getEthereumConfiguration(env) ?? refuse('network_not_proved')
  const choices = await tryServers(servers, async (server) =>
    listEthereumChoices(await fetchFees(createJsonRpc(server, budget))),
  )
  return ok<PayoutFees>({ chain, unit: 'gwei', choices })
}

async function tryServers(
  servers: readonly string[],
  ask: (server: string) => Promise<Choices>,
): Promise<Choices> {
  for (const server of servers) {
    try {
      return await ask(server)
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
    }
  }
  return refuse('unavailable', { msg: 'No server of this chain answers. Please try again shortly.' })
}

/** Blocks until a transaction is mined, by speed. A block takes ten minutes on average. */
const BITCOIN_BLOCKS = { slow: 144, normal: 6, fast: 2 } as const
const MINUTES_A_BLOCK = 10

/** Each fee is at least the minimum that nodes relay, which also stands for a missing estimate. */
function listBitcoinChoices(estimates: Readonly<Record<string, number>>): Choices {
  return FEE_SPEEDS.map((speed) => {
    const blocks = BITCOIN_BLOCKS[speed]
    const fee = Math.max(1, Math.ceil((estimates[blocks] ?? 1) * 100) / 100)
    return { speed, fee, minutes: blocks * MINUTES_A_BLOCK }
  })
}

/** The part of the next block's base fee that a choice covers: it rises by an eighth at most from block to block (EIP-1559). */
const ETHEREUM_SPEEDS = {
  slow: { base: 110n, minutes: 5 },
  normal: { base: 150n, minutes: 1 },
  fast: { base: 200n, minutes: 0.5 },
} as const

function listEthereumChoices({ base, priorities }: Awaited<ReturnType<typeof fetchFees>>): Choices {
  return FEE_SPEEDS.map((speed, i) => {
    const { base: percent, minutes } = ETHEREUM_SPEEDS[speed]
    const wei = (base * percent) / 100n + (priorities[i] ?? 0n)
    // Rounded up to a thousandth of a gwei, and never 0.
    return { speed, fee: Number(wei / 1_000_000n + 1n) / 1000, minutes }
  })
}
