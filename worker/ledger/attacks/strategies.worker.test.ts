import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { runBatch } from '../../lib/database.ts'
import { poolFills, poolOrders } from '../../strategies/tables.ts'
import { fileAllocation, fileRedemption, NOTHING_HELD, settleAllocation } from '../strategies.ts'
import { db, refuses, standScene } from '../testing/attacks.ts'
import { DAY_MS, endStep, openDay, openHash, startStrategy } from '../testing/strategies.ts'

const D = 20_000 * DAY_MS
const NEXT = D + DAY_MS
const ANA = { investor: 'ana', strategy: 'slow' }
const UNITS = 1_980_198
const FIRST_OPEN = { strategy: 'slow', day: D, unitPrice: 100_000_000 }
const SECOND_OPEN = {
  ...{ strategy: 'slow', day: NEXT, unitPrice: 100_000_000, units: UNITS, netValue: 198_019_800 },
  previous: openHash(FIRST_OPEN),
}

/**
 * Ana has bought for 200.00 on day D (a1); priced by the day after wait 50.00 more (a2) and a part of 40.00 to be sold (r1); 20.00 that
 * came later (a3) can still be cancelled, and a4 was. The pool has bought one of the index.
 */
beforeAll(async () => {
  await standScene()
  const order = (id: string, cents: number, atMs: number) => ({ ...ANA, id, ref: `REF-${id}`, cents, atMs })
  const bought = { day: D, price: 101_000_000, nowMs: D }
  const id = 'buy-1'
  await runBatch(db, [
    startStrategy(db, 'slow', D - DAY_MS),
    startStrategy(db, 'halted', D - DAY_MS),
    fileAllocation(db, order('a1', 20_000, D - 5)),
    openDay(db, FIRST_OPEN),
    settleAllocation(db, order('a1', 20_000, D - 5), NOTHING_HELD, bought).statement,
    db
      .insert(poolOrders)
      .values({ id, strategy: 'slow', day: D, asset: 'sim-index', side: 'buy', quantity: 200, at: D }),
    db
      .insert(poolFills)
      .values({ id, poolOrder: id, quantity: 150, price: 300, fee: 2, slippage: 1, cash: -452, at: D }),
    endStep(db, 'slow', D),
    fileAllocation(db, order('a2', 5_000, D + 5)),
    fileRedemption(db, order('r1', 4_000, D + 6)),
    openDay(db, SECOND_OPEN),
    fileAllocation(db, order('a3', 2_000, NEXT + 5)),
    fileAllocation(db, order('a4', 3_000, NEXT + 6)),
  ])
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = ${NEXT + 7} WHERE id = 'a4'`,
    ),
    env.DB.prepare(
      `INSERT INTO strategy_events (strategy, at, kind, reason, actor) VALUES ('halted', 1, 'suspended', 'Test', 'olu')`,
    ),
  ])
})

interface Movement {
  readonly ref: string
  readonly code: string
  readonly units: number
  readonly cents: number
  readonly cost?: number
  readonly price?: number
  readonly highWater?: number
  readonly investor?: string
  readonly day?: number
}

function movement(m: Movement, verb = 'INSERT'): string {
  const { ref, code, units, cents, cost = cents, price = 101_000_000, highWater = 101_000_000 } = m
  return `${verb} INTO unit_movements (id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at)
    VALUES ('${ref}:units', '${m.investor ?? 'ana'}', 'slow', '${code}', ${units}, ${price}, ${cents}, ${cost}, ${highWater},
      ${m.day ?? NEXT}, '${ref}', ${NEXT})`
}

const A2 = { ref: 'a2', code: 'issue', units: 495_049, cents: 5_000 }
// 40.00 at 99.00 a unit, of 200.00 for 1.980198 units.
const R1 = { ref: 'r1', code: 'redeem', units: -404_041, cents: 4_000, cost: 4_080, price: 99_000_000 }

function transfer(
  code: string,
  from: string,
  to: string,
  amount: number,
  ref: string,
  actor = 'system',
): string {
  return `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    VALUES ('made-up', 'ana:${from}', 'ana:${to}', ${amount}, '${code}', '${ref}', '${actor}', 1)`
}

function valuation(fields: Record<string, string | number>, verb = 'INSERT'): string {
  const row = {
    ...{
      strategy: "'slow'",
      day: NEXT,
      kind: "'close'",
      unit_price: 100_000_000,
      issue_price: 'NULL',
      redeem_price: 'NULL',
    },
    ...{
      net_value: 198_019_800,
      units: UNITS,
      weights: "'{}'",
      recorded_at: NEXT + DAY_MS,
      previous: `'${openHash(SECOND_OPEN)}'`,
      hash: "'x'",
    },
    ...fields,
  }
  return `${verb} INTO valuations (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`
}

describe('units are not made up', () => {
  refuses({
    'a position is written': {
      sql: "UPDATE positions SET units = units + 1 WHERE investor = 'ana'",
      refused: /only a movement changes a position/,
    },
    'a position is written with the last movement as its cause': {
      sql: "UPDATE positions SET units = units + 1980198, last_movement = last_movement WHERE investor = 'ana'",
      refused: /only a movement changes a position/,
    },
    'a mark is lowered': {
      sql: "UPDATE positions SET high_water = 1 WHERE investor = 'ana'",
      refused: /only a movement changes a position/,
    },
    'a position changes hands': {
      sql: "UPDATE positions SET investor = 'bob'",
      refused: /never changes its name/,
    },
    'a position opens full': {
      sql: "INSERT INTO positions (investor, strategy, units) VALUES ('bob', 'slow', 5)",
      refused: /opens empty, once/,
    },
    'a position is replaced': {
      sql: "INSERT OR REPLACE INTO positions (investor, strategy) VALUES ('ana', 'slow')",
      refused: /opens empty, once/,
    },
    'a position is deleted': { sql: 'DELETE FROM positions', refused: /never deleted/ },
    'units without an order': { sql: movement({ ...A2, ref: 'none' }), refused: /record of what caused it/ },
    'units for somebody else': {
      sql: [
        "INSERT INTO positions (investor, strategy) VALUES ('bob', 'slow')",
        movement({ ...A2, investor: 'bob' }),
      ],
      refused: /record of what caused it/,
    },
    'units for what was cancelled': {
      sql: movement({ ...A2, ref: 'a4', cents: 3_000, units: 297_029 }),
      refused: /record of what caused it/,
    },
    'units for what is settled already': { sql: movement({ ...A2, ref: 'a1' }), refused: /written once/ },
    'one unit too many': { sql: movement({ ...A2, units: 495_050 }), refused: /rounded down/ },
    'one too few': { sql: movement({ ...A2, units: 495_048 }), refused: /rounded down/ },
    'another amount': {
      sql: movement({ ...A2, cents: 6_000, units: 594_059 }),
      refused: /as many as the amount buys/,
    },
    'another price': { sql: movement({ ...A2, price: 1 }), refused: /the day opened with/ },
    'the price of another day': {
      sql: movement({ ...A2, day: D }),
      refused: /at the first open after it was asked/,
    },
    'before its day is opened': {
      sql: movement({ ...A2, ref: 'a3', cents: 2_000, units: 198_019 }),
      refused: /at the first open after it was asked/,
    },
    'a cost that is not what was paid': {
      sql: movement({ ...A2, cost: 1 }),
      refused: /has units, a price and an amount/,
    },
    'a mark above what was paid': { sql: movement({ ...A2, highWater: 102_000_000 }), refused: /high-water/ },
    'a mark below': { sql: movement({ ...A2, highWater: 100_999_999 }), refused: /high-water/ },
    'more is sold than is held': {
      sql: movement({ ...R1, units: -UNITS - 1, cents: 19_603, cost: 20_000 }),
      refused: /as many are sold/,
    },
    'more is sold than was asked for': {
      sql: movement({ ...R1, units: -404_142, cents: 4_001, cost: 4_081 }),
      refused: /as many are sold/,
    },
    'less is sold than was asked for': {
      sql: movement({ ...R1, units: -404_040, cents: 3_999, cost: 4_080 }),
      refused: /as many are sold/,
    },
    'they bring a cent more': { sql: movement({ ...R1, cents: 4_001 }), refused: /rounded down/ },
    'more of the cost goes': {
      sql: movement({ ...R1, cost: 4_081 }),
      refused: /takes its share of the cost/,
    },
    'less of the cost goes': {
      sql: movement({ ...R1, cost: 4_079 }),
      refused: /takes its share of the cost/,
    },
    'selling lowers the mark': { sql: movement({ ...R1, highWater: 1 }), refused: /high-water/ },
    'a fee of nothing': {
      sql: movement({ ref: 'f', code: 'fee', units: -1, cents: 0, price: 99_000_000 }),
      refused: /record of what caused it/,
    },
    'a fee of all that there is': {
      sql: movement({ ref: 'f', code: 'fee', units: -UNITS, cents: 19_603, cost: 20_000, price: 99_000_000 }),
      refused: /record of what caused it/,
    },
    'a fee in the name of an order': {
      sql: movement({ ...R1, code: 'fee', units: -1_000, cents: 9, cost: 10 }),
      refused: /record of what caused it/,
    },
    'a movement is replaced': {
      sql: movement({ ref: 'a1', code: 'issue', units: UNITS, cents: 20_000, day: D }, 'INSERT OR REPLACE'),
      refused: /written once/,
    },
    'a movement that is ignored where it fails': {
      sql: movement({ ...A2, units: 1 }, 'INSERT OR IGNORE'),
      refused: /rounded down/,
    },
    'a movement is changed': { sql: 'UPDATE unit_movements SET units = 1', refused: /never change/ },
    'a movement is deleted': { sql: 'DELETE FROM unit_movements', refused: /never deleted/ },
  })
})

describe('a pool is not made up', () => {
  refuses({
    'cash is written': { sql: 'UPDATE pools SET cash = cash + 1', refused: /only an entry changes a pool/ },
    'units are written': { sql: 'UPDATE pools SET units = 0', refused: /only an entry changes a pool/ },
    'a holding is written': {
      sql: 'UPDATE pool_holdings SET quantity = 9',
      refused: /only an entry changes a holding/,
    },
    'a pool is replaced': {
      sql: "INSERT OR REPLACE INTO pools (strategy) VALUES ('slow')",
      refused: /opens empty, once/,
    },
    'a holding is replaced': {
      sql: "INSERT OR REPLACE INTO pool_holdings (strategy, asset) VALUES ('slow', 'sim-index')",
      refused: /opens empty, once/,
    },
    'a holding of what it does not trade': {
      sql: "INSERT INTO pool_holdings (strategy, asset) VALUES ('slow', 'bitcoin')",
      refused: /of what the strategy trades/,
    },
    'a pool is deleted': { sql: 'DELETE FROM pools', refused: /never deleted/ },
    'a holding is deleted': { sql: 'DELETE FROM pool_holdings', refused: /never deleted/ },
    'an entry without a cause': {
      sql: "INSERT INTO pool_entries (id, strategy, code, cash, units, ref, at) VALUES ('x', 'slow', 'issue', 1, 1, 'x', 1)",
      refused: /record of what caused it/,
    },
    'an entry a second time': {
      sql: `INSERT INTO pool_entries (id, strategy, code, cash, units, ref, at)
        VALUES ('x', 'slow', 'issue', 200000000, ${UNITS}, 'a1', 1)`,
      refused: /written once/,
    },
    'an entry is replaced': {
      sql: `INSERT OR REPLACE INTO pool_entries (seq, id, strategy, code, cash, units, ref, at)
        VALUES (1, 'a1:units', 'slow', 'issue', 200000000, ${UNITS}, 'a1', 1)`,
      refused: /written once/,
    },
    'an entry is changed': { sql: 'UPDATE pool_entries SET cash = 0', refused: /never change/ },
    'an entry is deleted': { sql: 'DELETE FROM pool_entries', refused: /never deleted/ },
    'more is filled than was ordered': {
      sql: `INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('f', 'buy-1', 51, 1, 0, 0, -1, 1)`,
      refused: /no more than it/,
    },
    'a purchase that brings cash': {
      sql: `INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('f', 'buy-1', 5, 1, 0, 0, 5, 1)`,
      refused: /no more than it/,
    },
    'a fill of no order': {
      sql: `INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('f', 'none', 5, 1, 0, 0, -5, 1)`,
      refused: /no more than it/,
    },
    'what is not held is sold': {
      sql: [
        `INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at) VALUES ('s', 'slow', ${NEXT}, 'sim-index', 'sell', 151, 1)`,
        `INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('s', 's', 151, 1, 0, 0, 5, 1)`,
      ],
      refused: /not held/,
    },
    'an order on a day that has not opened': {
      sql: `INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at) VALUES ('s', 'slow', ${NEXT + DAY_MS}, 'sim-index', 'buy', 1, 1)`,
      refused: /opened and not closed/,
    },
    'a fill is changed': { sql: 'UPDATE pool_fills SET cash = 0', refused: /never change/ },
    'a fill is deleted': { sql: 'DELETE FROM pool_fills', refused: /never deleted/ },
    'an order is changed': { sql: 'UPDATE pool_orders SET quantity = 1', refused: /never change/ },
    'a step ends while an order of it waits': {
      sql: `INSERT INTO pool_steps VALUES ('slow', ${NEXT}, 1)`,
      refused: /an order of this step waits/,
    },
    'a step of no day': { sql: `INSERT INTO pool_steps VALUES ('slow', 5, 1)`, refused: /opened with/ },
    'a step is undone': { sql: 'DELETE FROM pool_steps', refused: /never deleted/ },
  })
})

describe('the record is not made up', () => {
  refuses({
    'a price that the pool is not worth': {
      sql: valuation({ unit_price: 100_000_001 }),
      refused: /step of an earlier day|worth by its units/,
    },
    'units that the pool has not': { sql: valuation({ units: 1 }), refused: /worth by its units/ },
    'a link is missing': {
      sql: valuation({ previous: `'${openHash(FIRST_OPEN)}'` }),
      refused: /chain of hashes/,
    },
    'a day is valued a second time': {
      sql: valuation({ kind: "'open'", issue_price: 100_000_000, redeem_price: 100_000_000 }),
      refused: /once, in the order of days/,
    },
    'a day in the past': { sql: valuation({ day: D - DAY_MS }), refused: /once, in the order of days/ },
    'a part of a day': { sql: valuation({ day: NEXT + 1 }), refused: /once, in the order of days/ },
    'before its time': { sql: valuation({ recorded_at: NEXT }), refused: /before its time/ },
    'a close with a price for who comes': { sql: valuation({ issue_price: 1 }), refused: /above zero/ },
    'while its step is not done': { sql: valuation({}), refused: /step of an earlier day is not done/ },
    'a valuation is replaced': {
      sql: valuation(
        { day: D, kind: "'open'", recorded_at: D, previous: '(SELECT hash FROM strategies LIMIT 1)' },
        'INSERT OR REPLACE',
      ),
      refused: /once, in the order of days/,
    },
    'a valuation is changed': { sql: 'UPDATE valuations SET unit_price = 1', refused: /none ever changes/ },
    'a valuation is deleted': { sql: 'DELETE FROM valuations', refused: /is ever deleted/ },
    'a definition is changed': {
      sql: `UPDATE strategies SET definition = '{"assets":[]}'`,
      refused: /never changes/,
    },
    'its hash is changed': { sql: "UPDATE strategies SET hash = 'x'", refused: /never changes/ },
    'the minimum is changed': { sql: 'UPDATE strategies SET minimum = 100', refused: /never changes/ },
    'a suspended strategy is started by hand': {
      sql: "UPDATE strategies SET status = 'active' WHERE slug = 'halted'",
      refused: /only an event changes a status/,
    },
    'a strategy is replaced': {
      sql: `INSERT OR REPLACE INTO strategies (slug, definition, hash, market, minimum, started_at)
        VALUES ('slow', '{"assets":["a"]}', 'x', 'x', 100, 1)`,
      refused: /starts once/,
    },
    'a strategy is deleted': { sql: 'DELETE FROM strategies', refused: /never deleted/ },
    'a second start': {
      sql: "INSERT INTO strategy_events (strategy, at, kind, actor) VALUES ('slow', 1, 'started', 'olu')",
      refused: /conflict/,
    },
    'what runs is resumed': {
      sql: "INSERT INTO strategy_events (strategy, at, kind, actor) VALUES ('slow', 1, 'resumed', 'olu')",
      refused: /conflict|second_operator_required/,
    },
    'an event is deleted': { sql: 'DELETE FROM strategy_events', refused: /never deleted/ },
    'an event is changed': { sql: "UPDATE strategy_events SET kind = 'resumed'", refused: /never change/ },
  })
})

const FILED = 'INSERT INTO unit_orders (id, ref, investor, strategy, kind, cents, created_at'
describe('orders and what they post are not made up', () => {
  refuses({
    'an order is settled by hand': {
      sql: `UPDATE unit_orders SET status = 'settled', decided_by = 'system', decided_at = 1, day = ${NEXT} WHERE id = 'a2'`,
      refused: /units that move settle an order/,
    },
    'what is priced is cancelled': {
      sql: "UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = 1 WHERE id = 'a2'",
      refused: /already_decided/,
    },
    'a redemption that is priced is cancelled': {
      sql: "UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = 1 WHERE id = 'r1'",
      refused: /already_decided/,
    },
    'what is settled is cancelled': {
      sql: "UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = 1, day = NULL WHERE id = 'a1'",
      refused: /already_decided/,
    },
    'what is cancelled is cancelled again': {
      sql: "UPDATE unit_orders SET decided_at = 9 WHERE id = 'a4'",
      refused: /already_decided/,
    },
    'somebody else cancels': {
      sql: "UPDATE unit_orders SET status = 'cancelled', decided_by = 'bob', decided_at = 1 WHERE id = 'a3'",
      refused: /forbidden/,
    },
    'an amount is raised': {
      sql: "UPDATE unit_orders SET cents = 9000 WHERE id = 'a3'",
      refused: /never changes/,
    },
    'the destination of the proceeds is changed': {
      sql: "UPDATE unit_orders SET onward = '{}' WHERE id = 'r1'",
      refused: /never changes/,
    },
    'an order is replaced': {
      sql: `INSERT OR REPLACE INTO unit_orders (id, ref, investor, strategy, kind, cents, created_at)
        VALUES ('a3', 'REF-a3', 'ana', 'slow', 'allocate', 2000, ${NEXT + 5})`,
      refused: /filed once/,
    },
    'an order starts settled': {
      sql: `${FILED}, status) VALUES ('x', 'x', 'ana', 'slow', 'allocate', 2000, ${NEXT}, 'settled')`,
      refused: /filed once, as pending/,
    },
    'an order from before what is fixed': {
      sql: `${FILED}) VALUES ('x', 'x', 'ana', 'slow', 'allocate', 2000, ${NEXT - 1})`,
      refused: /conflict/,
    },
    'more than is available': {
      sql: `${FILED}) VALUES ('x', 'x', 'ana', 'slow', 'allocate', 99999999, ${NEXT})`,
      refused: /insufficient_funds/,
    },
    'less than a first order must be': {
      sql: `${FILED}) VALUES ('x', 'x', 'bob', 'slow', 'allocate', 999, ${NEXT})`,
      refused: /validation_failed/,
    },
    'all of what is available': {
      sql: `${FILED}) VALUES ('x', 'x', 'ana', 'slow', 'allocate', NULL, ${NEXT})`,
      refused: /whole cents above zero/,
    },
    'below zero, with the checks off': {
      sql: [
        'PRAGMA ignore_check_constraints = on',
        `${FILED}) VALUES ('x', 'x', 'ana', 'slow', 'allocate', -2000, ${NEXT})`,
      ],
      refused: /whole cents above zero/,
    },
    'new money for a suspended strategy': {
      sql: `${FILED}) VALUES ('x', 'x', 'ana', 'halted', 'allocate', 2000, ${NEXT})`,
      refused: /strategy_suspended/,
    },
    'a redemption of nothing': {
      sql: `${FILED}) VALUES ('x', 'x', 'bob', 'slow', 'redeem', 2000, ${NEXT})`,
      refused: /insufficient_funds/,
    },
    'an operator allocates': {
      sql: `${FILED}) VALUES ('x', 'x', 'olu', 'slow', 'allocate', 2000, ${NEXT})`,
      refused: /not_found/,
    },
    'an order is deleted': { sql: 'DELETE FROM unit_orders', refused: /never deleted/ },
    'the books are written': {
      sql: "UPDATE accounts SET balance = 0 WHERE id = 'ana:invested:slow'",
      refused: /only a transfer changes a balance/,
    },
    'money is set aside without an order': {
      sql: transfer('allocate', 'available', 'allocating:slow', 100, 'none', 'ana'),
      refused: /record of what caused it/,
    },
    'and a second time for one': {
      sql: transfer('allocate', 'available', 'allocating:slow', 2_000, 'a3', 'ana'),
      refused: /record of what caused it/,
    },
    'what was not cancelled is given back': {
      sql: transfer('deallocate', 'allocating:slow', 'available', 2_000, 'a3', 'ana'),
      refused: /record of what caused it/,
    },
    'what waits is invested without units': {
      sql: transfer('invest', 'allocating:slow', 'invested:slow', 5_000, 'a2'),
      refused: /record of what caused it/,
    },
    'what is invested comes back without units': {
      sql: transfer('redeem', 'invested:slow', 'available', 4_000, 'r1'),
      refused: /record of what caused it/,
    },
    'a gain is made up': {
      sql: transfer('gain', 'result:slow', 'available', 100_000, 'a1'),
      refused: /record of what caused it/,
    },
    'a loss is made up': {
      sql: transfer('lose', 'invested:slow', 'result:slow', 100, 'a1'),
      refused: /record of what caused it/,
    },
    'a fee without units': {
      sql: transfer('fee', 'available', 'fees', 100, 'a1'),
      refused: /record of what caused it/,
    },
    'a debt is repaid in the name of an order': {
      sql: transfer('repay', 'available', 'owed', 100, 'a1'),
      refused: /record of what caused it/,
    },
  })
})

test('what was attacked works as it should', async () => {
  await env.DB.batch([movement({ ...A2, highWater: 101_000_000 })].map((sql) => env.DB.prepare(sql)))
  const { results } = await env.DB.prepare("SELECT units, cost FROM positions WHERE investor = 'ana'").all()
  expect(results).toEqual([{ units: UNITS + 495_049, cost: 25_000 }])
})
