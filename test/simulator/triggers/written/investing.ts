import { DAY_MS } from '../../../../src/time.ts'
import { refusesAll } from './payments.ts'
import { account, movement, opening, order, proposal, transfer, user } from './rows.ts'
import { copies, NOW, type Written } from './situation.ts'

const TODAY = NOW - (NOW % DAY_MS)
const POOL = ['pools', { strategy: 's', units: 1_000_000 }] as const
const STRATEGY = [
  'strategies',
  { slug: 's', definition: '', hash: 'first', market: '', minimum: 1, started_at: 0, status: 'suspended' },
] as const
const FEES = 'valuations: an open keeps the fees of now'
const COMMITMENT = 'valuations: a commitment and its salt have 64 digits'
const PRICE = 'valuations: the price is what the pool is worth by its units'

const GAP = {
  ...{ strategy: 's', day: TODAY, live: 50_000, test: 10_000 },
  ...{ price: 1_000, slippage: 2_000, fees: 3_000, cash_drag: 4_000, missed: 5_000, rounding: 6_000 },
  ...{ unexplained: 9_000, carried: '{}' },
}
const CLOSE_ONLY = 'gaps: a day is explained once, with its close'
const ADDS_UP = 'gaps: the parts add up to the difference'

/** Cases about why a day went otherwise than its test. */
const GAPS: readonly Written[] = [
  {
    trigger: 'gaps_explained',
    given: {
      close: opening('s', TODAY, { kind: 'close' }),
      'another close': opening('t', TODAY, { kind: 'close', hash: 'theirs' }),
      later: opening('t', TODAY + DAY_MS, { hash: 'later' }),
      'another day': ['gaps', { ...GAP, day: TODAY - DAY_MS }],
      'another gap': ['gaps', { ...GAP, strategy: 't' }],
    },
    write: { insert: GAP },
    cases: {
      'a day is explained up to a hundredth of a basis point': [{}, 'accepted'],
      'not with more': [{ write: { live: 50_001 } }, ADDS_UP],
      'not with less': [{ write: { live: 29_999 } }, ADDS_UP],
      'with as much less': [{ write: { live: 30_000 } }, 'accepted'],
      once: [{ 'another day': { day: TODAY } }, CLOSE_ONLY],
      'not before its close': [{ close: { kind: 'open' } }, CLOSE_ONLY],
      'with its own close': [{ close: { strategy: 'x' } }, CLOSE_ONLY],
      'of its own day': [{ close: { day: TODAY - DAY_MS } }, CLOSE_ONLY],
      'not later': [{ later: { strategy: 's' } }, CLOSE_ONLY],
    },
  },
  refusesAll(
    'gaps_never_change',
    ['gaps', GAP],
    { update: { fees: 0 } },
    'gaps: an explanation never changes',
  ),
  refusesAll('gaps_keep', ['gaps', GAP], { delete: true }, 'gaps: an explanation is never deleted'),
]

/** Cases about strategies, orders and units. */
export const INVESTING: readonly Written[] = [
  ...GAPS,
  {
    trigger: 'strategy_events_decided_by_two',
    given: {
      strategy: STRATEGY,
      suspended: ['strategy_events', { strategy: 's', at: NOW - 5, kind: 'suspended', actor: 'system' }],
      decision: proposal('p', 'strategy', {
        status: 'approved',
        created_at: NOW - 5,
        decided_by: 'olga',
        decided_at: NOW,
        payload: '{"strategy":"s","action":"resume"}',
      }),
    },
    write: { insert: { strategy: 's', at: NOW, kind: 'resumed', actor: 'olga' } },
    cases: {
      'a proposal as old as the suspension resumes a strategy': [{}, 'accepted'],
      'an older one does not': [{ decision: { created_at: NOW - 6 } }, 'second_operator_required'],
    },
  },
  {
    trigger: 'valuations_chained',
    given: {
      strategy: STRATEGY,
      pool: POOL,
      fees: ['settings', { key: 'fees', value: '{"subscriptionMonthly":300}', updated_at: NOW }],
    },
    write: {
      insert: {
        ...opening('s', TODAY)[1],
        previous: 'first',
        unit_price: 20_000,
        redeem_price: 20_000,
        issue_price: 20_000,
        net_value: 10_000,
        units: 1_000_000,
        fees: '{"subscriptionMonthly":300}',
      },
    },
    cases: {
      'an open keeps the fees of now': [{}, 'accepted'],
      'and no others': [{ write: { fees: '{"subscriptionMonthly":1000}' } }, FEES],
      'and not none': [{ write: { fees: null } }, FEES],
      'a price is at most a cent above the value': [{}, 'accepted'],
      'not two': [{ write: { unit_price: 30_000, redeem_price: 20_000, issue_price: 30_000 } }, PRICE],
      'a salt has 64 digits': [{ write: { salt: 'a' } }, COMMITMENT],
      'and so has a commitment': [{ write: { commitment: 'a' } }, COMMITMENT],
    },
  },
  {
    trigger: 'unit_orders_take',
    given: {
      available: account('ines:available', 100),
      foreign: transfer('o:allocate', 'allocate', 'x'),
    },
    write: { insert: order('o', 'allocate')[1], or: 'IGNORE' },
    cases: {
      'an order takes its money': [
        { foreign: { id: 'x:allocate' } },
        {
          accounts: [{ id: 'ines:available' }],
          positions: [{ investor: 'ines', strategy: 's' }],
          transfers: [
            { id: 'x:allocate' },
            {
              id: 'o:allocate',
              from_account: 'ines:available',
              to_account: 'ines:allocating:s',
              amount: 100,
            },
          ],
        },
      ],
      'no order is filed whose money was not taken': [{}, 'orders: the money was not set aside'],
    },
  },
  {
    trigger: 'unit_orders_give_back',
    given: {
      order: order('o', 'allocate'),
      owed: account('ines:owed', -40),
      foreign: transfer('x:deallocate', 'deallocate', 'x'),
    },
    write: {
      update: { status: 'cancelled', decided_by: 'system', decided_at: NOW },
      or: 'IGNORE',
    },
    cases: {
      'a cancelled order gives its money back, which repays a debt': [
        {},
        {
          transfers: [
            { ref: 'x' },
            {
              id: 'o:deallocate',
              from_account: 'ines:allocating:s',
              to_account: 'ines:available',
              amount: 100,
            },
            { id: 'o:repay', from_account: 'ines:available', to_account: 'ines:owed', amount: 40 },
          ],
        },
      ],
      'without a debt nothing is repaid': [
        { owed: { balance: 0 } },
        { transfers: [{ ref: 'x' }, { id: 'o:deallocate' }] },
      ],
      'no order is cancelled whose money did not come back': [
        { foreign: { id: 'o:deallocate' } },
        'orders: the money did not come back',
      ],
    },
  },
  {
    trigger: 'unit_orders_decided_once',
    given: {
      order: order('o', 'allocate'),
      open: opening('s', NOW + 1),
      owed: account('ines:owed', -1),
    },
    write: { update: { status: 'cancelled', decided_by: 'system', decided_at: NOW } },
    cases: {
      'an order whose price is known is cancelled because of a debt': [{}, 'accepted'],
      'not without one': [{ owed: { balance: 0 } }, 'already_decided'],
    },
  },
  {
    trigger: 'unit_orders_decided_once',
    given: {
      order: order('o', 'allocate'),
      atOnce: opening('s', NOW),
      next: opening('s', NOW + 1),
      movement: movement('m', 'issue', { ref: 'o', day: NOW + 1 }),
    },
    write: { update: { status: 'settled', decided_by: 'system', decided_at: NOW, day: NOW + 1 } },
    cases: {
      'an order is settled at the first open after it': [{}, 'accepted'],
      'not at one of the same moment': [
        { write: { day: NOW }, movement: { day: NOW } },
        'orders: units that move settle an order, at the first open after it was asked',
      ],
    },
  },
  {
    trigger: 'unit_movements_settle',
    given: {
      order: order('o', 'redeem'),
      owed: account('ines:owed', -40),
      available: account('ines:available', 0),
      foreign: transfer('x:repay', 'repay', 'x'),
    },
    write: { insert: movement('m', 'redeem', { ref: 'o', cents: 100, cost: 100 })[1] },
    cases: {
      'what a redemption brings repays a debt': [
        { foreign: null },
        {
          unit_orders: [{ id: 'o', status: 'settled', decided_by: 'system', day: NOW }],
          pool_entries: [{ code: 'redeem', cash: -1_000_000, units: -100, ref: 'o' }],
          transfers: [
            { code: 'redeem', from_account: 'ines:invested:s', to_account: 'ines:available', amount: 100 },
            { code: 'repay', from_account: 'ines:available', to_account: 'ines:owed', amount: 40 },
          ],
        },
      ],
      'without a debt nothing is repaid': [
        { owed: { balance: 0 }, foreign: null },
        { unit_orders: [{ status: 'settled' }], pool_entries: [{}], transfers: [{ code: 'redeem' }] },
      ],
      'and the company keeps the gain on what was repaid': [
        { write: { cents: 150 }, foreign: { code: 'repay' } },
        {
          unit_orders: [{ status: 'settled' }],
          pool_entries: [{}],
          transfers: [
            { ref: 'x' },
            { code: 'redeem', amount: 100 },
            { code: 'gain', amount: 50 },
            { code: 'repay', amount: 40 },
            {
              code: 'forfeit',
              from_account: 'ines:available',
              to_account: 'ines:fees',
              amount: 20,
              ref: 'o',
            },
          ],
        },
      ],
      'a redemption that brings nothing repays nothing': [
        { write: { cents: 0 }, foreign: null },
        {
          unit_orders: [{ status: 'settled' }],
          pool_entries: [{ cash: 0 }],
          transfers: [{ code: 'lose', amount: 100 }],
        },
      ],
      'a fee repays nothing': [
        { write: { code: 'fee', ref: 'f' }, foreign: null },
        {
          unit_orders: [{ status: 'pending' }],
          pool_entries: [{ ref: 'f' }],
          transfers: [{ code: 'redeem' }, { code: 'fee', amount: 100 }],
        },
      ],
    },
  },
  {
    trigger: 'transfers_recovered',
    given: {
      owed: account('ines:owed', 0),
      allocating: account('ines:allocating:t', 0),
      others: account('ivan:allocating:s', 50),
      position: ['positions', { investor: 'ines', strategy: 's', units: 100_000_000, cost: 10_000 }],
      foreign: ['positions', { investor: 'ivan', strategy: 's', units: 100_000_000, cost: 10_000 }],
      price: opening('s', NOW - DAY_MS, { unit_price: 1_200_000 }),
      before: opening('s', NOW - 2 * DAY_MS, { unit_price: 1_000_000 }),
      another: opening('t', NOW, { unit_price: 9_000_000 }),
      order: order('o', 'redeem', { investor: 'ivan', cents: null, seq: 1 }),
    },
    write: {
      insert: transfer('d:overdraw', 'overdraw', 'd', {
        from_account: 'ines:owed',
        to_account: 'ines:available',
        amount: 5000,
      })[1],
    },
    cases: {
      'the units that reversed money bought are redeemed': [
        {},
        {
          unit_orders: [
            { id: 'o' },
            {
              investor: 'ines',
              strategy: 's',
              kind: 'redeem',
              cents: 6001,
              status: 'pending',
              created_at: NOW,
              recovers: 'd',
            },
          ],
        },
      ],
      'all of them if the debt is as large': [
        { write: { amount: 10_000 } },
        { unit_orders: [{ id: 'o' }, { cents: null }] },
      ],
      'or a cent less': [
        { write: { amount: 9999 }, price: { unit_price: 1_000_000 } },
        { unit_orders: [{ id: 'o' }, { cents: null }] },
      ],
      'but not if two cents stay': [
        { write: { amount: 9998 }, price: { unit_price: 1_000_000 } },
        { unit_orders: [{ id: 'o' }, { cents: 9999 }] },
      ],
      'units that fell are redeemed until the debt is repaid': [
        { price: { unit_price: 800_000 } },
        { unit_orders: [{ id: 'o' }, { cents: 5001 }] },
      ],
      'money that was set aside comes back without it': [{ allocating: { balance: 5000 } }, 'accepted'],
      'and lowers what is redeemed': [
        { allocating: { balance: 2000 } },
        { unit_orders: [{ id: 'o' }, { cents: 3601 }] },
      ],
      'as does a pending redemption': [
        { order: { investor: 'ines', cents: 2000 } },
        { unit_orders: [{ id: 'o' }, { cents: 3601 }] },
      ],
      'but no other order': [
        { order: { investor: 'ines', cents: 2000, kind: 'allocate' } },
        { unit_orders: [{ id: 'o' }, { cents: 6001 }] },
      ],
      'nor a settled one': [
        { order: { investor: 'ines', cents: 2000, status: 'settled' } },
        { unit_orders: [{ id: 'o' }, { cents: 6001 }] },
      ],
      'what is redeemed whole already is left alone': [{ order: { investor: 'ines' } }, 'accepted'],
      'not what was': [
        { order: { investor: 'ines', status: 'settled' } },
        { unit_orders: [{ id: 'o' }, { cents: 6001 }] },
      ],
      'nor another strategy': [
        { order: { investor: 'ines', strategy: 't' } },
        { unit_orders: [{ id: 'o' }, { cents: 6001 }] },
      ],
      'who has no units redeems none': [{ position: { units: 0, cost: 0 } }, 'accepted'],
      'nor does a transfer without a debt': [{ write: { code: 'credit' } }, 'accepted'],
    },
  },
  {
    trigger: 'unit_orders_filed',
    given: {
      ines: user('ines', { frozen_at: NOW }),
      strategy: STRATEGY,
      position: ['positions', { investor: 'ines', strategy: 's', units: 1, cost: 1 }],
      debt: transfer('d:overdraw', 'overdraw', 'd', { from_account: 'ines:owed' }),
      open: order('p', 'redeem', { seq: 1 }),
    },
    write: { insert: order('o', 'redeem', { seq: 100, recovers: 'd' })[1] },
    cases: {
      'reversed money is recovered from a frozen account': [{}, 'accepted'],
      'beside any number of orders': [{ open: copies(19, { id: 'p', ref: 'p', seq: 2 }) }, 'accepted'],
      'not without a debt': [{ debt: null }, 'orders: only a debt is recovered'],
      'nor after another transfer': [{ debt: { code: 'credit' } }, 'orders: only a debt is recovered'],
      'nor for another reversal': [{ debt: { ref: 'e' } }, 'orders: only a debt is recovered'],
      'nor for somebody else’s': [
        { debt: { from_account: 'ivan:owed' } },
        'orders: only a debt is recovered',
      ],
      'nothing is bought with it': [{ write: { kind: 'allocate' } }, 'orders: only a debt is recovered'],
      'a frozen investor files nothing': [{ write: { recovers: null } }, 'account_frozen'],
    },
  },
  {
    trigger: 'unit_orders_decided_once',
    given: { order: order('o', 'redeem', { recovers: 'd' }) },
    write: { update: { status: 'cancelled', decided_by: 'ines', decided_at: NOW } },
    cases: {
      'nobody cancels what recovers reversed money': [{}, 'forbidden'],
      'but the system does, once there are no units': [{ write: { decided_by: 'system' } }, 'accepted'],
      'an investor cancels their own': [{ order: { recovers: null } }, 'accepted'],
      'what it recovers stays': [{ write: { recovers: 'e' } }, 'orders: what was filed never changes'],
    },
  },
]
