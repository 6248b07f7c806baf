import { DAY_MS } from '../../../../src/time.ts'
import type { Row } from '../scenario.ts'
import { refusesAll, unchanged } from './payments.ts'
import { opening, operator, order, proposal } from './rows.ts'
import { NOW, type Written } from './situation.ts'

type Given = readonly [string, Row]

const TODAY = NOW - (NOW % DAY_MS)
const MINUTE = 60_000
/** One coin, in 10⁻⁸. */
const COIN = 100_000_000
/** A USD, in nano-USD and in micro-USD. */
const NANO = 1_000_000_000
const MICRO = 1_000_000

/** What `olga` proposed about a venue and `omar` approved now. */
function decision(payload: Row): Given {
  return proposal('p', 'venue', {
    status: 'approved',
    decided_by: 'omar',
    decided_at: NOW,
    payload: JSON.stringify(payload),
  })
}

/** The cases that a decision of another kind, time or content allows nothing. */
function needs(payload: Row): Written['cases'] {
  const refusal = 'second_operator_required'
  const others = Object.entries(payload).map(([key, value]): Written['cases'][string] => {
    const other = typeof value === 'number' ? value + 1 : 'another'
    return [{ decision: { payload: JSON.stringify({ ...payload, [key]: other }) } }, refusal]
  })
  return {
    'a pending proposal decides nothing': [{ decision: { status: 'pending' } }, refusal],
    'nor does a proposal of another kind': [{ decision: { kind: 'strategy' } }, refusal],
    'nor one that was decided at another time': [{ decision: { decided_at: NOW - 1 } }, refusal],
    ...Object.fromEntries(
      others.map((each, index) => [`nor one about another ${Object.keys(payload)[index]}`, each]),
    ),
  }
}

function trades(strategy: string): Given {
  return ['venue_strategies', { strategy, venue: 'kraken', since: NOW, proposal: 'p' }]
}

/** An order of the pool of `s`. */
function poolOrder(id: string, row: Row = {}): Given {
  return [
    'pool_orders',
    {
      ...{
        id,
        strategy: 's',
        day: TODAY,
        asset: 'bitcoin',
        side: 'buy',
        quantity: COIN,
        at: NOW,
        seen_price: 100,
      },
      ...row,
    },
  ]
}

/** An order at the venue. */
function sent(id: string, poolOrder: string, state: string, row: Row = {}): Given {
  return [
    'venue_orders',
    {
      id,
      pool_order: poolOrder,
      venue: 'kraken',
      side: 'buy',
      quantity: COIN,
      limit_price: 102 * NANO,
      most_paid: 102 * MICRO,
      believed_price: 100 * NANO,
      bid: 99 * NANO,
      ask: 101 * NANO,
      priced_at: NOW,
      sent_at: NOW,
      expires_at: NOW + MINUTE,
      state,
      ...row,
    },
  ]
}

function fill(id: string, poolOrder: string, quantity: number, row: Row = {}): Given {
  return [
    'pool_fills',
    { id, pool_order: poolOrder, quantity, price: 100, fee: 0, slippage: 0, cash: -1, at: NOW, ...row },
  ]
}

function setting(key: string, value: string): Given {
  return ['settings', { key, value, updated_at: NOW }]
}

const STRATEGY = [
  'strategies',
  { slug: 's', definition: '', hash: 'first', market: 'kraken', minimum: 1, started_at: 0, status: 'active' },
] as const
const POOL = ['pools', { strategy: 's' }] as const
const TRADE = { action: 'trade', strategy: 's', venue: 'kraken' }

const STRATEGIES: readonly Written[] = [
  {
    trigger: 'venue_strategies_decided',
    given: {
      decision: decision(TRADE),
      strategy: STRATEGY,
      pool: POOL,
      holding: ['pool_holdings', { strategy: 's', asset: 'bitcoin' }],
      other: trades('t'),
    },
    write: { insert: trades('s')[1] },
    cases: {
      'two operators let a strategy trade at the venue of its prices': [{}, 'accepted'],
      ...needs(TRADE),
      once: [{ other: { strategy: 's' } }, 'conflict'],
      'not at a venue of other prices': [{ strategy: { market: 'coinbase' } }, 'conflict'],
      'not while it is suspended': [{ strategy: { status: 'suspended' } }, 'conflict'],
      'not with investors on paper': [{ pool: { units: 1 } }, 'conflict'],
      'not with holdings on paper': [{ holding: { quantity: 1 } }, 'conflict'],
      'another pool’s investors do not matter': [{ pool: { strategy: 't', units: 1 } }, 'accepted'],
    },
  },
  refusesAll(
    'venue_strategies_never_change',
    trades('s'),
    { update: { venue: 'coinbase' } },
    'venues: where a strategy trades never changes',
  ),
  refusesAll(
    'venue_strategies_keep',
    trades('s'),
    { delete: true },
    'venues: where a strategy trades is never deleted',
  ),
]

const STOP = { scope: 'kraken', at: NOW - 5, actor: 'olga', reason: 'A difference' }
const RESUME = { action: 'resume', scope: 'kraken' }
const STOP_STAYS = 'venues: a stop ends once and never changes otherwise'

const STOPS: readonly Written[] = [
  {
    trigger: 'trading_stops_start',
    given: {
      role: ['proposal_roles', { kind: 'venue', role: 'treasurer' }],
      olga: operator('olga', 'treasurer'),
      before: ['trading_stops', { ...STOP, seq: 1, lifted_by: 'p', lifted_at: NOW - 1 }],
      elsewhere: ['trading_stops', { ...STOP, seq: 2, scope: 'coinbase' }],
    },
    write: { insert: { ...STOP, at: NOW } },
    cases: {
      'a treasurer stops a venue': [{}, 'accepted'],
      'which does not trade again by itself': [
        { write: { lifted_at: NOW } },
        'venues: a stop is written once',
      ],
      'and not by a decision from before': [{ write: { lifted_by: 'p' } }, 'venues: a stop is written once'],
      'in place of no other stop': [{ write: { seq: 1 } }, 'venues: a stop is written once'],
      'an operator without the role does not': [{ olga: { operator_roles: 'auditor' } }, 'forbidden'],
      'nor a disabled one': [{ olga: { disabled_at: NOW } }, 'forbidden'],
      'nor an investor': [{ olga: { role: 'investor' } }, 'forbidden'],
      'a stopped venue is not stopped again': [{ before: { lifted_at: null } }, 'conflict'],
    },
  },
  {
    trigger: 'trading_stops_lifted',
    given: {
      stop: ['trading_stops', { ...STOP, seq: 1, lifted_at: null }],
      decision: ['proposals', { ...decision(RESUME)[1], created_at: NOW - 5 }],
    },
    write: { update: { lifted_by: 'p', lifted_at: NOW } },
    cases: {
      'two operators let a venue trade again, by a proposal as old as the stop': [{}, 'accepted'],
      'an older proposal does not': [{ decision: { created_at: NOW - 6 } }, 'second_operator_required'],
      ...needs(RESUME),
      'a stop ends once': [{ stop: { lifted_at: NOW - 1 } }, STOP_STAYS],
      'it has a time when it ends': [{ write: { lifted_at: null } }, STOP_STAYS],
      ...unchanged(STOP_STAYS, { seq: 2, scope: 'all', at: NOW, actor: 'omar', reason: 'None' }),
    },
  },
  refusesAll(
    'trading_stops_keep',
    ['trading_stops', { ...STOP, seq: 1 }],
    { delete: true },
    'venues: a stop is never deleted',
  ),
]

const MOVED = { venue: 'kraken', asset: 'usd', quantity: 500 }
const TRANSFER = { ...MOVED, at: NOW, proposal: 'p' }
const WRITTEN_ONCE = 'venues: a transfer is written once'

const TRANSFERS: readonly Written[] = [
  {
    trigger: 'venue_transfers_decided',
    given: {
      decision: decision({ action: 'transfer', ...MOVED }),
      other: ['venue_transfers', { ...TRANSFER, seq: 7, proposal: 'x' }],
    },
    write: { insert: TRANSFER },
    cases: {
      'two operators move money to a venue': [{}, 'accepted'],
      ...needs({ action: 'transfer', ...MOVED }),
      once: [{ other: { proposal: 'p' } }, WRITTEN_ONCE],
      'in place of no other transfer': [{ write: { seq: 7 } }, WRITTEN_ONCE],
    },
  },
  {
    trigger: 'venue_transfers_posted',
    given: { balance: ['venue_balances', { venue: 'kraken', asset: 'usd', quantity: 40, entries: 2 }] },
    write: { insert: TRANSFER },
    cases: {
      'a transfer changes what the venue must hold': [
        {},
        { venue_balances: [{ venue: 'kraken', asset: 'usd', quantity: 540, entries: 3 }] },
      ],
      'also what it held nothing of': [
        { balance: null },
        { venue_balances: [{ venue: 'kraken', asset: 'usd', quantity: 500, entries: 1 }] },
      ],
    },
  },
  refusesAll(
    'venue_transfers_never_change',
    ['venue_transfers', TRANSFER],
    { update: { quantity: 1 } },
    'venues: transfers never change',
  ),
  refusesAll(
    'venue_transfers_keep',
    ['venue_transfers', TRANSFER],
    { delete: true },
    'venues: transfers are never deleted',
  ),
]

/** Limits that the order `w` of 102 USD just keeps: 2 %, 102 USD and 162 USD. */
const LIMITS = {
  collar: setting('orderCollar', '200'),
  most: setting('orderMost', '10200'),
  day: setting('orderDayMost', '16200'),
}
const STALE = 'venues: the prices are too old, or one side is missing'
const COLLAR = 'venues: a limit is within the collar around the price that is believed'
const ONCE = 'venues: an order is written once, before it is sent'
const EARLIER = 'venues: an earlier order can still be filled'
const THERE = 'venues: an order is sent for an order of a pool that trades there'
const REST = 'venues: no more is sent than what is left of the order'
const STOPPED = 'venues: trading is stopped'
const HOUR = 'venues: an order ends within an hour'
const CASH = 'venues: a pool buys with its own cash'
const HOLDS = 'venues: a pool sells what it holds'
const DAYS_MOST = "venues: the day's orders are larger than they may be"

/** The second order for `o`, after one of which 20 were filled. Another order of the pool is open, and one of another pool. */
const SENT: readonly Written[] = [
  {
    trigger: 'venue_orders_sent',
    given: {
      another: poolOrder('d', { seq: 1, day: TODAY - DAY_MS, quantity: 10 }),
      ordered: poolOrder('o', { seq: 2, quantity: COIN + 20 }),
      'of another pool': poolOrder('t', { seq: 3, strategy: 't' }),
      strategy: trades('s'),
      older: sent('older', 'd', 'closed', { seq: 1, most_paid: 1, sent_at: NOW - DAY_MS }),
      first: sent('first', 'o', 'closed', { seq: 2, most_paid: 50 * MICRO, sent_at: NOW - DAY_MS + 1 }),
      open: sent('open', 'd', 'open', { seq: 3, most_paid: 10 * MICRO }),
      theirs: sent('theirs', 't', 'open', { seq: 4, most_paid: MICRO }),
      'its fill': fill('f', 'o', 20),
      'another fill': fill('g', 'd', 10),
      ended: ['pool_order_ends', { pool_order: 'x', at: NOW, unfilled: 0 }],
      lifted: ['trading_stops', { ...STOP, seq: 1, lifted_at: NOW }],
      elsewhere: ['trading_stops', { ...STOP, seq: 2, scope: 'coinbase' }],
      pool: ['pools', { strategy: 's', cash: 60 * MICRO }],
      allocation: order('a', 'allocate', { cents: 52_00, created_at: TODAY - 1 }),
      'allocation of the day': order('b', 'allocate', { cents: 300, created_at: TODAY }),
      ...LIMITS,
    },
    write: { insert: sent('w', 'o', 'sending')[1] },
    cases: {
      'the rest of an order is sent, up to every limit': [{}, 'accepted'],
      'one is sent once': [{ first: { id: 'w' } }, ONCE],
      'in place of no other': [{ write: { seq: 1 } }, ONCE],
      'before the venue has it': [{ write: { state: 'open' } }, ONCE],
      'without the venue’s id': [{ write: { venue_id: 'k' } }, ONCE],
      'without an end': [{ write: { filled: 0 } }, ONCE],
      'without having been looked for': [{ write: { seen_at: NOW } }, ONCE],
      'not to another venue': [{ write: { venue: 'coinbase' } }, THERE],
      'not the other way round': [{ write: { side: 'sell' } }, THERE],
      'not for a pool that trades on paper': [{ strategy: { strategy: 't' } }, THERE],
      'not while the venue is stopped': [{ lifted: { lifted_at: null } }, STOPPED],
      'not while all are stopped': [{ lifted: { scope: 'all', lifted_at: null } }, STOPPED],
      'not while an earlier one may arrive': [{ first: { state: 'sending' } }, EARLIER],
      'not while an earlier one is open': [{ first: { state: 'open' } }, EARLIER],
      'not after the order ended': [{ ended: { pool_order: 'o' } }, EARLIER],
      'no more than what is left': [{ ordered: { quantity: COIN + 19 } }, REST],
      'not nothing': [{ write: { quantity: 0 } }, REST],
      'a bid is a price': [{ write: { bid: 0 } }, STALE],
      'an ask is above the bid': [{ write: { ask: 99 * NANO } }, STALE],
      'the believed price is a price': [{ write: { believed_price: 0 } }, STALE],
      'prices are five minutes old': [{ write: { priced_at: NOW - 5 * MINUTE } }, 'accepted'],
      'no older': [{ write: { priced_at: NOW - 5 * MINUTE - 1 } }, STALE],
      'nor of the future': [{ write: { priced_at: NOW + 1 } }, STALE],
      'not beyond the collar': [{ collar: { value: '199' } }, COLLAR],
      'below the price it ends there too': [
        { write: { limit_price: 98 * NANO - 1, most_paid: 100 * MICRO } },
        COLLAR,
      ],
      'a limit is a price, whatever the collar': [
        { collar: { value: '10000' }, write: { limit_price: 0 } },
        COLLAR,
      ],
      'without a setting the collar is 1 %': [
        { collar: null, write: { limit_price: 101 * NANO } },
        'accepted',
      ],
      'and no more': [{ collar: null, write: { limit_price: 101 * NANO + 1 } }, COLLAR],
      'for an hour': [{ write: { expires_at: NOW + 60 * MINUTE } }, 'accepted'],
      'not longer': [{ write: { expires_at: NOW + 60 * MINUTE + 1 } }, HOUR],
      'not for no time': [{ write: { expires_at: NOW } }, HOUR],
      'its cost may be rounded down': [{ write: { most_paid: 102 * MICRO - 1 } }, 'accepted'],
      'by one': [
        { write: { most_paid: 102 * MICRO - 2 } },
        'venues: an order costs quantity times limit, or more',
      ],
      'not more than one order may cost': [
        { most: { value: '10199' } },
        'venues: an order is larger than one may be',
      ],
      'without a setting that is 10,000 USD': [
        { most: null, day: null, pool: { cash: 20_000 * MICRO }, write: { most_paid: 10_000 * MICRO } },
        'accepted',
      ],
      'and no cent more': [
        { most: null, day: null, pool: { cash: 20_000 * MICRO }, write: { most_paid: 10_000 * MICRO + 1 } },
        'venues: an order is larger than one may be',
      ],
      'not more than a day’s may cost': [{ day: { value: '16199' } }, DAYS_MOST],
      'what the venue refused cost nothing': [
        { day: { value: '11200' }, first: { state: 'refused' } },
        'accepted',
      ],
      'not more than the pool’s cash, with its allocations and without its open purchases': [
        { pool: { cash: 60 * MICRO - 1 } },
        CASH,
      ],
    },
  },
  {
    trigger: 'venue_orders_sent',
    given: {
      'of another coin': poolOrder('e', { seq: 1, asset: 'aave', side: 'sell', quantity: 7 }),
      another: poolOrder('d', { seq: 2, side: 'sell' }),
      ordered: poolOrder('o', { seq: 3, side: 'sell' }),
      strategy: trades('s'),
      open: sent('open', 'd', 'open', { side: 'sell', quantity: 50 }),
      'of that coin': sent('that', 'e', 'open', { side: 'sell', quantity: 7 }),
      pool: POOL,
      'that holding': ['pool_holdings', { strategy: 's', asset: 'aave', quantity: 7 }],
      holding: ['pool_holdings', { strategy: 's', asset: 'bitcoin', quantity: COIN + 50 }],
      collar: LIMITS.collar,
    },
    write: { insert: sent('w', 'o', 'sending', { side: 'sell' })[1] },
    cases: {
      'what is held and not for sale already is sold': [{}, 'accepted'],
      'no more': [{ holding: { quantity: COIN + 49 } }, HOLDS],
      'a sale that ended is not for sale any more': [
        { open: { state: 'closed' }, holding: { quantity: COIN } },
        'accepted',
      ],
    },
  },
]

const STAYS = 'venues: what was sent never changes'
const ENDS = 'venues: an order ends with all its fills, and no others'
const OWN_ID = 'venues: the venue gives an order its own id'
const ABSENT = 'venues: an order is absent when the venue does not have it long after its deadline'
const VISIBLE = NOW + MINUTE + 30 * MINUTE

const ORDERS: readonly Written[] = [
  ...SENT,
  {
    trigger: 'venue_orders_go_on',
    given: {
      sent: sent('w', 'o', 'sending', { seq: 1, venue_id: null, filled: null }),
      'its fill': fill('f', 'o', 5, { venue_order: 'w' }),
      'another fill': fill('g', 'd', 7, { venue_order: 'x' }),
    },
    write: { update: { state: 'open', venue_id: 'k' } },
    cases: {
      'the venue has it': [{}, 'accepted'],
      'and had it already': [{ sent: { state: 'open', venue_id: 'k' } }, 'accepted'],
      'under its own id': [{ write: { venue_id: null } }, OWN_ID],
      'which stays': [{ sent: { state: 'open', venue_id: 'x' } }, STAYS],
      ...unchanged(STAYS, {
        seq: 2,
        id: 'x',
        pool_order: 'x',
        venue: 'coinbase',
        side: 'sell',
        quantity: 1,
        limit_price: 1,
        most_paid: 1,
        believed_price: 1,
        bid: 1,
        ask: 1,
        priced_at: 1,
        sent_at: 1,
        expires_at: NOW + 2 * MINUTE,
      }),
      'it closes with all its fills': [{ write: { state: 'closed', filled: 5 } }, 'accepted'],
      'from being open too': [
        { sent: { state: 'open', venue_id: 'k' }, write: { state: 'closed', filled: 5 } },
        'accepted',
      ],
      'not with others': [{ write: { state: 'closed', filled: 6 } }, ENDS],
      'not with none': [{ write: { state: 'closed' } }, ENDS],
      'what is open has no end': [{ write: { filled: 5 } }, ENDS],
      'closed it stays closed': [{ sent: { state: 'closed', venue_id: 'k', filled: 5 } }, 'conflict'],
      'the venue refused it': [{ 'its fill': null, write: { state: 'refused', venue_id: null } }, 'accepted'],
      'not after a fill': [{ write: { state: 'refused', venue_id: null } }, ENDS],
      'not after it was open': [
        { sent: { state: 'open', venue_id: 'k' }, 'its fill': null, write: { state: 'refused' } },
        'conflict',
      ],
      'half an hour after its deadline it is absent': [
        { 'its fill': null, write: { state: 'absent', venue_id: null, seen_at: VISIBLE } },
        'accepted',
      ],
      'not before': [
        { 'its fill': null, write: { state: 'absent', venue_id: null, seen_at: VISIBLE - 1 } },
        ABSENT,
      ],
      'not without looking': [{ 'its fill': null, write: { state: 'absent', venue_id: null } }, ABSENT],
    },
  },
  refusesAll(
    'venue_orders_keep',
    sent('w', 'o', 'closed'),
    { delete: true },
    'venues: orders are never deleted',
  ),
]

const TRADED = fill('kraken:1', 'o', 5, { venue_order: 'w', trade: 'kraken:1', venue_cash: -100 })[1]
const OF_VENUE = 'venues: a pool that trades at a venue has fills of that venue only'
const FEE_IN_COINS = 'venues: a fee in coins is of a sale at a venue, and less than what was sold'
const OF_ORDER = 'venues: a fill is of an order that was sent, and no more than it'

const FILLS: readonly Written[] = [
  {
    trigger: 'pool_fills_of_venues',
    given: {
      ordered: poolOrder('o'),
      strategy: trades('s'),
      sent: sent('w', 'o', 'open', { quantity: 12 }),
      booked: fill('kraken:0', 'o', 7, { venue_order: 'w', trade: 'kraken:0', venue_cash: -100 }),
    },
    write: { insert: TRADED },
    cases: {
      'a trade is booked, up to what was sent': [{}, 'accepted'],
      once: [{ write: { id: 'again', trade: 'kraken:0' } }, 'venues: a trade is booked once'],
      'with its id': [{ write: { trade: null } }, OF_VENUE],
      'with what was sent': [{ write: { venue_order: null } }, OF_VENUE],
      'with what the venue booked': [{ write: { venue_cash: null } }, OF_VENUE],
      'a pool at a venue is not filled on paper': [
        { write: { trade: null, venue_order: null, venue_cash: null } },
        OF_VENUE,
      ],
      'a pool on paper is': [
        { strategy: null, write: { trade: null, venue_order: null, venue_cash: null } },
        'accepted',
      ],
      'a pool on paper is not filled at a venue': [{ strategy: null }, OF_VENUE],
      'no more than was sent': [{ sent: { quantity: 11 } }, OF_ORDER],
      'nothing of another order': [{ sent: { pool_order: 'x' } }, OF_ORDER],
      'nothing of an order that ended': [{ sent: { state: 'closed' } }, OF_ORDER],
      'also of one whose answer was lost': [{ sent: { state: 'sending' } }, 'accepted'],
      'no trade of another venue': [{ write: { trade: 'coinbase:1' } }, OF_ORDER],
    },
  },
  {
    trigger: 'pool_fills_posted_at_venue',
    given: {
      ordered: poolOrder('o'),
      sent: sent('w', 'o', 'open'),
      usd: ['venue_balances', { venue: 'kraken', asset: 'usd', quantity: 300, entries: 1 }],
    },
    write: { insert: TRADED },
    cases: {
      'a purchase brings coins to the venue and takes USD': [
        {},
        {
          venue_balances: [
            { venue: 'kraken', asset: 'bitcoin', quantity: 5, entries: 1 },
            { venue: 'kraken', asset: 'usd', quantity: 200, entries: 2 },
          ],
        },
      ],
      'a sale the other way round': [
        { ordered: { side: 'sell' }, write: { venue_cash: 90 } },
        {
          venue_balances: [
            { asset: 'bitcoin', quantity: -5 },
            { asset: 'usd', quantity: 390 },
          ],
        },
      ],
      'a fee in coins goes with the sold ones': [
        { ordered: { side: 'sell' }, write: { venue_cash: 90, venue_fee: 2 } },
        {
          venue_balances: [
            { asset: 'bitcoin', quantity: -7 },
            { asset: 'usd', quantity: 390 },
          ],
        },
      ],
      'a fill on paper is not at a venue': [{ write: { venue_order: null } }, 'accepted'],
    },
  },
  {
    trigger: 'pool_fills_fee_in_coins',
    given: { ordered: poolOrder('o', { side: 'sell' }), 'another order': poolOrder('x', { side: 'sell' }) },
    write: { insert: { ...TRADED, venue_fee: 4 } },
    cases: {
      'a fee in coins is taken from a sale': [{}, 'accepted'],
      'less than was sold': [{ write: { venue_fee: 5 } }, FEE_IN_COINS],
      'not from a purchase': [{ ordered: { side: 'buy' } }, FEE_IN_COINS],
      'not on paper': [{ write: { venue_order: null } }, FEE_IN_COINS],
      'a purchase has none': [{ ordered: { side: 'buy' }, write: { venue_fee: null } }, 'accepted'],
    },
  },
]

const END = ['pool_order_ends', { pool_order: 'o', at: NOW, unfilled: 30 }] as const
const NOT_FINAL = 'venues: an order ends once, when nothing of it can be filled'
const NOT_ENDED = 'venues: an order of this day has not ended'

const ENDINGS: readonly Written[] = [
  {
    trigger: 'pool_order_ends_final',
    given: {
      ordered: poolOrder('o', { quantity: 50 }),
      strategy: trades('s'),
      sent: sent('w', 'o', 'closed'),
      'sent for another': sent('x', 'x', 'open'),
      filled: fill('f', 'o', 20),
      'another fill': fill('g', 'x', 7),
      ended: ['pool_order_ends', { ...END[1], pool_order: 'x' }],
    },
    write: { insert: END[1] },
    cases: {
      'an order ends with what was not filled of it': [{}, 'accepted'],
      once: [{ ended: { pool_order: 'o' } }, NOT_FINAL],
      'not while it is open': [{ sent: { state: 'open' } }, NOT_FINAL],
      'not while it may arrive': [{ sent: { state: 'sending' } }, NOT_FINAL],
      'with no other quantity': [{ write: { unfilled: 29 } }, NOT_FINAL],
      'an order on paper has no such end': [{ strategy: null }, NOT_FINAL],
    },
  },
  refusesAll(
    'pool_order_ends_never_change',
    END,
    { update: { unfilled: 0 } },
    'venues: the end of an order never changes',
  ),
  refusesAll('pool_order_ends_keep', END, { delete: true }, 'venues: the end of an order is never deleted'),
  {
    trigger: 'pool_steps_at_venues',
    given: {
      ordered: poolOrder('o'),
      'of another day': poolOrder('d', { day: TODAY - DAY_MS }),
      'of another pool': poolOrder('t', { strategy: 't' }),
      strategy: trades('s'),
      other: trades('t'),
      ended: END,
    },
    write: { insert: { strategy: 's', day: TODAY, at: NOW } },
    cases: {
      'a day is done when all its orders ended': [{}, 'accepted'],
      'not before': [{ other: null, ended: null }, NOT_ENDED],
      'on paper nothing ends': [{ strategy: null, ended: null }, 'accepted'],
    },
  },
]

const COVER = { proposal: 'p', strategy: 's', cash: 500, at: NOW }
const COVERED = { action: 'cover', strategy: 's' }
const NO_CAUSE = 'pools: an entry needs the record of what caused it'

const COVERS: readonly Written[] = [
  {
    trigger: 'pool_covers_decided',
    given: {
      decision: decision(COVERED),
      pool: ['pools', { strategy: 's', cash: -500 }],
      other: ['pool_covers', { ...COVER, proposal: 'x' }],
      opened: opening('s', TODAY),
      'opened elsewhere': opening('t', TODAY + DAY_MS),
      'of the next day': order('a', 'allocate', { created_at: TODAY }),
      settled: order('b', 'allocate', { created_at: TODAY - 1, status: 'settled' }),
      elsewhere: order('c', 'allocate', { created_at: TODAY - 1, strategy: 't' }),
    },
    write: { insert: COVER },
    cases: {
      'the company pays a pool’s debt': [{}, 'accepted'],
      ...needs(COVERED),
      once: [{ other: { proposal: 'p' } }, 'conflict'],
      'no more than it': [{ pool: { cash: -499 } }, 'conflict'],
      'not nothing': [{ pool: { cash: 0 }, write: { cash: 0 } }, 'conflict'],
      'not while the day is settled': [{ settled: { status: 'pending' } }, 'conflict'],
    },
  },
  {
    trigger: 'pool_covers_booked',
    given: {},
    write: { insert: COVER },
    cases: {
      'the pool gets it': [
        {},
        {
          pool_entries: [
            {
              id: 'p',
              strategy: 's',
              code: 'cover',
              cash: 500,
              units: 0,
              asset: null,
              quantity: 0,
              ref: 'p',
            },
          ],
        },
      ],
    },
  },
  {
    trigger: 'pool_entries_checked',
    given: { cover: ['pool_covers', COVER] },
    write: {
      insert: { id: 'p', strategy: 's', code: 'cover', cash: 500, units: 0, quantity: 0, ref: 'p', at: NOW },
    },
    cases: {
      'what the company paid is the pool’s': [{}, 'accepted'],
      'no more': [{ write: { cash: 501 } }, NO_CAUSE],
      'not another pool’s': [{ write: { strategy: 't' } }, NO_CAUSE],
      'without units': [{ write: { units: 1 } }, NO_CAUSE],
      'and without coins': [{ write: { asset: 'bitcoin', quantity: 1 } }, NO_CAUSE],
    },
  },
  refusesAll(
    'pool_covers_never_change',
    ['pool_covers', COVER],
    { update: { cash: 1 } },
    'venues: what the company paid never changes',
  ),
  refusesAll(
    'pool_covers_keep',
    ['pool_covers', COVER],
    { delete: true },
    'venues: what the company paid is never deleted',
  ),
]

/** Cases about exchanges: what is sent to them, filled there and held there. */
export const VENUES: readonly Written[] = [
  ...STRATEGIES,
  ...STOPS,
  ...TRANSFERS,
  ...ORDERS,
  ...FILLS,
  ...ENDINGS,
  ...COVERS,
]
