import { decodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import { BitcoinChain, type ScriptCheck } from '../simulator/chains/bitcoin.ts'
import { EthereumChain, USDC, USDT } from '../simulator/chains/ethereum.ts'
import type { OwnAddress } from '../simulator/chains/lies.ts'
import { type Course, openServers, SERVERS, type Servers } from '../simulator/chains/servers.ts'
import { chanceOf } from '../simulator/lane/chance.ts'
import type { Settings } from './observing.ts'

/** The simulator's chains with two servers each, for `observe`. */
export interface SimulatedChains
  extends Pick<Required<Settings>, 'bitcoin' | 'ethereum' | 'tokens' | 'fetch'> {
  readonly bitcoinChain: BitcoinChain
  readonly ethereumChain: EthereumChain
  readonly servers: Servers
  /** The second server of a chain misbehaves like this until `behave`. A lie is about these addresses. */
  misbehave(chain: 'bitcoin' | 'ethereum', course: Course, addresses: readonly string[]): void
  behave(): void
}

/** Opens both chains. The same name gives the same blocks. */
export function openSimulatedChains(name: string, checkScripts?: ScriptCheck): SimulatedChains {
  const chance = chanceOf(name, 'chains')
  const bitcoinChain = new BitcoinChain(chance, Date.now(), checkScripts)
  const ethereumChain = new EthereumChain(chance, Date.now())
  let own: OwnAddress[] = []
  const servers = openServers({
    bitcoin: bitcoinChain,
    ethereum: ethereumChain,
    chance,
    own: () => own,
    pass: () => {},
    sent: () => {},
  })
  return {
    ...SERVERS,
    tokens: `usdt:${USDT} usdc:${USDC}`,
    bitcoinChain,
    ethereumChain,
    servers,
    fetch: async (address, init) => {
      const answer = servers.answer(address, init)
      if (answer === null) throw new Error(`No simulated server: ${address}`)
      return answer
    },
    misbehave: (chain, course, addresses) => {
      own = addresses.map((address) => ({
        address,
        script: chain === 'bitcoin' ? decodeAddress(address, 'regtest') : '',
      }))
      servers.misbehave(chain, 1, course)
    },
    behave: () => servers.end(0, true),
  }
}
