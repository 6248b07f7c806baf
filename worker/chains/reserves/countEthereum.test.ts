import { afterEach, expect, test } from 'vitest'
import { type Observing, observe } from '../../../test/support/observing.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { countEthereum } from './countEthereum.ts'

// Servers that answer balances alone. The chain itself is not observed here.

const [ONE, OTHER] = ['https://one.example', 'https://two.example'] as const
const TOKENS = { usdt: `0x${'aa'.repeat(20)}`, usdc: `0x${'bb'.repeat(20)}` }
const WEI = 10n ** 18n

interface Asked {
  readonly server: string
  readonly questions: number
  readonly blocks: ReadonlySet<string>
}

let platform: Observing
afterEach(() => platform.close())

/** A platform with this many paid addresses. Each holds one ether, 2 USDT and 3 USDC. */
async function withPaid(addresses: number, answer = (_server: string, units: bigint) => units) {
  const asked: Asked[] = []
  platform = await observe({
    ethereum: [ONE, OTHER],
    tokens: `usdt:${TOKENS.usdt} usdc:${TOKENS.usdc}`,
    fetch: async (server, init) => {
      const questions = JSON.parse(String(init.body)) as {
        id: number
        method: string
        params: [string | { to: string }, string]
      }[]
      asked.push({
        server,
        questions: questions.length,
        blocks: new Set(questions.map(({ params }) => params[1])),
      })
      return Response.json(
        questions.map(({ id, method, params: [of] }) => {
          const token = typeof of === 'string' ? null : of.to
          const units = method === 'eth_getBalance' ? WEI : token === TOKENS.usdt ? 2_000_000n : 3_000_000n
          return { jsonrpc: '2.0', id, result: `0x${answer(server, units).toString(16)}` }
        }),
      )
    },
  })
  await platform.rows("INSERT INTO ethereum_positions VALUES ('finalised', 800, 'block')")
  const ana = await platform.investor()
  for (let position = 0; position < addresses; position++) {
    const address = `0x${String(position).padStart(40, '0')}`
    await platform.rows(
      `INSERT INTO deposit_addresses (id, wallet, position, address, script, investor, given_at, shown_at)
       VALUES (?1, 'ethereum', ?2, ?1, '', ?3, 1, 1)`,
      address,
      position,
      ana,
    )
    await platform.rows('UPDATE deposit_addresses SET paid_at = 1 WHERE address = ?', address)
  }
  return asked
}

const count = () => countEthereum(platform.env, platform.db, formatIsoDay(platform.now()), platform.now())
const reserves = () =>
  platform.rows<{ asset: string; units: number; height: number; block_hash: string }>(
    'SELECT asset, units, height, block_hash FROM reserves ORDER BY asset',
  )

test('many addresses are counted in pages, a minute each, all at one block', async () => {
  const asked = await withPaid(205)
  for (let run = 0; run < 3; run++) {
    await count()
    expect(await reserves()).toEqual([])
    // The chain goes on meanwhile.
    await platform.rows("UPDATE ethereum_positions SET height = height + 5, hash = 'later'")
  }
  await count()
  // With the treasury.
  const block = { height: 800, block_hash: 'block' }
  expect(await reserves()).toEqual([
    { asset: 'ethereum', units: 206_000_000_000, ...block },
    { asset: 'usdc', units: 206 * 3_000_000, ...block },
    { asset: 'usdt', units: 206 * 2_000_000, ...block },
  ])
  expect(asked.map(({ server, questions }) => [server, questions])).toEqual(
    [303, 300, 15].flatMap((questions) => [
      [ONE, questions],
      [OTHER, questions],
    ]),
  )
  for (const { blocks } of asked) expect([...blocks]).toEqual(['0x320'])
  await count()
  expect(asked).toHaveLength(6)
})

test('a full last page is followed by an empty one', async () => {
  const asked = await withPaid(100)
  for (let run = 0; run < 3; run++) await count()
  expect((await reserves()).map(({ asset, units }) => [asset, units])).toContainEqual([
    'usdc',
    101 * 3_000_000,
  ])
  expect(asked).toHaveLength(2)
})

test('servers that differ count nothing, and an old count begins again', async () => {
  await withPaid(1, (server, units) => (server === ONE ? units : units + 10n ** 10n))
  await count()
  await expect(count()).rejects.toThrow('disagrees with the other server about balances')
  platform.pass(13 * 60_000)
  await expect(count()).rejects.toThrow('disagrees')
  expect(await platform.rows('SELECT day FROM reserve_counts')).toEqual([])
  expect(await reserves()).toEqual([])
})
