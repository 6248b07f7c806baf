import { beforeAll, describe } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { refuses } from '../../../test/support/ledger/attacks.ts'
import { openHash } from '../../../test/support/ledger/strategies.ts'
import {
  D,
  FIRST_OPEN,
  NEXT,
  standStrategies,
  UNITS,
  valuation,
} from '../../../test/support/ledger/strategyAttacks.ts'

beforeAll(standStrategies)

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
        `INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at, seen_price) VALUES ('s', 'slow', ${NEXT}, 'sim-index', 'sell', 151, 1, 300)`,
        `INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('s', 's', 151, 1, 0, 0, 5, 1)`,
      ],
      refused: /not held/,
    },
    'an order on a day that has not opened': {
      sql: `INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at, seen_price) VALUES ('s', 'slow', ${NEXT + DAY_MS}, 'sim-index', 'buy', 1, 1, 300)`,
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
      sql: valuation({ unit_price: 101_000_000 }),
      refused: /worth by its units/,
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
