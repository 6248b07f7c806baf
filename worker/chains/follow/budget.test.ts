import { afterEach, describe, expect, test } from 'vitest'
import { decodeAddress } from '../../../src/chain/bitcoin/addresses.ts'
import { DAY_MS } from '../../../src/time.ts'
import { isLong } from '../../../test/random.ts'
import { type Observing, observe } from '../../../test/support/observing.ts'
import { openSimulatedChains, type SimulatedChains } from '../../../test/support/simulatedChains.ts'

/** Calls that a tick makes: 40 a minute, without those of investors who say that they have paid. */
const MOST_CALLS = 30

/** Ethereum's blocks come and are finalised in steps of an epoch. */
const EPOCH = { blocks: 32, ticks: 6 }

let platform: Observing
let chains: SimulatedChains
let calls: string[]
let ticks = 0
afterEach(() => platform.close())

async function begin(isOnEthereum: boolean): Promise<void> {
  chains = openSimulatedChains('budget')
  const { bitcoin, ethereum, tokens, fetch } = chains
  platform = await observe({
    bitcoin,
    ...(isOnEthereum && { ethereum, tokens }),
    fetch: (address, init) => {
      calls.push(address)
      return fetch(address, init)
    },
  })
}

/** Runs the job once. Returns the calls that it made. */
async function tick(): Promise<string[]> {
  calls = []
  for (let i = 0; ticks % EPOCH.ticks === 0 && i < EPOCH.blocks; i++)
    chains.ethereumChain.mine(platform.now())
  ticks++
  await platform.tick()
  return calls
}

/** How many deposits are open: filing them takes most of the time. */
const DEPOSITS = isLong ? 1_000 : 300

describe('many open deposits', () => {
  test('take at most thirty calls a minute, and no address is forgotten', { timeout: 120_000 }, async () => {
    await begin(true)
    const addresses: string[] = []
    const investors: string[] = []
    await tick()
    for (let i = 0; i < DEPOSITS; i++) {
      const investor = await platform.investor()
      const address = await platform.addressOf(investor, 'btc')
      await platform.addressOf(investor, 'eth')
      await platform.announce(investor, 'btc', address, 60_00, 100_000n, '60000')
      addresses.push(address)
      investors.push(investor)
    }
    const late = DEPOSITS * 0.7
    // A block is mined in each tenth minute.
    const paidMinute = isLong ? 30 : 10
    const script = decodeAddress(addresses[late] ?? '', 'regtest')
    const asked = new Map<string, number>()
    let minutes = 0
    for (; minutes < 200 && asked.size < addresses.length; minutes++) {
      if (minutes === paidMinute) chains.bitcoinChain.pay([{ script, value: 100_000n }])
      if (minutes % 10 === 0) chains.bitcoinChain.mine({ nowMs: platform.now() })
      const made = await tick()
      expect(made.length).toBeLessThanOrEqual(MOST_CALLS)
      for (const call of made) {
        const address = /\/address\/(\w+)\/txs$/.exec(call)?.[1]
        if (address !== undefined) asked.set(address, (asked.get(address) ?? 0) + 1)
      }
      // A payment in a block is seen in the next run, also of an address whose turn comes later.
      if (minutes === paidMinute)
        expect(await platform.payments(investors[late] ?? '')).toMatchObject([{ state: 'confirming' }])
    }
    expect(new Set(addresses)).toEqual(new Set(asked.keys()))
    expect(minutes).toBeLessThan(DEPOSITS * 0.08)
    const servers = await platform.rows('SELECT fault FROM chain_servers WHERE fault IS NOT NULL')
    expect(servers).toEqual([])
  })

  test('an old address is looked at each day, a new one each minute', { timeout: 60_000 }, async () => {
    await begin(false)
    const old = await platform.addressOf(await platform.investor(), 'btc')
    await tick()
    platform.pass(10 * DAY_MS)
    const recent = await platform.addressOf(await platform.investor(), 'btc')
    const looks = { old: 0, recent: 0 }
    for (let i = 0; i < 60; i++) {
      const made = await tick()
      looks.old += made.filter((call) => call.includes(old)).length
      looks.recent += made.filter((call) => call.includes(recent)).length
    }
    expect(looks).toEqual({ old: 1, recent: 60 })
    platform.pass(DAY_MS)
    expect((await tick()).filter((call) => call.includes(old))).toHaveLength(1)
  })
})
