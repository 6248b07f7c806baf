import { describe, expect, it } from 'vitest'
import { MAINNET_100000, mine, mineMany, REGTEST_GENESIS } from '../../../test/support/bitcoinBlocks.ts'
import { listHashes, pickBranch, type RecentChain, takeRecent } from './branches.ts'
import { computeWork, decodeTarget } from './difficulty.ts'
import { checkProofOfWork, parseHeader } from './header.ts'
import {
  type ChainState,
  extendChain,
  getBuiltInStart,
  hasMoreWork,
  startAtCheckpoint,
} from './headerChain.ts'
import { BITCOIN_NETWORKS, getBitcoinNetwork } from './network.ts'

/** Mainnet's blocks 1 and 2. */
const MAINNET_1 = [
  '010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299',
  '010000004860eb18bf1b1620e37e9490fc8a427514416fd75159ab86688e9a8300000000d5fdcc541e25de1c7a5addedf24858b8bb665c9f36ef744ee42c316022c90f9bb0bc6649ffff001d08d2bd61',
]
/** Mainnet's block 32,256, the first with another difficulty. */
const MAINNET_32256 =
  '010000004b0360d834a330ec7833e30e1f523ee05a0793361e29a73421964f980000000027b64a020af294e903feed93768705336a20090612a043f47af462a2f5e5b564f8ee3a4b6ad8001dd3a43707'

const genesis = startAtCheckpoint({ height: 0, header: REGTEST_GENESIS }, 'regtest')

describe('a block header', () => {
  it('has the fields and the hash that explorers show', () => {
    expect(parseHeader(MAINNET_100000[0] ?? '')).toEqual({
      hash: '000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506',
      version: 1,
      previousHash: '000000000002d01c1fccc21636b607dfd930d31d01c3a62104612a1719011250',
      merkleRoot: 'f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766',
      time: 1293623863,
      bits: 0x1b04864c,
      nonce: 274148111,
    })
    expect(() => parseHeader('00'.repeat(79))).toThrow('A block header has 80 bytes.')
  })

  it('needs proof of work', () => {
    const [raw = ''] = MAINNET_100000
    expect(checkProofOfWork(parseHeader(raw), BITCOIN_NETWORKS.mainnet)).toBe(decodeTarget(0x1b04864c))
    const otherNonce = `${raw.slice(0, -8)}00000000`
    expect(() => checkProofOfWork(parseHeader(otherNonce), BITCOIN_NETWORKS.mainnet)).toThrow(
      expect.objectContaining({ code: 'no_proof_of_work' }),
    )
    expect(() => checkProofOfWork(parseHeader(mine(REGTEST_GENESIS)), BITCOIN_NETWORKS.mainnet)).toThrow(
      expect.objectContaining({ code: 'bad_target' }),
    )
  })
})

describe('following headers', () => {
  it('begins at a checkpoint of each network', () => {
    expect(getBuiltInStart('regtest').hash).toBe(
      '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    )
    expect(getBuiltInStart('mainnet')).toMatchObject({
      height: 878_976,
      hash: '00000000000000000002819359a9af460f342404bec23e7478512a619584083b',
    })
    for (const network of ['mainnet', 'regtest'] as const) {
      for (const checkpoint of getBitcoinNetwork(network).checkpoints) {
        expect(startAtCheckpoint(checkpoint, network).height).toBe(checkpoint.height)
      }
    }
    expect(
      startAtCheckpoint(
        { height: 0, header: getBitcoinNetwork('mainnet').checkpoints[0]?.header ?? '' },
        'mainnet',
      ).hash,
    ).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
    expect(() => getBitcoinNetwork('toString')).toThrow(expect.objectContaining({ code: 'unknown_network' }))
  })

  it('refuses a checkpoint within a period or without work', () => {
    const header = MAINNET_100000[0] ?? ''
    for (const checkpoint of [
      { height: 100_000, header },
      { height: -2016, header },
      { height: 0.5, header },
    ]) {
      expect(() => startAtCheckpoint(checkpoint, 'mainnet')).toThrow(
        expect.objectContaining({ code: 'bad_checkpoint' }),
      )
    }
    expect(() => startAtCheckpoint({ height: 2016, header: REGTEST_GENESIS }, 'mainnet')).toThrow(
      expect.objectContaining({ code: 'bad_target' }),
    )
  })

  it('checks the first blocks of mainnet and adds up their work', () => {
    const start = startAtCheckpoint(
      getBitcoinNetwork('mainnet').checkpoints[0] ?? { height: 0, header: '' },
      'mainnet',
    )
    const tip = extendChain(start, MAINNET_1)
    expect(tip).toMatchObject({
      height: 2,
      hash: '000000006a625f06636b8bb6ac7b960a8d03705d1ace08b1a19da3fdcc99ddbd',
      work: (2n * 0x100010001n).toString(16).padStart(64, '0'),
      times: [1231006505, 1231469665, 1231469744],
    })
    expect(JSON.parse(JSON.stringify(tip))).toEqual(tip)
  })

  it('expects the difficulty that the period gives: block 32,256 of mainnet', () => {
    const state: ChainState = {
      network: 'mainnet',
      height: 32_255,
      hash: '00000000984f962134a7291e3693075ae03e521f0ee33378ec30a334d860034b',
      bits: 0x1d00ffff,
      periodStart: 1261130161,
      times: [1262152739],
      work: '0'.repeat(64),
    }
    expect(extendChain(state, [MAINNET_32256])).toMatchObject({
      height: 32_256,
      bits: 0x1d00d86a,
      periodStart: 1262153464,
    })
    for (const other of [
      { ...state, periodStart: state.periodStart - 1000 },
      { ...state, height: 32_254 },
    ]) {
      expect(() => extendChain(other, [MAINNET_32256])).toThrow(
        expect.objectContaining({ code: 'wrong_difficulty' }),
      )
    }
  })

  it('never changes difficulty on regtest, also where mainnet would', () => {
    const tip = extendChain(genesis, mineMany(REGTEST_GENESIS, 2020))
    expect(tip).toMatchObject({ height: 2020, bits: 0x207fffff })
    expect(tip.times).toHaveLength(11)
    expect(BigInt(`0x${tip.work}`)).toBe(2020n * computeWork(decodeTarget(0x207fffff)))
    const harder = mine(REGTEST_GENESIS, { bits: 0x207ffffe })
    expect(() => extendChain(genesis, [harder])).toThrow(
      expect.objectContaining({ code: 'wrong_difficulty' }),
    )
  })

  it('gives the same state in one go and in pieces', () => {
    const headers = mineMany(REGTEST_GENESIS, 30)
    expect(extendChain(extendChain(genesis, headers.slice(0, 13)), headers.slice(13))).toEqual(
      extendChain(genesis, headers),
    )
  })

  it('refuses a gap, a header twice and a changed header', () => {
    const headers = mineMany(REGTEST_GENESIS, 3)
    const [first = '', second = '', third = ''] = headers
    for (const wrong of [[first, third], [first, first], [second]]) {
      expect(() => extendChain(genesis, wrong)).toThrow(expect.objectContaining({ code: 'not_linked' }))
    }
    expect(() => extendChain(genesis, [`${first.slice(0, 72)}ff${first.slice(74)}`, second, third])).toThrow(
      expect.objectContaining({ name: 'ChainError' }),
    )
  })

  it('refuses a time before the median of 11 blocks, and one in the future', () => {
    const headers = mineMany(REGTEST_GENESIS, 20)
    const tip = extendChain(genesis, headers)
    const median = tip.times[5] ?? 0
    const last = headers.at(-1) ?? ''
    expect(() => extendChain(tip, [mine(last, { time: median })])).toThrow(
      expect.objectContaining({ code: 'time_too_early' }),
    )
    const earliest = mine(last, { time: median + 1 })
    expect(extendChain(tip, [earliest]).height).toBe(21)
    expect(extendChain(tip, [earliest], { nowSeconds: median + 1 - 7200 }).height).toBe(21)
    expect(() => extendChain(tip, [earliest], { nowSeconds: median - 7200 })).toThrow(
      expect.objectContaining({ code: 'time_too_late' }),
    )
  })
})

describe('choosing between branches', () => {
  const common = mineMany(REGTEST_GENESIS, 5)
  const parent = common.at(-1) ?? ''
  const [ours, theirs] = [mineMany(parent, 3, 1), mineMany(parent, 4, 2)]
  const chain: RecentChain = { base: genesis, headers: [...common, ...ours] }

  it('extends the chain', () => {
    const more = mineMany(ours.at(-1) ?? '', 2)
    const choice = pickBranch(chain, more)
    expect(choice).toMatchObject({ forkHeight: 8, removed: [], tip: { height: 10 } })
    expect(choice.chain.headers).toEqual([...chain.headers, ...more])
    expect(choice.tip).toEqual(extendChain(genesis, choice.chain.headers))
  })

  it('changes to the branch with more work and says which blocks are gone', () => {
    const choice = pickBranch(chain, theirs)
    expect(choice).toMatchObject({ forkHeight: 5, tip: { height: 9 } })
    expect(choice.removed).toEqual(ours.map((header) => parseHeader(header).hash))
    expect(choice.chain.headers).toEqual([...common, ...theirs])
    expect(hasMoreWork(choice.tip, extendChain(genesis, chain.headers))).toBe(true)
  })

  it('finds the fork when the branch begins with known headers', () => {
    const choice = pickBranch(chain, [...common.slice(2), ...theirs])
    expect(choice).toMatchObject({ forkHeight: 5, removed: ours.map((header) => parseHeader(header).hash) })
    expect(choice.chain.headers).toEqual([...common, ...theirs])
  })

  it('stays at equal work, and with known or no headers', () => {
    for (const headers of [theirs.slice(0, 3), theirs.slice(0, 1), ours, []]) {
      expect(pickBranch(chain, headers)).toMatchObject({ chain, forkHeight: 8, removed: [] })
    }
  })

  it('refuses a branch that starts elsewhere or is invalid', () => {
    expect(() => pickBranch(chain, theirs.slice(1))).toThrow(
      expect.objectContaining({ code: 'unknown_parent' }),
    )
    expect(() => pickBranch(chain, [...theirs, theirs[0] ?? ''])).toThrow(
      expect.objectContaining({ code: 'not_linked' }),
    )
  })

  it('forgets old headers and goes on with the same tip', () => {
    const recent = takeRecent(chain, 4)
    expect(recent.base.height).toBe(4)
    expect(listHashes(recent)).toEqual(listHashes(chain).slice(4))
    expect(pickBranch(recent, theirs)).toMatchObject({
      forkHeight: 5,
      tip: pickBranch(chain, theirs).tip,
    })
    expect(takeRecent(chain, 100)).toEqual(chain)
  })
})
