import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../src/time.ts'
import {
  booksOf,
  dyingAt,
  followAs,
  newCreditor,
  newPeople,
  rememberedPrices,
} from '../../../test/support/days.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { checkAll } from '../../console/selfCheck/all.ts'
import { checkRecent } from '../../console/selfCheck/recent.ts'
import { type Database, openDatabase, runBatch } from '../../lib/database.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'
import { MissingCandles } from '../candles/read.ts'
import { type Broker, type BrokerFill, type BrokerOrder, type OrderState, PaperBroker } from './broker.ts'
import type { Prices } from './prices.ts'
import type { Pool } from './state.ts'
import type { Surroundings } from './step.ts'

// What can go wrong around a step: the run dies, bars are missing or change, the clock goes back, the broker misbehaves.

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const HELD: Definition = {
  ...{ kind: 'buy-and-hold', values: {}, assets: ['sim-index'] },
  ...{ costs: DEFAULT_COSTS, risk: {} },
}

const alarms = vi.spyOn(console, 'error')
beforeAll(newCreditor)
beforeEach(() => {
  alarms.mockReset().mockImplementation(() => undefined)
})
afterEach(() => {
  alarms.mockReset()
})

/** Days of a strategy with what its people do between them: `n` is ana (0) or ben (1), amounts are in cents, null is all. */
interface Story {
  readonly definition: Definition
  readonly first: number
  readonly parts: readonly Part[]
  readonly broker?: Surroundings['broker']
}
interface Part {
  /** Follows the days up to this one's first minutes. */
  readonly day: number
  readonly before?: readonly (readonly [n: 0 | 1, kind: 'allocate' | 'redeem', cents: number | null])[]
  readonly isSuspended?: boolean
}

/** Runs a scenario. If the run dies, `goOn` continues it. Returns whether it died. */
async function live(
  story: Story,
  slug: string,
  using: Database = db,
  goOn: (around: Pick<Surroundings, 'nowMs'>) => Promise<void> = (around) =>
    followAs({ ...around, ...brokerOf(story) }, slug),
) {
  const { definition, first, parts } = story
  await startPool(db, slug, definition, first - DAY_MS / 2)
  const people = await newPeople(`ana-of-${slug}`, `ben-of-${slug}`)
  let orders = 0
  let hasDied = false
  for (const { day, before = [], isSuspended } of parts) {
    for (const [n, kind, cents] of before) {
      const atMs = first + day * DAY_MS - 60_000 + orders
      await fileOrder(db, {
        ...{ id: `${slug}/${orders++}`, investor: people[n] ?? '', strategy: slug, kind, cents, atMs },
      })
    }
    if (isSuspended) {
      const event = { kind: 'suspended', reason: 'A look at it', actor: 'system' } as const
      const at = first + day * DAY_MS - 1
      await runBatch(db, [db.insert(strategyEvents).values({ strategy: slug, at, ...event })])
    }
    const around = { nowMs: first + day * DAY_MS + 5 * 60_000 }
    try {
      await followAs({ ...around, ...brokerOf(story), db: using }, slug)
    } catch (error) {
      expect(String(error)).toContain('killed')
      hasDied = true
      await goOn(around)
    }
  }
  return { hasDied, people }
}

function brokerOf({ broker }: Story): Partial<Surroundings> {
  return broker === undefined ? {} : { broker }
}

/** Runs a scenario undisturbed, and then once for each write, dying there. */
async function expectSameBooks(name: string, story: Story): Promise<string> {
  const { people } = await live(story, name)
  const undisturbed = await booksOf(name, people)
  for (let n = 1, hasDied = true; hasDied; n++) {
    const slug = `${name}-${n}`
    const life = await live(story, slug, dyingAt(n))
    hasDied = life.hasDied
    expect(await booksOf(slug, life.people)).toBe(undisturbed)
  }
  return undisturbed
}

const first = <Row>(query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .first<Row>()

/** Expects a strategy's last day to be done, with everything settled and no debt. */
async function expectInOrder(slug: string, day: number): Promise<void> {
  expect(await first('SELECT max(day) AS day FROM pool_steps WHERE strategy = ?', slug)).toEqual({ day })
  expect(
    await first("SELECT count(*) AS n FROM unit_orders WHERE strategy = ? AND status = 'pending'", slug),
  ).toEqual({
    n: 0,
  })
  expect(
    (await first<{ cash: number }>('SELECT cash FROM pools WHERE strategy = ?', slug))?.cash,
  ).toBeGreaterThanOrEqual(0)
}

/** How many sales covered a debt of the pool. */
async function countCovers(slug: string): Promise<number> {
  const covers = await first<{ n: number }>(
    "SELECT count(*) AS n FROM pool_orders WHERE strategy = ? AND side = 'sell' AND instr(id, ':cover') > 0",
    slug,
  )
  return covers?.n ?? 0
}

async function expectNothingFound(): Promise<void> {
  for (let checkpoint: string | null = null; checkpoint !== ''; ) {
    const checked: { findings: readonly string[]; checkpoint: string } = await checkAll(db, checkpoint)
    expect(checked.findings).toEqual([])
    checkpoint = checked.checkpoint
  }
}

describe('a run killed at any write ends with the same books', () => {
  test('in a month’s first days, with fees, a stop within a day and a suspension', async () => {
    // Bought on the 31st, stopped on the 2nd, bought again on the 3rd.
    const dip: Definition = {
      kind: 'mean-reversion',
      values: { rsi: 14, oversold: 30, bands: 20, width: 2, loss: 8 },
      assets: ['sim-dogwood'],
      costs: DEFAULT_COSTS,
      risk: {},
    }
    await setSetting('fees', { performanceBasisPoints: 2000, subscriptionMonthly: 100 })
    const books = await expectSameBooks('stopped', {
      definition: dip,
      first: Date.UTC(2025, 7, 30),
      parts: [
        { day: 0, before: [[0, 'allocate', 300_000]] },
        { day: 2, before: [[1, 'allocate', 80_033]] },
        { day: 4, before: [[0, 'redeem', 20_000]] },
        { day: 5, before: [[1, 'allocate', 5000]], isSuspended: true },
        { day: 6, before: [[0, 'redeem', null]] },
      ],
    })
    await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 0 })
    for (const part of [':exit:fill', ':subscription', '"suspended"', '"cancelled"'])
      expect(books).toContain(part)
  }, 200_000)

  test('a change of the fees during the day takes effect at the next open', async () => {
    const charged = { performanceBasisPoints: 2000, subscriptionMonthly: 300 }
    await setSetting('fees', charged)
    const story: Story = {
      definition: HELD,
      first: Date.UTC(2026, 7, 30),
      parts: [
        { day: 0, before: [[0, 'allocate', 300_000]] },
        { day: 1, before: [[1, 'allocate', 80_033]] },
        { day: 2, before: [[0, 'redeem', 20_000]] },
      ],
    }
    const { people } = await live(story, 'repriced')
    const undisturbed = await booksOf('repriced', people)
    expect(undisturbed).toContain(':subscription')
    for (let n = 1, hasDied = true; hasDied; n++) {
      const slug = `repriced-${n}`
      const life = await live(story, slug, dyingAt(n), async ({ nowMs }) => {
        const opened = await first(
          "SELECT day FROM valuations WHERE strategy = ? AND kind = 'open' AND day = ?",
          slug,
          nowMs - (nowMs % DAY_MS),
        )
        if (opened !== null)
          await setSetting('fees', { performanceBasisPoints: 2500, subscriptionMonthly: 1000 })
        await followAs({ nowMs }, slug)
        await setSetting('fees', charged)
      })
      hasDied = life.hasDied
      expect(await booksOf(slug, life.people)).toBe(undisturbed)
    }
    await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 0 })
  }, 200_000)

  test('on a day with equal flows, also if the pool is slightly off', async () => {
    // Each order leaves a small rest, too little to trade on a day without flows.
    const nearly = ({ definition }: Pool) => new Spoilt(definition.costs, (fill) => parted(fill, 0.9995))
    const books = await expectSameBooks('crossing', {
      definition: HELD,
      first: FIRST,
      broker: nearly,
      parts: [
        { day: 0, before: [[0, 'allocate', 800_000]] },
        {
          day: 1,
          before: [
            [1, 'allocate', 50_000],
            [0, 'redeem', 50_000],
          ],
        },
      ],
    })
    expect(books.match(/^pool_fills/gm)).toHaveLength(1)
  }, 200_000)
})

const COMING_AND_GOING: Story = {
  definition: {
    ...HELD,
    kind: 'rebalanced-basket',
    values: { invested: 90, band: 5 },
    assets: ['sim-alder', 'sim-flint'],
  },
  first: FIRST,
  parts: [
    {
      day: 0,
      before: [
        [0, 'allocate', 300_000],
        [1, 'allocate', 100_000],
      ],
    },
    { day: 2, before: [[0, 'redeem', 250_000]] },
    { day: 3, before: [[1, 'allocate', 400_000]] },
  ],
}

describe('bars', () => {
  test('missing bars stop a day in the middle, and it continues once they are back', async () => {
    const { people } = await live(COMING_AND_GOING, 'whole-bars')
    const undisturbed = await booksOf('whole-bars', people)
    const lacking: Prices = {
      ...rememberedPrices,
      days: async () => {
        throw new MissingCandles('sim-flint: 2000 of 2001 days')
      },
    }
    // Within the first day, after its prices were fixed; and within the third, after it traded.
    for (const n of [3, 14]) {
      const slug = `lacking-${n}`
      const life = await live(COMING_AND_GOING, slug, dyingAt(n), async ({ nowMs }) => {
        const before = await booksOf(slug, [])
        for (const later of [0, 60_000])
          await expect(followAs({ nowMs: nowMs + later, prices: lacking }, slug)).rejects.toThrow(
            'E_CANDLES_MISSING',
          )
        expect(await booksOf(slug, [])).toBe(before)
        await followAs({ nowMs }, slug)
      })
      expect(life.hasDied).toBe(true)
      expect(await booksOf(slug, life.people)).toBe(undisturbed)
    }
  })

  test.each([1.3, 0.7])(
    'changed prices after a day was opened (%s times) leave everybody paid and nothing bought on credit',
    async (times) => {
      let lives = 0
      for (let n = 1, hasDied = true; hasDied; n += 2) {
        const slug = `told-${times * 10}-${n}`
        const life = await live(COMING_AND_GOING, slug, dyingAt(n), ({ nowMs }) =>
          followAs({ nowMs, prices: openedAt(nowMs, times) }, slug),
        )
        hasDied = life.hasDied
        lives++
        await expectInOrder(slug, FIRST + 3 * DAY_MS)
        // Dearer coins: less is bought, so no debt has to be covered.
        if (times > 1) expect(await countCovers(slug)).toBe(0)
      }
      expect(lives).toBeGreaterThan(8)
      await expectNothingFound()
    },
    200_000,
  )
})

test('a clock set back changes nothing, and due work is done when it is right again', async () => {
  const { people } = await live(COMING_AND_GOING, 'right-clock')
  const undisturbed = await booksOf('right-clock', people)
  const slug = 'wrong-clock'
  let times = 0
  const life = await live(COMING_AND_GOING, slug, dyingAt(5), async ({ nowMs }) => {
    const before = await booksOf(slug, [])
    for (const back of [DAY_MS / 2, DAY_MS, 30 * DAY_MS, 3000 * DAY_MS]) {
      times++
      await followAs({ nowMs: nowMs - back }, slug)
    }
    expect(await booksOf(slug, [])).toBe(before)
    await followAs({ nowMs }, slug)
  })
  expect(times).toBe(4)
  expect(await booksOf(slug, life.people)).toBe(undisturbed)
})

describe('a broker', () => {
  test('that takes and gives less than it should leaves a day that ends, and an alarm', async () => {
    const worse = ({ definition }: Pool) =>
      new Spoilt(definition.costs, (fill, { side }) => {
        const value = Math.round(fill.value * (side === 'buy' ? 1.05 : 0.95))
        return { ...fill, value }
      })
    await live({ ...COMING_AND_GOING, definition: HELD, broker: worse }, 'worse')
    await expectInOrder('worse', FIRST + 3 * DAY_MS)
    await expectNothingFound()
    expect(await countCovers('worse')).toBeGreaterThan(1)
    expect(alarms).toHaveBeenCalledWith(
      expect.stringMatching(/"level":"alarm","strategy":"worse".*"cover":1/),
    )
    expect(
      (await first<{ cash: number }>("SELECT cash FROM pools WHERE strategy = 'worse'"))?.cash,
    ).toBeGreaterThan(0)
  })

  test('a broker that refuses a sale is reported until it sells, redemptions are settled, and then the day ends', async () => {
    const slug = 'refusing'
    const story = { ...COMING_AND_GOING, parts: COMING_AND_GOING.parts.slice(0, 1) }
    const { people } = await live(story, slug)
    const nowMs = FIRST + 2 * DAY_MS + 60_000
    await followAs({ nowMs: nowMs - DAY_MS }, slug)
    await fileOrder(db, {
      ...{ investor: people[0] ?? '', strategy: slug, kind: 'redeem', cents: 250_000, atMs: nowMs - DAY_MS },
    })
    const closed = ({ definition }: Pool) =>
      new Spoilt(definition.costs, (fill, { side }) => (side === 'sell' ? null : fill))
    for (let minute = 0; minute < 2; minute++) {
      const failure = followAs({ nowMs: nowMs + minute * 60_000, broker: closed }, slug)
      await expect(failure).rejects.toThrow(/^E_POOL_OVERDRAWN refusing: -\d+ micro-USD/)
    }
    expect(alarms).toHaveBeenCalledWith(expect.stringContaining('"refused":"Not today"'))
    expect((await checkRecent(db, null, nowMs)).findings).toEqual([
      expect.stringMatching(/^Pool refusing owes its broker \d+ micro-USD, and its day cannot end$/),
    ])
    await followAs({ nowMs: nowMs + 120_000 }, slug)
    await expectInOrder(slug, FIRST + 2 * DAY_MS)
    expect((await checkRecent(db, null, nowMs)).findings).toEqual([])
  })

  test('a broker that pays nothing for sales is sold to three more times, and then the day waits for a person', async () => {
    const slug = 'unpaid'
    const unpaid = ({ definition }: Pool) =>
      new Spoilt(definition.costs, (fill, { side }) =>
        side === 'sell' ? { ...fill, value: 0, fee: 0 } : fill,
      )
    const joining = COMING_AND_GOING.parts.slice(0, 1)
    const { people } = await live({ ...COMING_AND_GOING, definition: HELD, parts: joining }, slug)
    const nowMs = FIRST + DAY_MS + 60_000
    await fileOrder(db, {
      ...{ investor: people[0] ?? '', strategy: slug, kind: 'redeem', cents: 10_000, atMs: nowMs - DAY_MS },
    })
    for (let minute = 0; minute < 2; minute++) {
      const failure = followAs({ nowMs: nowMs + minute * 60_000, broker: unpaid }, slug)
      await expect(failure).rejects.toThrow('E_POOL_OVERDRAWN unpaid')
      expect(await countCovers(slug)).toBe(3)
    }
    expect(await first('SELECT quantity > 0 AS isHeld FROM pool_holdings WHERE strategy = ?', slug)).toEqual({
      isHeld: 1,
    })
  })

  test('a broker with an unfinished order is asked about the same order until it is finished', async () => {
    const slug = 'waiting'
    const asked: string[] = []
    const slow = ({ definition }: Pool): Broker => ({
      async work(order) {
        asked.push(order.clientId)
        if (asked.length < 4) return { state: 'waiting' }
        return new PaperBroker(definition.costs).work(order)
      },
    })
    await live({ ...COMING_AND_GOING, broker: slow, parts: COMING_AND_GOING.parts.slice(0, 1) }, slug)
    const nowMs = FIRST + 10 * 60_000
    for (let minute = 0; minute < 3; minute++) await followAs({ nowMs, broker: slow }, slug)
    expect(asked).toEqual([...Array(4).fill('waiting:2026-08-04:sim-alder'), 'waiting:2026-08-04:sim-flint'])
    await expectInOrder(slug, FIRST)
  })
})

/** The paper broker with changed fills. Null refuses. */
class Spoilt implements Broker {
  readonly #paper: PaperBroker
  readonly #spoil: (fill: BrokerFill, order: BrokerOrder) => BrokerFill | null

  constructor(
    costs: Definition['costs'],
    spoil: (fill: BrokerFill, order: BrokerOrder) => BrokerFill | null,
  ) {
    this.#paper = new PaperBroker(costs)
    this.#spoil = spoil
  }

  async work(order: BrokerOrder): Promise<OrderState> {
    const state = await this.#paper.work(order)
    if (state.state !== 'filled') return state
    const fill = this.#spoil(state.fill, order)
    return fill === null ? { state: 'refused', reason: 'Not today' } : { state: 'filled', fill }
  }
}

function parted(fill: BrokerFill, share: number): BrokerFill {
  const of = (amount: number) => Math.floor(amount * share)
  return {
    ...fill,
    quantity: of(fill.quantity),
    value: of(fill.value),
    fee: of(fill.fee),
    slippage: of(fill.slippage),
  }
}

/** The simulated market with a day's open multiplied by this factor. */
function openedAt(nowMs: number, times: number): Prices {
  const day = Math.floor(nowMs / DAY_MS) * DAY_MS
  return {
    ...rememberedPrices,
    days: async (market, assets, until) => {
      const days = await rememberedPrices.days(market, assets, until)
      const bar = days.time.indexOf(day)
      const candles = days.candles.map((columns) => {
        const open = columns.open.with(bar, (columns.open[bar] ?? 0) * times)
        return { ...columns, open }
      })
      return { ...days, candles }
    },
  }
}
