import { describe, expect, test } from 'vitest'
import type { RecordEntry, Strategy, StrategyDetail } from '../../../src/contract/investing/strategies.ts'
import { hashDefinition } from '../../../src/contract/investing/strategyRecord.ts'
import { cost } from '../../../test/support/cost.ts'
import { call } from '../../../test/support/http.ts'
import { closeDay, dayOf, newStrategy, settleDay, suspend } from '../../../test/support/pooled.ts'

const detailOf = (slug: string) => call<StrategyDetail>('GET', `/strategies/${slug}`)
const dayName = (number: number) => new Date(dayOf(number)).toISOString().slice(0, 10)

describe('the public figures of strategies', () => {
  test('are open to everybody: rules, risk, costs, minimum, and the record since the start', async () => {
    const slug = await newStrategy('slow-trend')
    for (const [number, close] of [
      [1, 110],
      [2, 88],
      [3, 99],
    ] as const) {
      await settleDay(slug, number, 100)
      await closeDay(slug, number, close)
    }
    const { status, body } = await detailOf(slug)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      slug,
      kind: 'sma-trend',
      minimum: 10,
      simulated: true,
      status: 'active',
      reason: null,
      costs: { feeBasisPoints: 25, slippageBasisPoints: 10 },
      risk: { maximumDrawdown: 0.5 },
      unitPrice: 99,
      live: {
        from: dayName(1),
        to: dayName(3),
        days: 3,
        totalReturn: -0.01,
        // No day is explained.
        testReturn: null,
        maximumDrawdown: 0.2,
        band: null,
      },
    })
    expect(body.parameters.map(({ name, value }) => [name, value])).toEqual([
      ['fast', 50],
      ['slow', 200],
    ])
    expect(body.assets).toEqual([
      { _id: 'sim-index', name: 'Index of Four Coins', class: 'index', simulated: true },
    ])
    expect(body.prices.map(({ day, unitPrice, late }) => [day, unitPrice, late])).toEqual([
      [dayName(1), 110, false],
      [dayName(2), 88, false],
      [dayName(3), 99, false],
    ])
    expect(await hashDefinition(body.definition)).toBe(body.hash)
    expect(body.band).toBeNull()
    // Test figures only appear for exactly this definition and name.
    expect(body.backtest).toBeNull()
  })

  test('say since when and why a strategy takes no new money', async () => {
    const slug = await newStrategy()
    await suspend(slug, 'It fell too far.')
    const { body } = await call<Strategy[]>('GET', '/strategies')
    expect(body.find((each) => each.slug === slug)).toMatchObject({
      status: 'suspended',
      reason: 'It fell too far.',
      since: expect.any(String),
    })
  })

  test('public figures may be cached for a minute, and are not sent again unchanged', async () => {
    const first = await call('GET', '/strategies')
    expect(first.headers.get('Cache-Control')).toContain('max-age=60')
    // A public answer: a cookie in it would be shared, or would prevent caching.
    expect(first.headers.getSetCookie()).toEqual([])
    const tag = first.headers.get('ETag') ?? ''
    const again = await call('GET', '/strategies', { headers: { 'If-None-Match': tag } })
    expect([again.status, again.body]).toEqual([304, undefined])
  })

  test('have the chain of the record, newest first, in pages without a gap', async () => {
    const slug = await newStrategy()
    for (const number of [1, 2, 3]) {
      await settleDay(slug, number, 100 + number)
      await closeDay(slug, number, 100 + number)
    }
    const found: RecordEntry[] = []
    for (let path = `/strategies/${slug}/record?limit=4`; path !== ''; ) {
      const { body, headers } = await call<RecordEntry[]>('GET', path)
      found.push(...body)
      path = /<\/api\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
    }
    expect(found.map(({ day, kind }) => `${day} ${kind}`)).toEqual(
      [3, 2, 1].flatMap((number) => [`${dayName(number)} close`, `${dayName(number)} open`]),
    )
    for (const [n, { previous }] of found.entries())
      expect(previous).toBe(found[n + 1]?.hash ?? (await detailOf(slug)).body.hash)
    expect(found[0]).toMatchObject({ unitPrice: 103_000_000, return: 0 })
    expect(found[1]).toMatchObject({ unitPrice: 103_000_000, return: 0.00980392 })
    for (const entry of found)
      expect(Object.keys(entry).sort()).toEqual(
        [
          ...['_id', 'commitment', 'day', 'format', 'hash', 'kind', 'late', 'previous', 'recordedAt'],
          ...['return', 'strategy', 'unitPrice', 'weights'],
        ].sort(),
      )
  })

  test('public figures cost one row per shown close, and little more', async () => {
    const slug = await newStrategy()
    for (let number = 1; number <= 40; number++) {
      await settleDay(slug, number, 100)
      await closeDay(slug, number, 100)
    }
    const { counted, status } = await cost('GET', `/strategies/${slug}`, { token: 'nobody' })
    expect([status, counted.trips]).toEqual([200, 1])
    expect(counted.rowsRead).toBeLessThan(40 + 20)
    const record = await cost('GET', `/strategies/${slug}/record?limit=10`, { token: 'nobody' })
    expect(record.counted.rowsRead).toBeLessThan(10 + 20)
    const fills = await cost('GET', `/strategies/${slug}/fills?limit=100`, { token: 'nobody' })
    expect(fills.counted.rowsRead).toBeLessThan(10)
  })

  test('any wrong query is refused with a message, and never fails', async () => {
    const slug = await newStrategy()
    const odd = [
      '%00',
      '%F0%9F%90%99',
      '..%2F..',
      'x'.repeat(4000),
      '%25',
      '-',
      '__proto__',
      'constructor',
      slug.toUpperCase(),
    ]
    for (const name of odd)
      for (const path of ['', '/record', '/fills'])
        expect((await call('GET', `/strategies/${name}${path}`)).status, `${name}${path}`).toBe(404)
    const queries = [
      'limit=101',
      'limit=-1',
      'limit=1e2',
      'limit=%00',
      'limit=',
      'cursor=%00',
      'cursor=zzzzzzzzzz-zzzzzzzzzzz-0',
      'limit[]=1&limit=2',
    ]
    for (const query of queries)
      for (const path of ['record', 'fills'])
        expect([200, 422], `${path}?${query}`).toContain(
          (await call('GET', `/strategies/${slug}/${path}?${query}`)).status,
        )
  })

  test('are 404 for an unknown strategy', async () => {
    for (const path of ['/strategies/none', '/strategies/none/record', '/strategies/%27%20OR%201=1'])
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await call('GET', '/strategies/none/record?limit=0')).toMatchObject({ status: 422 })
  })
})
