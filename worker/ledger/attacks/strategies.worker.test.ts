import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { refuses } from '../../../test/support/ledger/attacks.ts'
import {
  A2,
  D,
  movement,
  NEXT,
  R1,
  standStrategies,
  transfer,
  UNITS,
} from '../../../test/support/ledger/strategyAttacks.ts'

beforeAll(standStrategies)

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
    'the state after a movement is changed': {
      sql: 'UPDATE position_history SET units = units + 1, last_movement = last_movement + 1',
      refused: /only an earlier movement/,
    },
    'the state after a movement is replaced': {
      sql: 'INSERT OR REPLACE INTO position_history SELECT investor, strategy, at, seq, 1, 1, seq FROM unit_movements',
      refused: /written once/,
    },
    'a state without a movement': {
      sql: "INSERT INTO position_history VALUES ('ana', 'slow', 1, 999, 1, 1, 999)",
      refused: /written once/,
    },
    'the state after a movement is deleted': {
      sql: 'DELETE FROM position_history',
      refused: /never deleted/,
    },
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
    'what belongs to an open that has come is cancelled before its price is written down': {
      sql: `UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = ${NEXT + DAY_MS} WHERE id = 'a3'`,
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

test('the attacked operations work as intended', async () => {
  await env.DB.batch([movement({ ...A2, highWater: 101_000_000 })].map((sql) => env.DB.prepare(sql)))
  const { results } = await env.DB.prepare("SELECT units, cost FROM positions WHERE investor = 'ana'").all()
  expect(results).toEqual([{ units: UNITS + 495_049, cost: 25_000 }])
})
