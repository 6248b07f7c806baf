import { eq, sql } from 'drizzle-orm'
import type { Definition } from '../../../engine/definition.ts'
import type { Market } from '../../../engine/market/market.ts'
import { hashDefinition, toCanonicalJson } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { toCandles } from '../../../worker/investing/candles/columns.ts'
import { VenueBroker } from '../../../worker/investing/trading/broker.ts'
import type { Prices } from '../../../worker/investing/trading/prices.ts'
import { withOpened } from '../../../worker/investing/trading/prices.ts'
import { readPool, readProgress } from '../../../worker/investing/trading/state.ts'
import { findDuePhase, followDays } from '../../../worker/investing/trading/step.ts'
import { processAccount } from '../../../worker/investing/venueAccount/account.ts'
import { withCoinIds } from '../../../worker/investing/venueAccount/names.ts'
import { VenueClock } from '../../../worker/investing/venues/client.ts'
import { Coinbase } from '../../../worker/investing/venues/coinbase/coinbase.ts'
import { Kraken } from '../../../worker/investing/venues/kraken/kraken.ts'
import type { Venue } from '../../../worker/investing/venues/venue.ts'
import { takeIntoCustody } from '../../../worker/ledger/custody.ts'
import { credit } from '../../../worker/ledger/post.ts'
import { recordEvent } from '../../../worker/ledger/requestEvents.ts'
import { submitAllocation, submitRedemption } from '../../../worker/ledger/strategies.ts'
import { type Database, openDatabase, runBatch, type Statement } from '../../../worker/lib/database.ts'
import { formatIsoDay } from '../../../worker/lib/days.ts'
import { setRuntime } from '../../../worker/lib/runtime.ts'
import { proposals } from '../../../worker/lib/tables/operators.ts'
import { strategies } from '../../../worker/lib/tables/strategies.ts'
import {
  poolCovers,
  tradingStops,
  venueStrategies,
  venueTransfers,
} from '../../../worker/lib/tables/venues.ts'
import { fileDeposit, liftCeilings, person } from '../../support/ledger/records.ts'
import { txid } from '../../support/ledger/txid.ts'
import { amountNear, fixed } from '../../venues/decimal.ts'
import { type Fault, faultsOf } from '../../venues/faults.ts'
import { createVenue, type Venue as Server } from '../../venues/venue.ts'
import { type Chance, chanceOf } from '../lane/chance.ts'
import { answerAtOnce } from '../lane/crypto.ts'
import { imageOf, openSqlite, type SimulatedDatabase } from '../lane/sqlite.ts'

export type FaultLevel = 'none' | 'storm'

export type Watch = (database: SimulatedDatabase, nowMs: number) => Promise<void>

/** One seed: a strategy that trades at one exchange for some days, with investors who come and go, and failures everywhere. */
export interface VenueOutcome {
  readonly seed: number
  readonly venue: 'kraken' | 'coinbase'
  readonly ticks: number
  /** Runs of the Worker that were killed between two awaits. */
  readonly kills: number
  readonly orders: number
  readonly fills: number
  /** Orders whose answer was lost and that the exchange never had. */
  readonly absent: number
  /** Debts of the pool that the company paid. */
  readonly covers: number
  readonly faults: Readonly<Record<Fault, number>>
  /** Somebody else traded with the account. */
  readonly isDisturbed: boolean
  readonly isSuspended: boolean
  /** The broken rule; null if all were kept. */
  readonly broken: string | null
}

const MINUTE_MS = 60_000
const FIRST = Date.UTC(2026, 2, 2)
const HISTORY_DAYS = 40
const DAYS = 2
const SLUG = 'basket'
const ASSETS = ['bitcoin', 'ethereum'] as const
const SYMBOLS = { bitcoin: 'BTC/USD', ethereum: 'ETH/USD' } as const
/** What the exchange gives each account. */
const OPENING = { usd: 100_000, bitcoin: 1, ethereum: 10 } as const
const PARTS = 100_000_000
const BASE = 'http://venue.test'

const BASKET: Definition = {
  kind: 'rebalanced-basket',
  values: { invested: 80, band: 5 },
  assets: ASSETS,
  costs: { feeBasisPoints: 120, slippageBasisPoints: 10 },
  risk: {},
}

/** A migrated database. Every seed begins with a copy. */
let image: Uint8Array | null = null

/** The Worker was killed between two awaits. */
class Killed extends Error {}

/** @param watch is called after each run of the Worker */
export async function playVenue(
  seed: number,
  level: FaultLevel,
  watch: Watch = async () => {},
): Promise<VenueOutcome> {
  const chance = chanceOf('venues', seed)
  let nowMs = FIRST - 2 * 3_600_000
  const name = seed % 2 === 0 ? 'kraken' : 'coinbase'
  const server = createVenue(name, {
    seed,
    faults: level === 'none' ? [] : faultsOf('storm'),
    likelihood: chance.pick([0.02, 0.05, 0.15]),
    clock: () => nowMs,
    chance: () => chance.share(),
    // Waiting for a rate limit would pass hours.
    hasLimits: false,
  })
  /** Awaits until the Worker is killed. */
  let left = Number.POSITIVE_INFINITY
  const passing = async <T>(act: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Killed()
    left--
    if (left === 0 && chance.is(0.5)) throw new Killed()
    const result = await act()
    if (left === 0) throw new Killed()
    return result
  }
  const restore = setRuntime({
    now: () => nowMs,
    fill: (bytes) => chance.fill(bytes),
    wait: async (ms) => {
      nowMs += ms
    },
    timeout: () => new AbortController().signal,
    fetch: (address, init) =>
      passing(async () => {
        nowMs += chance.whole(20, 400)
        return await server.fetch(new Request(address, { ...init, signal: null }))
      }),
  })
  const answerLater = answerAtOnce()
  image ??= imageOf(nowMs)
  const database = openSqlite({ now: () => nowMs, chance: () => chance }, () => {}, image)
  const db = openDatabase(database.bind((_queries, execute) => passing(execute)))
  try {
    const run = new Run({
      seed,
      chance,
      server,
      database,
      db,
      level,
      watch,
      pass: (ms) => (nowMs += ms),
      now: () => nowMs,
    })
    return await run.play((awaits) => {
      left = awaits
    })
  } finally {
    restore()
    answerLater()
    database.close()
  }
}

interface Scene {
  readonly seed: number
  readonly chance: Chance
  readonly server: Server
  readonly database: SimulatedDatabase
  readonly db: Database
  readonly level: FaultLevel
  readonly watch: Watch
  readonly pass: (ms: number) => void
  readonly now: () => number
}

class Run {
  readonly #at: Scene
  #ticks = 0
  #kills = 0
  /** Comparisons since somebody else's trade was visible. */
  #disturbedAt: number | null = null
  #limit: (awaits: number) => void = () => undefined

  constructor(at: Scene) {
    this.#at = at
  }

  async play(limit: (awaits: number) => void): Promise<VenueOutcome> {
    this.#limit = limit
    const { chance, server } = this.#at
    await this.#prepare()
    const disturbance = this.#at.level === 'storm' && chance.is(0.1) ? chance.whole(1, DAYS * 8) : null
    for (let day = 0; day < DAYS; day++) {
      this.#passTo(FIRST + day * DAY_MS + chance.whole(1, 240) * 1000)
      for (let minute = 0; minute < 8; minute++) {
        if (disturbance === day * 8 + minute) await this.#disturb()
        await this.#tick(true)
        this.#at.pass(chance.whole(20, 70) * 1000)
        const broken = await this.#firstBroken(false)
        if (broken !== null) return await this.#outcome(broken)
      }
      // Then less often, until the day is done.
      for (let turn = 0; turn < 12 && !(await this.#isQuiet()); turn++) {
        await this.#tick(true)
        this.#at.pass(5 * MINUTE_MS)
      }
      if (day + 1 < DAYS) await this.#order(FIRST + (day + 1) * DAY_MS - 3_600_000)
    }
    server.setFaults([])
    // Everything becomes visible, and whatever was lost is absent for sure. The next tick may send the rest, which must end too.
    for (let turn = 0; turn < 60; turn++) {
      await this.#cover()
      this.#at.pass(turn < 2 ? 35 * MINUTE_MS : MINUTE_MS)
      await this.#tick(false)
      if (turn >= 4 && (await this.#isQuiet())) break
    }
    for (let turn = 0; turn < 2; turn++) {
      this.#at.pass(MINUTE_MS)
      await this.#tick(false)
    }
    return await this.#outcome(await this.#firstBroken(true))
  }

  /** A minute's cron: the strategy's day, then the account. It may be killed anywhere, and another instance may do the same. */
  async #tick(mayFail: boolean): Promise<void> {
    const { chance, database, now, watch } = this.#at
    this.#ticks++
    await this.#priceNow(!mayFail || chance.is(0.95))
    const isKilled = mayFail && chance.is(this.#at.level === 'storm' ? 0.4 : 0)
    this.#limit(isKilled ? chance.whole(1, 30) : Number.POSITIVE_INFINITY)
    const works = mayFail && chance.is(0.1) ? [this.#work(), this.#work()] : [this.#work()]
    const results = await Promise.allSettled(works)
    this.#limit(Number.POSITIVE_INFINITY)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      if (result.reason instanceof Killed) this.#kills++
      else if (!mayFail && !isExpected(result.reason)) throw result.reason
    }
    await watch(database, now())
  }

  async #work(): Promise<void> {
    const { db, now } = this.#at
    const progress = (await readProgress(db)).find(({ slug }) => slug === SLUG)
    if (progress !== undefined && findDuePhase(progress, now()) !== null)
      for await (const _ of followDays(
        { db, prices: this.#prices(), nowMs: now(), broker: () => new VenueBroker(db) },
        SLUG,
      ));
    await processAccount({ db, venue: this.#client(), now })
  }

  #known: Venue | null = null

  #client(): Venue {
    const { server } = this.#at
    const access = { base: BASE, ...server.credentials, clock: new VenueClock() }
    this.#known ??= withCoinIds(server.name === 'kraken' ? new Kraken(access) : new Coinbase(access))
    return this.#known
  }

  async #prepare(): Promise<void> {
    const { db, chance, now } = this.#at
    await runBatch(
      db,
      ['olu', 'pia'].flatMap((id) => person(db, id, 'operator')),
    )
    await runBatch(db, [
      ...liftCeilings(db, 'olu', 'pia'),
      ...['ana', 'ben'].flatMap((id) => person(db, id, 'investor')),
    ])
    for (const investor of ['ana', 'ben'])
      for (let n = 0; n < 3; n++) await this.#deposit(`${investor}-${n}`, investor, n)
    const startedAt = now()
    await runBatch(db, [
      db.insert(strategies).values({
        slug: SLUG,
        definition: toCanonicalJson(BASKET),
        hash: await hashDefinition(BASKET),
        market: this.#at.server.name,
        minimum: 1000,
        startedAt,
        band: null,
      }),
    ])
    const venue = this.#at.server.name
    await runBatch(db, [
      ...decided(db, 'trade', { action: 'trade', strategy: SLUG, venue }, startedAt),
      db.insert(venueStrategies).values({ strategy: SLUG, venue, since: startedAt, proposal: 'trade' }),
      ...Object.entries(OPENING).flatMap(([asset, quantity]) => [
        ...decided(db, asset, { action: 'transfer', venue, asset, quantity: quantity * PARTS }, startedAt),
        db
          .insert(venueTransfers)
          .values({ venue, asset, quantity: quantity * PARTS, at: startedAt, proposal: asset }),
      ]),
    ])
    await this.#order(now())
    void chance
  }

  async #deposit(id: string, investor: string, daysAgo: number): Promise<void> {
    const { db, now } = this.#at
    const deposit = { id, investor, amountCents: 450_000, atMs: now() - (10 - 2 * daysAgo) * DAY_MS }
    await runBatch(db, [
      ...fileDeposit(db, deposit),
      recordEvent(db, {
        ...deposit,
        request: id,
        status: 'approved',
        actor: 'olu',
        reference: txid(id),
        arrived: { units: 1n, unitsAtRate: 1n },
      }),
      credit(db, deposit, { actor: 'olu', nowMs: deposit.atMs }),
      takeIntoCustody({ request: id, asset: 'usdt', units: 1n, nowMs: deposit.atMs }),
    ])
  }

  /** Investors file orders for the next day. */
  async #order(atMs: number): Promise<void> {
    const { db, chance } = this.#at
    for (const investor of ['ana', 'ben']) {
      const id = `${investor}-${atMs}`
      const asked = { id, ref: `ORD-${investor.toUpperCase()}${atMs}`, investor, strategy: SLUG, atMs }
      const [position] = await this.#at.database.rows<{ units: number }>(
        'SELECT units FROM positions WHERE investor = ?',
        investor,
      )
      const leaves = position !== undefined && position.units > 0 && chance.is(0.5)
      const cents = leaves && chance.is(0.4) ? null : chance.whole(20_000, 300_000)
      await runBatch(db, [
        leaves
          ? submitRedemption(db, { ...asked, cents, onward: null })
          : submitAllocation(db, { ...asked, cents: cents ?? 0 }),
      ]).catch(() => undefined)
    }
    if (chance.is(0.05))
      await runBatch(db, [
        db.insert(tradingStops).values({ scope: 'all', at: atMs, actor: 'olu', reason: 'A test' }),
        ...decided(db, `resume-${atMs}`, { action: 'resume', scope: 'all' }, atMs),
        sql`UPDATE trading_stops SET lifted_by = ${`resume-${atMs}`}, lifted_at = ${atMs} WHERE lifted_at IS NULL`,
      ])
  }

  /** Two operators pay a pool's debt that its own holdings cannot pay. */
  async #cover(): Promise<void> {
    const { db, database, now } = this.#at
    const [pool] = await database.rows<{ cash: number }>(`
      SELECT p.cash FROM pools p WHERE p.cash < 0 AND NOT EXISTS (
        SELECT 1 FROM pool_orders o WHERE NOT EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = o.id))
        AND NOT EXISTS (SELECT 1 FROM unit_orders WHERE status = 'pending' AND created_at < ${Math.floor(now() / DAY_MS) * DAY_MS})`)
    if (pool === undefined || this.#ticks < 30) return
    this.#covers++
    const id = `cover-${this.#ticks}`
    await runBatch(db, [
      ...decided(db, id, { action: 'cover', strategy: SLUG }, now()),
      db.insert(poolCovers).values({ proposal: id, strategy: SLUG, cash: -pool.cash, at: now() }),
    ])
  }

  #covers = 0

  /** Somebody trades with the account by other means. */
  async #disturb(): Promise<void> {
    const { server, now } = this.#at
    server.setFaults([])
    await this.#client().time()
    const { bid } = await this.#client().book('bitcoin')
    await this.#client().submit({
      clientId: '00000000-0000-4000-8000-000000000001',
      asset: 'bitcoin',
      side: 'sell',
      quantity: PARTS / 100,
      limitPrice: Math.floor((bid ?? 0) / 1e9 / 2) * 1e9,
      expiresAt: now() + MINUTE_MS,
    })
    server.setFaults(faultsOf('storm'))
    this.#disturbedAt = this.#ticks
  }

  async #priceNow(isFresh: boolean): Promise<void> {
    const { database, server, now } = this.#at
    if (!isFresh) return
    const day = Math.floor(now() / DAY_MS) * DAY_MS
    await database.execute(
      ASSETS.map((asset) => {
        const open = this.#open(asset, day)
        const last = this.#mid(asset, now())
        return `INSERT INTO current_candles (market, asset, day, open, last, at)
          VALUES ('${server.name}', '${asset}', ${day}, ${open}, ${last}, ${now()})
          ON CONFLICT (market, asset) DO UPDATE SET day = excluded.day, open = excluded.open, last = excluded.last, at = excluded.at`
      }),
    )
  }

  #mid(asset: (typeof ASSETS)[number], at: number): number {
    const { server } = this.#at
    const pair = server.exchange.pair(SYMBOLS[asset])
    if (pair === undefined) throw new Error(`no pair ${asset}`)
    return Number(fixed(amountNear(server.exchange.prices.mid(pair, at), 9), 9))
  }

  /** Prices at 00:00 UTC, which every run of the Worker reads again. */
  readonly #daily = new Map<string, number>()

  #open(asset: (typeof ASSETS)[number], day: number): number {
    const name = `${asset} ${day}`
    const known = this.#daily.get(name)
    if (known !== undefined) return known
    const price = this.#mid(asset, day)
    this.#daily.set(name, price)
    return price
  }

  #prices(): Prices {
    return {
      days: async (_market, _assets, nowMs) => {
        const today = Math.floor(nowMs / DAY_MS) * DAY_MS
        const first = FIRST - HISTORY_DAYS * DAY_MS
        const count = (today - first) / DAY_MS
        const candles = ASSETS.map((asset) =>
          toCandles(
            Array.from({ length: count }, (_, index) => {
              const day = first + index * DAY_MS
              const [open, close] = [this.#open(asset, day), this.#open(asset, day + DAY_MS)]
              return { day, open, close, high: Math.max(open, close), low: Math.min(open, close), volume: 1 }
            }),
          ),
        )
        const closed: Market = {
          assets: [...ASSETS],
          intervalMs: DAY_MS,
          time: candles[0]?.time ?? new Float64Array(),
          candles,
        }
        return withOpened(
          closed,
          today,
          Float64Array.from(ASSETS, (asset) => this.#open(asset, today)),
        )
      },
      now: async () => null,
    }
  }

  #passTo(at: number): void {
    this.#at.pass(Math.max(0, at - this.#at.now()))
  }

  /** Nothing waits for the exchange. */
  async #isQuiet(): Promise<boolean> {
    const { database, db, now } = this.#at
    const [row] = await database.rows<{ n: number }>(`
      SELECT (SELECT count(*) FROM venue_orders WHERE state IN ('sending', 'open'))
        + (SELECT count(*) FROM pool_orders o WHERE NOT EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = o.id)) AS n`)
    const pool = await readPool(db, SLUG)
    return row?.n === 0 && findDuePhase(pool, now()) === null
  }

  async #firstBroken(isEnd: boolean): Promise<string | null> {
    const { database, server } = this.#at
    const account = accountOf(server)
    const sent = await database.rows<{ id: string; poolOrder: string; quantity: number; ordered: number }>(`
      SELECT w.id, w.pool_order AS poolOrder, w.quantity, o.quantity AS ordered
      FROM venue_orders w JOIN pool_orders o ON o.id = w.pool_order`)
    const ours = new Map(sent.map((order) => [order.id, order]))
    const executed = new Map<string, number>()
    // What a fee in coins took of a purchase never arrived, and is bought again.
    const feesInCoins = new Map<string, number>()
    for (const { tradeId, asset, fee } of account.entries)
      if (asset !== CODES.usd) feesInCoins.set(tradeId, Number((fee + 99_999_999n) / 100_000_000n))
    const seen = new Set<string>()
    for (const order of account.orders) {
      const mine = ours.get(order.clientId ?? '')
      if (mine === undefined) continue
      if (seen.has(mine.id)) return `the order ${mine.id} is twice at the exchange`
      seen.add(mine.id)
      const fees =
        order.side === 'buy' ? order.trades.reduce((sum, { id }) => sum + (feesInCoins.get(id) ?? 0), 0) : 0
      const total = (executed.get(mine.poolOrder) ?? 0) + parts(order.filled) - fees
      executed.set(mine.poolOrder, total)
      if (total > mine.ordered) return `${total} of ${mine.ordered} were traded for ${mine.poolOrder}`
    }
    const fills = await database.rows<{ trade: string }>('SELECT trade FROM pool_fills')
    const booked = new Set(fills.map(({ trade }) => trade))
    const traded = account.trades.filter(({ order }) => ours.has(order.clientId ?? ''))
    for (const { trade } of fills)
      if (!traded.some(({ id }) => `${server.name}:${id}` === trade)) return `the fill ${trade} was invented`
    const [pool] = await database.rows<{ cash: number; status: string }>(
      'SELECT p.cash, s.status FROM pools p JOIN strategies s ON s.slug = p.strategy',
    )
    const isSuspended = pool?.status === 'suspended'
    if (this.#disturbedAt !== null && isEnd && !isSuspended)
      return 'a trade by somebody else did not suspend the strategy'
    if (this.#disturbedAt === null && isSuspended)
      return `suspended without a cause: ${await this.#finding()}`
    if (!isEnd) return null
    for (const { id } of traded)
      if (!booked.has(`${server.name}:${id}`)) return `the trade ${id} is not booked`
    if (!(await this.#isQuiet())) return 'the last day is not done'
    if (pool !== undefined && pool.cash < 0) return 'the pool owes money'
    const gap = await this.#unexplained()
    if (gap !== null) return gap
    if (this.#disturbedAt !== null) return null
    const balances = await database.rows<{ asset: string; quantity: number }>(
      'SELECT asset, quantity FROM venue_balances',
    )
    for (const { asset, quantity } of balances) {
      const actual = parts(account.balances.get(CODES[asset] ?? asset.toUpperCase()) ?? 0n)
      const rounding = asset === 'usd' ? traded.length : 0
      // Fees in coins are booked rounded up.
      if (actual - quantity < -rounding || actual - quantity > traded.length)
        return `the exchange holds ${actual} ${asset}, the books say ${quantity}`
    }
    // Fees of sales in coins are taken off the company's coins.
    const held = await database.rows<{ asset: string; quantity: number; fees: number }>(`
      SELECT asset, quantity, (SELECT coalesce(sum(f.venue_fee), 0) FROM pool_fills f
        JOIN pool_orders o ON o.id = f.pool_order WHERE o.asset = h.asset) AS fees
      FROM pool_holdings h`)
    for (const { asset, quantity, fees } of held) {
      const books = balances.find((each) => each.asset === asset)?.quantity ?? 0
      const opening = OPENING[asset as keyof typeof OPENING] * PARTS - fees
      if (books - opening !== quantity)
        return `the pool holds ${quantity} ${asset}, the exchange ${books - opening}`
    }
    return null
  }

  /** A closed day whose difference from its test has no cause, or other parts than a sum. */
  async #unexplained(): Promise<string | null> {
    const [row] = await this.#at.database.rows<{ day: number }>(`
      SELECT v.day FROM valuations v LEFT JOIN gaps g ON g.strategy = v.strategy AND g.day = v.day
      WHERE v.kind = 'close' AND (g.day IS NULL OR g.unexplained <> 0
        OR coalesce(g.pool ->> '$.parts.unexplained', 0) <> 0
        OR abs((g.pool ->> '$.difference') - (
          SELECT sum(value) FROM json_each(g.pool, '$.parts'))) > 1e-6 * (g.pool ->> '$.base'))`)
    return row === undefined ? null : `the day ${formatIsoDay(row.day)} is not explained`
  }

  async #finding(): Promise<string> {
    const [row] = await this.#at.database.rows<{ finding: string }>('SELECT finding FROM venue_checks')
    return row?.finding ?? ''
  }

  async #outcome(broken: string | null): Promise<VenueOutcome> {
    const { database, server, seed } = this.#at
    const [row] = await database.rows<{ orders: number; fills: number; absent: number; suspended: number }>(`
      SELECT (SELECT count(*) FROM venue_orders) AS orders, (SELECT count(*) FROM pool_fills) AS fills,
        (SELECT count(*) FROM venue_orders WHERE state = 'absent') AS absent,
        (SELECT count(*) FROM strategies WHERE status = 'suspended') AS suspended`)
    return {
      seed,
      venue: server.name,
      ticks: this.#ticks,
      kills: this.#kills,
      orders: row?.orders ?? 0,
      fills: row?.fills ?? 0,
      absent: row?.absent ?? 0,
      covers: this.#covers,
      faults: { ...server.exchange.faults.counts },
      isDisturbed: this.#disturbedAt !== null,
      isSuspended: row?.suspended === 1,
      broken,
    }
  }
}

const CODES: Readonly<Record<string, string>> = { usd: 'USD', bitcoin: 'BTC', ethereum: 'ETH' }

/** 10⁻¹⁶ as 10⁻⁸, rounded half up. */
function parts(amount: bigint): number {
  return Number((amount + 50_000_000n) / 100_000_000n)
}

function accountOf(server: Server) {
  const account = server.exchange.accounts[0]
  if (account === undefined) throw new Error('there is no account')
  return account
}

/** The database refused what another instance did already. */
function isExpected(error: unknown): boolean {
  return /already|once|conflict|UNIQUE|E_POOL_OVERDRAWN/.test(String(error))
}

function decided(db: Database, id: string, payload: object, atMs: number): Statement[] {
  return [
    db.insert(proposals).values({
      id,
      kind: 'venue',
      proposedBy: 'olu',
      createdAt: atMs,
      reason: 'A test',
      payload: JSON.stringify(payload),
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: 'pia', decidedAt: atMs })
      .where(eq(proposals.id, id)),
  ]
}
