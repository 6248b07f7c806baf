import { env } from 'cloudflare:workers'
import type { Market } from '../../engine/market/market.ts'
import { DAY_MS } from '../../src/time.ts'
import { simulatedPrices } from '../../worker/dev/seed/simulatedPrices.ts'
import { PaperBroker } from '../../worker/investing/trading/broker.ts'
import type { Prices } from '../../worker/investing/trading/prices.ts'
import type { Pool } from '../../worker/investing/trading/state.ts'
import { followDays, type Surroundings } from '../../worker/investing/trading/step.ts'
import { takeIntoCustody } from '../../worker/ledger/custody.ts'
import { credit } from '../../worker/ledger/post.ts'
import { recordEvent } from '../../worker/ledger/requestEvents.ts'
import { type Database, openDatabase, runBatch } from '../../worker/lib/database.ts'
import { fileDeposit, liftCeilings, person } from './ledger/records.ts'
import { txid } from './ledger/txid.ts'

/** Continues a strategy's days like a run, but stops at an error. By default with the simulated market and the paper broker. */
export async function followAs(
  around: Pick<Surroundings, 'nowMs'> & Partial<Surroundings>,
  slug: string,
): Promise<void> {
  const paper = ({ definition }: Pool) => new PaperBroker(definition.costs)
  const usual = { db: openDatabase(env.DB), prices: rememberedPrices, broker: paper }
  for await (const _ of followDays({ ...usual, ...around }, slug));
}

/** The simulated market's prices, computed once for each day. */
export const rememberedPrices: Prices = {
  ...simulatedPrices,
  days(market, assets, nowMs) {
    const key = `${assets} ${Math.floor(nowMs / DAY_MS)}`
    const known = made.get(key) ?? simulatedPrices.days(market, assets, nowMs)
    made.set(key, known)
    return known
  },
}
const made = new Map<string, Promise<Market>>()

/** Investors with 9,000 USD each, in one batch. */
export async function newPeople(...ids: string[]): Promise<readonly string[]> {
  const db = openDatabase(env.DB)
  const deposits = ids.flatMap((investor) =>
    [1, 2].map((day) => ({
      id: `${investor}-in-${day}`,
      investor,
      amountCents: 450_000,
      atMs: day * DAY_MS,
    })),
  )
  await runBatch(db, [
    ...ids.flatMap((id) => person(db, id, 'investor')),
    ...deposits.flatMap((deposit) => [
      ...fileDeposit(db, deposit),
      recordEvent(db, {
        ...deposit,
        request: deposit.id,
        status: 'approved',
        actor: 'olu',
        reference: txid(deposit.id),
        arrived: { units: 1n, unitsAtRate: 1n },
      }),
      credit(db, deposit, { actor: 'olu', nowMs: deposit.atMs }),
      takeIntoCustody({ request: deposit.id, asset: 'usdt', units: 1n, nowMs: deposit.atMs }),
    ]),
  ])
  return ids
}

/** The operator who credits them, without a limit. */
export async function newCreditor(): Promise<void> {
  const db = openDatabase(env.DB)
  await runBatch(db, [
    ...['olu', 'pia'].flatMap((id) => person(db, id, 'operator')),
    ...liftCeilings(db, 'olu', 'pia'),
  ])
}

const TABLES: Readonly<Record<string, string>> = {
  strategies: 'slug, definition, market, status, started_at',
  strategy_events: 'strategy, at, kind, reason, actor',
  valuations:
    'strategy, day, kind, unit_price, issue_price, redeem_price, net_value, units, weights, recorded_at',
  pool_steps: 'strategy, day, at',
  pool_orders: 'id, strategy, day, asset, side, quantity, at',
  pool_fills: 'id, pool_order, quantity, price, fee, slippage, cash, at',
  pool_entries: 'id, strategy, code, cash, units, asset, quantity, ref, at',
  pools: 'strategy, cash, units',
  pool_holdings: 'strategy, asset, quantity',
  unit_orders: 'id, investor, strategy, kind, cents, status, created_at, decided_at, day',
  unit_movements: 'id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at',
  positions: 'investor, strategy, units, cost, high_water',
  transfers: 'id, from_account, to_account, amount, code, ref, actor, at',
  accounts: 'id, balance',
}

/** Everything that the database has about a strategy and its investors, with numbers instead of names. */
export async function booksOf(slug: string, people: readonly string[]): Promise<string> {
  const lines: string[] = []
  const reads = Object.entries(TABLES).map(([table, columns]) =>
    env.DB.prepare(
      `SELECT ${columns} FROM ${table} WHERE instr(json_array(${columns}), ?1) + instr(json_array(${columns}), ?2) > 0`,
    ).bind(`"${slug}`, `:${slug}"`),
  )
  const found = await env.DB.batch<Record<string, unknown>>(reads)
  for (const [n, table] of Object.keys(TABLES).entries()) {
    lines.push(
      ...(found[n]?.results ?? [])
        .map((row) => `${table} ${JSON.stringify(row)}`)
        .map((line) => people.reduce((text, id, n) => text.replaceAll(id, `person ${n}`), line))
        .map((line) => line.replaceAll(slug, 'slug'))
        .sort(),
    )
  }
  return lines.join('\n')
}

/** A database that fails before its n-th write. For later readers this equals a failure after the write before it. */
export function dyingAt(n: number): Database {
  let writes = 0
  const changes = new WeakSet<D1PreparedStatement>()
  const prepare = (query: string) => {
    const statement = env.DB.prepare(query)
    if (!/^\s*(?:insert|update|delete)/i.test(query)) return statement
    changes.add(statement)
    return new Proxy(statement, {
      get(target, name) {
        if (name !== 'bind') return Reflect.get(target, name)
        return (...values: unknown[]) => {
          const bound = target.bind(...values)
          changes.add(bound)
          return bound
        }
      },
    })
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    if (!statements.some((statement) => changes.has(statement))) return env.DB.batch(statements)
    writes++
    if (writes === n) throw new Error('killed')
    return env.DB.batch(statements)
  }
  return openDatabase(
    new Proxy(env.DB, {
      get: (target, name) =>
        name === 'prepare' ? prepare : name === 'batch' ? batch : Reflect.get(target, name),
    }),
  )
}
