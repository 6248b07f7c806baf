import { afterEach, describe, expect, test } from 'vitest'
import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { USDT } from '../../../test/simulator/chains/ethereum.ts'
import type { Course } from '../../../test/simulator/chains/servers.ts'
import { type Observing, observe, RATES } from '../../../test/support/observing.ts'
import { openSimulatedChains, type SimulatedChains } from '../../../test/support/simulatedChains.ts'

// One of two servers of each chain fails or lies. The simulator plays the same moods and lies at random.

let chains: SimulatedChains
let platform: Observing
let id: string
let address: string
afterEach(() => platform.close())

async function open(chain: 'bitcoin' | 'ethereum'): Promise<void> {
  chains = openSimulatedChains('misbehaving servers')
  const { tokens, fetch } = chains
  platform = await observe({ [chain]: chains[chain], tokens, fetch })
  for (let i = 0; i < 2; i++) await platform.tick()
  id = await platform.investor()
  address = await platform.addressOf(id, chain === 'bitcoin' ? 'btc' : 'eth')
}

/** The faults of the honest and of the other server. */
const faults = async (chain: 'bitcoin' | 'ethereum') =>
  (
    await platform.rows<{ fault: string | null }>(
      'SELECT fault FROM chain_servers WHERE chain = ? ORDER BY server',
      chain,
    )
  ).map(({ fault }) => fault)

const states = async () => (await platform.payments(id)).map(({ state }) => state)

describe('a server of Bitcoin that', () => {
  const SATOSHI = 90_000
  const WORTH = Math.floor((SATOSHI * RATES.bitcoin) / 1_000_000)
  const pay = () =>
    chains.bitcoinChain.pay([{ script: decodeAddress(address, 'regtest'), value: BigInt(SATOSHI) }])
  const mine = (blocks: number) => {
    for (let i = 0; i < blocks; i++) chains.bitcoinChain.mine({ nowMs: platform.now() })
  }

  test.each<[string, Course, RegExp]>([
    ['is silent', { mood: 'silent' }, /cannot be reached/],
    ['answers with errors', { mood: 'failing' }, /answers with the status/],
    ['answers with too many requests', { mood: 'limited' }, /answers with the status/],
    ['answers with broken JSON', { mood: 'brokenJson' }, /something other than JSON/],
    ['answers with a web page', { mood: 'garbage' }, /something other than JSON/],
    ['answers with too much', { mood: 'huge' }, /more than it was asked for/],
    ['breaks off', { mood: 'cut' }, /breaks off/],
    ['stands still', { mood: 'stalled' }, /is behind/],
    ['goes back', { mood: 'back', blocks: 6 }, /is behind/],
    [
      'shows a block without proof of work',
      { mood: 'lying', lie: 'weakHeader' },
      /break the rules|false hash|is behind/,
    ],
  ])('%s is reported, and nothing is credited meanwhile', async (_what, course, fault) => {
    await open('bitcoin')
    pay()
    mine(1)
    chains.misbehave('bitcoin', course, [address])
    mine(3)
    await platform.tick()
    await platform.tick()
    expect(await faults('bitcoin')).toEqual([null, expect.stringMatching(fault)])
    expect(await platform.available(id)).toBe(0)
    chains.behave()
    await platform.tick()
    await platform.tick()
    expect(await faults('bitcoin')).toEqual([null, null])
    expect(await states()).toEqual(['credited'])
    expect(await platform.available(id)).toBe(WORTH)
  })

  // Whole blocks are searched, so that no answer about an address counts.
  test.each([
    ['hides a payment', 'hidden'],
    ['changes an amount', 'wrongAmount'],
  ] as const)('%s changes nothing that is credited', async (_what, lie) => {
    await open('bitcoin')
    chains.misbehave('bitcoin', { mood: 'lying', lie }, [address])
    pay()
    mine(3)
    await platform.tick()
    await platform.tick()
    expect(await states()).toEqual(['credited'])
    expect(await platform.available(id)).toBe(WORTH)
  })
})

describe('a server of Ethereum that', () => {
  const ETHER = 10n ** 18n
  const mine = (blocks: number) => {
    for (let i = 0; i < blocks; i++) chains.ethereumChain.mine(platform.now())
  }
  const finalise = async () => {
    mine(13)
    await platform.tick()
  }

  test.each<[string, Course, RegExp]>([
    ['answers with errors', { mood: 'failing' }, /answers with the status/],
    ['answers with broken JSON', { mood: 'brokenJson' }, /something other than JSON/],
    ['answers with too much', { mood: 'huge' }, /more than it was asked for/],
    ['breaks off', { mood: 'cut' }, /breaks off/],
    ['goes back', { mood: 'back', blocks: 30 }, /went back/],
    ['serves another chain', { mood: 'lying', lie: 'otherChain' }, /another chain/],
    ['finalises another block', { mood: 'lying', lie: 'finalisedBlock' }, /false hash|disagrees/],
    ['changes receipts', { mood: 'lying', lie: 'changedReceipts' }, /false receipts/],
    ['changes amounts', { mood: 'lying', lie: 'wrongAmount' }, /false receipts|other transactions/],
    ['hides payments in blocks', { mood: 'lying', lie: 'hiddenTransactions' }, /other transactions/],
  ])('%s is reported, and nothing is credited on its word', async (_what, course, fault) => {
    await open('ethereum')
    mine(30)
    await platform.tick()
    const reported: (string | null | undefined)[] = []
    const round = RATES.ethereum * 10 + 7_00
    // One server is asked for whole blocks from an even height on, the other one from an odd height on.
    for (let i = 0; i < 2; i++) {
      chains.behave()
      chains.ethereumChain.payEther(address, ETHER / 10n)
      chains.ethereumChain.payToken(USDT, [{ to: address, quantity: 7_000_000n }])
      mine(1)
      chains.misbehave('ethereum', course, [address])
      mine(14)
      await platform.tick()
      reported.push((await faults('ethereum'))[1])
      expect([0, round, 2 * round]).toContain(await platform.available(id))
    }
    expect(reported).toContainEqual(expect.stringMatching(fault))
    chains.behave()
    await finalise()
    await finalise()
    expect(await states()).toEqual(Array(4).fill('credited'))
    expect(await platform.available(id)).toBe(2 * round)
  })

  test('stands still keeps its chain waiting, and is reported once it is far behind', async () => {
    await open('ethereum')
    chains.ethereumChain.payEther(address, ETHER / 10n)
    mine(1)
    chains.misbehave('ethereum', { mood: 'stalled' }, [address])
    await finalise()
    expect(await platform.available(id)).toBe(0)
    mine(40)
    await platform.tick()
    expect(await faults('ethereum')).toEqual([null, expect.stringMatching(/is behind/)])
    expect(await platform.available(id)).toBe(0)
    chains.behave()
    await finalise()
    await finalise()
    expect(await platform.available(id)).toBe(RATES.ethereum * 10)
  })

  test.each([
    ['invents a transfer', 'inventedLog'],
    ['invents a block with payments', 'newestBlock'],
  ] as const)('%s credits nothing', async (_what, lie) => {
    await open('ethereum')
    chains.misbehave('ethereum', { mood: 'lying', lie }, [address])
    for (let i = 0; i < 4; i++) {
      mine(4)
      await platform.tick()
    }
    expect(await platform.available(id)).toBe(0)
    chains.behave()
    await finalise()
    await finalise()
    expect((await platform.payments(id)).filter(({ state }) => state !== 'gone')).toEqual([])
    expect(await platform.available(id)).toBe(0)
  })
})
