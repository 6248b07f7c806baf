import type { Defect } from './defect.ts'

const ACCOUNT = ['worker/investing/venueAccount/account.worker.test.ts'] as const
const LIVE_MODE = ['worker/investing/trading/realMoney.worker.test.ts'] as const

/** Exchanges: what is sent to them, booked of them and compared with them. `test/simulator/venues` plays them, apart from the people. */
export const VENUE_DEFECTS: readonly Defect[] = [
  {
    name: 'withdrawing-key-used',
    harm: 'Whoever steals the key of the exchange empties the account.',
    file: 'worker/investing/venueAccount/account.ts',
    find: '  await requireTradingKey(venue)\n',
    replace: '',
    tests: ACCOUNT,
  },
  {
    name: 'late-order-believed-absent',
    harm: 'An order that the exchange shows late is sent twice, and traded twice.',
    file: 'worker/investing/venueAccount/follow.ts',
    find: 'if (askedAt < sent.expiresAt + VISIBLE_AFTER_MS) return []',
    replace: 'if (askedAt < sent.expiresAt) return []',
    tests: ACCOUNT,
  },
  {
    name: 'unheard-order-not-looked-for',
    harm: 'An order whose answer was lost is never found, and its trades are never booked.',
    file: 'worker/investing/venueAccount/follow.ts',
    find: 'order.clientId === id || order.venueId === venueId',
    replace: 'order.venueId === venueId',
    tests: ACCOUNT,
  },
  {
    name: 'trades-booked-as-often-as-listed',
    harm: 'A trade that the exchange lists twice stops its pool.',
    file: 'worker/investing/venueAccount/follow.ts',
    find: 'const fills = [...new Map(listed.map((fill) => [fill.tradeId, fill])).values()]',
    replace: 'const fills = listed',
    tests: ACCOUNT,
  },
  {
    name: 'fee-in-coins-forgotten',
    harm: 'A pool has more coins in the books than it bought.',
    file: 'worker/investing/venueAccount/follow.ts',
    find: "side === 'buy' ? fill.quantity - feeCoins : fill.quantity",
    replace: 'fill.quantity',
    tests: ACCOUNT,
  },
  {
    name: 'exchange-in-maintenance-tried',
    harm: 'Orders go to an exchange that trades nothing, until none of them is tried again.',
    file: 'worker/investing/venueAccount/sendDue.ts',
    find: "if (isStopped || (status !== 'online' && status !== 'limit_only')) continue",
    replace: 'if (isStopped) continue',
    tests: ACCOUNT,
  },
  {
    name: 'collar-not-kept',
    harm: 'A pool buys far above the price that it was valued at.',
    file: 'worker/investing/venueAccount/sendDue.ts',
    find: 'return limit >= ask ? limit : null',
    replace: 'return limit',
    tests: ACCOUNT,
  },
  {
    name: 'day-maximum-forgotten',
    harm: 'Once a day’s orders are as large as they may be, no order is followed and nothing compared any more.',
    file: 'worker/investing/venueAccount/sendDue.ts',
    find: 'const leftToday = dayMost - order.spent - before.all',
    replace: 'const leftToday = dayMost',
    tests: ACCOUNT,
  },
  {
    name: 'difference-never-suspends',
    harm: 'Coins are missing at the exchange, and the strategy trades on.',
    file: 'worker/investing/venueAccount/compare.ts',
    find: 'if (differing >= MOST_DIFFERING)',
    replace: 'if (differing > 9)',
    tests: ACCOUNT,
  },
  {
    name: 'unfilled-order-tried-forever',
    harm: 'A day of a pool does not end while one order finds nobody to trade with.',
    file: 'worker/investing/venueAccount/sendDue.ts',
    find: 'empty >= MOST_EMPTY ||',
    replace: '',
    tests: ACCOUNT,
  },
  {
    name: 'waiting-money-traded-on-paper',
    harm: 'In live mode an investor’s money buys units whose coins nobody bought.',
    file: 'worker/investing/trading/realMoney.ts',
    find: '(units > 0 || hasOrders === 1)',
    replace: 'units > 0',
    tests: LIVE_MODE,
  },
]
