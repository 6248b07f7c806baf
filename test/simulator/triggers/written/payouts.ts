import { DAY_MS } from '../../../../src/time.ts'
import type { Row } from '../scenario.ts'
import { chainNetwork, fixed, payment, refusesAll, unchanged, watchWallet } from './payments.ts'
import { account, event, operator, request, silentFreeze, transfer, user } from './rows.ts'
import { NOW, type Written } from './situation.ts'

type Given = readonly [string, Row]

const HOUR = NOW / 3_600_000
const TXID = 'ab'.repeat(32)
const OTHER_TXID = 'cd'.repeat(32)
/** What a release writes. `olga` releases it. */
const RELEASE = { txid: TXID, signed: '00', released_by: 'olga', released_at: NOW }
const RELEASED = { released_by: 'olga', released_at: NOW }
const MINED = { version: 1, height: 800, block_hash: 'block', confirmed_at: NOW }

const BTC = chainNetwork('btc', 'bitcoin', 'bitcoin')
const SATOSHI = ['custody_assets', { asset: 'bitcoin', unit: 'satoshi', decimals: 8 }] as const
const TREASURER = operator('olga', 'treasurer')

/** The payout `p` on Bitcoin. */
function payout(state: string, row: Row = {}): Given {
  return [
    'payouts',
    { seq: 1, id: 'p', chain: 'bitcoin', wallet: 'v', state, built_by: 'olga', built_at: NOW, ...row },
  ]
}

/** The second output of the payout `p`: 2,000 satoshi for the withdrawal `w`. At 50,000 USD they are worth its 100 cents. */
function item(row: Row = {}): Given {
  return [
    'payout_items',
    {
      payout: 'p',
      output: 1,
      request: 'w',
      network: 'btc',
      quantity: '2000',
      units: 2000,
      rate: '50000',
      ...row,
    },
  ]
}

/** An unsigned transaction of the payout `p`. */
function transaction(version: number, row: Row = {}): Given {
  return [
    'payout_transactions',
    { payout: 'p', version, unsigned: '', details: '{}', fee: 10, built_by: 'olga', built_at: NOW, ...row },
  ]
}

function coin(name: string, row: Row = {}): Given {
  return ['payout_coins', { payout: 'p', version: 1, coin: name, value: 5000, ...row }]
}

/** The approved withdrawal `w` of `ines`. */
function withdrawal(row: Row = {}): Given {
  return request('w', 'withdrawals', { status: 'approved', ...row })
}

function withdrawalDetails(row: Row = {}): Given {
  return [
    'withdrawal_details',
    {
      request: 'w',
      coin: 'bitcoin',
      network: 'btc',
      address: 'bc1out',
      destination_hash: '',
      session_id: '',
      proof: 'none',
      ...row,
    },
  ]
}

function transition(from: string, to: string): Given {
  return ['payout_transitions', { from_state: from, to_state: to }]
}

function total(amount: number, row: Row = {}): Given {
  return ['decision_totals', { queue: 'withdrawals', operator: 'house', hour: HOUR, amount, ...row }]
}

function reserve(day: string, stops: 0 | 1): Given {
  return [
    'reserves',
    {
      day,
      asset: 'bitcoin',
      chain: 'bitcoin',
      height: 800,
      block_hash: 'block',
      units: 1,
      booked: 1,
      stops_payouts: stops,
      at: NOW,
    },
  ]
}

/** A header of our chain of Bitcoin. */
function header(height: number, hash: string): Given {
  return [
    'bitcoin_headers',
    { height, hash, header: '0'.repeat(160), work: '0'.repeat(64), period_start: 0, searched_at: NOW },
  ]
}

/** A final transaction of the treasury of the wallet `v`. */
function treasury(row: Row = {}): Given {
  return [
    'treasury_transactions',
    {
      wallet: 'v',
      nonce: 5,
      txid: OTHER_TXID,
      payload: '0x01',
      height: 800,
      block_hash: 'block',
      succeeded: 1,
      ...row,
    },
  ]
}

const SIGNATURE = [
  'payout_signatures',
  { seq: 1, payout: 'p', version: 1, psbt: '', added_by: 'olga', added_at: NOW },
] as const

const NO_CAUSE = 'custody: an entry needs the record of what caused it'
const STAYS_PAID = 'payouts: what is paid never changes'
const STAYS_SIGNED = 'payouts: what was signed never changes'
const STAYS_SPENT = 'payouts: what is spent never changes'
const STAYS_PUBLISHED = 'reserves: what was published stays'
const NOT_YET = 'reserves: a day is counted when it has come'

const CUSTODY: readonly Written[] = [
  ...fixed(
    'payout_transitions',
    { from_state: 'built', to_state: 'released' },
    { from_state: 'cancelled', to_state: 'released' },
  ),
  ...fixed('custody_codes', { code: 'in' }, { code: '........in' }),
  {
    trigger: 'reserves_published_once',
    given: { published: reserve('2026-01-14', 1) },
    write: { insert: reserve('2026-01-15', 0)[1] },
    cases: {
      'reserves are published each day': [
        {},
        { reserves: [{ day: '2026-01-14' }, { day: '2026-01-15', stops_payouts: 0 }] },
      ],
      'a day is not replaced': [
        { write: { day: '2026-01-14' } },
        { reserves: [{ day: '2026-01-14', stops_payouts: 1 }] },
      ],
      'no day is published before it has come': [{ write: { day: '2026-01-16' } }, NOT_YET],
      'nor one that is spelled otherwise': [{ write: { day: '2026-1-15' } }, NOT_YET],
      'another asset has its own row': [
        { write: { day: '2026-01-14', asset: 'usdt' } },
        {
          reserves: [
            { asset: 'bitcoin', stops_payouts: 1 },
            { asset: 'usdt', stops_payouts: 0 },
          ],
        },
      ],
    },
  },
  refusesAll(
    'reserves_never_change',
    reserve('2026-01-15', 1),
    { update: { stops_payouts: 0 } },
    STAYS_PUBLISHED,
  ),
  refusesAll('reserves_keep', reserve('2026-01-15', 1), { delete: true }, STAYS_PUBLISHED),
  {
    trigger: 'custody_checked',
    given: {
      payout: payout('confirmed', MINED),
      mined: transaction(1),
      replaced: transaction(2, { fee: 20 }),
    },
    write: { insert: { id: 'e', asset: 'bitcoin', quantity: -10, code: 'network_fee', ref: 'p', at: NOW } },
    cases: {
      'the fee of a confirmed payout leaves custody': [{}, 'accepted'],
      'it can be less than it could have been': [{ write: { quantity: -9 } }, 'accepted'],
      'not more': [{ write: { quantity: -11 } }, NO_CAUSE],
      'nor nothing': [{ write: { quantity: 0 } }, NO_CAUSE],
      'nor the other way': [{ write: { quantity: 9 } }, NO_CAUSE],
      'not in another coin': [{ write: { asset: 'usdt' } }, NO_CAUSE],
      'not before the payout is confirmed': [{ payout: { state: 'released' } }, NO_CAUSE],
      'a failed payout had its fee too': [{ payout: { state: 'failed' } }, 'accepted'],
      'not of another payout': [{ payout: { id: 'o' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'custody_checked',
    given: {
      sent: [
        'request_events',
        { request: 'w', status: 'completed', at: NOW, actor: 'olga', investor: 'ines', fee: 10 },
      ],
      details: [
        'withdrawal_details',
        {
          request: 'w',
          network: 'usdt-erc20',
          address: 'a',
          destination_hash: 'h',
          session_id: '',
          proof: 'totp',
        },
      ],
      network: ['networks', { name: 'usdt-erc20', has_outputs: 1, chain: 'ethereum' }],
    },
    write: { insert: { id: 'e', asset: 'ethereum', quantity: -10, code: 'network_fee', ref: 'w', at: NOW } },
    cases: {
      'the fee of a payout by hand leaves custody': [{}, 'accepted'],
      'as it was recorded': [{ write: { quantity: -9 } }, NO_CAUSE],
      'in the coin of its network': [{ write: { asset: 'usdt' } }, NO_CAUSE],
      'not before it is paid': [{ sent: { status: 'approved' } }, NO_CAUSE],
      'not of another request': [{ sent: { request: 'v' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'custody_pays_what_was_sent',
    given: { item: item(), payout: payout('confirmed', MINED) },
    write: { insert: { id: 'e', asset: 'bitcoin', quantity: -2000, code: 'out', ref: 'w', at: NOW } },
    cases: {
      'what was sent leaves custody': [{}, 'accepted'],
      'not less': [{ write: { quantity: -1999 } }, 'custody: entry differs from the quantity sent'],
      'a withdrawal that a person paid has its own quantity': [
        { write: { quantity: -1999 }, item: { request: 'x' } },
        'accepted',
      ],
      'so has one whose payout failed': [
        { write: { quantity: -1999 }, payout: { state: 'failed' } },
        'accepted',
      ],
      'so has one in another payout': [{ write: { quantity: -1999 }, payout: { id: 'o' } }, 'accepted'],
      'what comes in is not what was sent': [{ write: { quantity: 1999, code: 'reverse_out' } }, 'accepted'],
    },
  },
]

const BUILT_ONCE = 'payouts: one is built once'
const NAMED_ONCE = 'payouts: a withdrawal is named once, before the transaction is built'
const NOT_WORTH = 'payouts: the units are what the withdrawal is worth at the rate'
const NUMBERED = 'payouts: transactions are numbered, and only a released one is replaced'

const BUILDING: readonly Written[] = [
  {
    trigger: 'payouts_start_built',
    given: {
      wallet: watchWallet(),
      olga: TREASURER,
      other: payout('cancelled', { seq: 9, id: 'o' }),
    },
    write: { insert: payout('built')[1] },
    cases: {
      'a treasurer builds a payout': [{}, 'accepted'],
      'none begins released': [{ write: { state: 'released' } }, BUILT_ONCE],
      'nor released by anybody': [{ write: { released_by: 'olga' } }, BUILT_ONCE],
      'nor cancelled by anybody': [{ write: { cancelled_by: 'olga' } }, BUILT_ONCE],
      'nor mined': [{ write: { version: 1 } }, BUILT_ONCE],
      'nor confirmed': [{ write: { confirmed_at: NOW } }, BUILT_ONCE],
      'nor with a problem': [{ write: { problem: 'gone' } }, BUILT_ONCE],
      'it replaces no other one': [{ write: { id: 'o' } }, BUILT_ONCE],
      'nor by its number': [{ write: { seq: 9 } }, BUILT_ONCE],
      'a retired wallet pays nothing': [{ wallet: { retired_at: NOW } }, 'conflict'],
      'nor one of another chain': [{ wallet: { chain: 'ethereum' } }, 'conflict'],
      'nor an unknown one': [{ wallet: { id: 'x' } }, 'conflict'],
      'a reviewer builds none': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
      'nor a disabled operator': [{ olga: { disabled_at: NOW } }, 'forbidden'],
      'nor the system': [{ olga: { id: 'system' }, write: { built_by: 'system' } }, 'forbidden'],
      'nor somebody unknown': [{ write: { built_by: 'omar' } }, 'forbidden'],
    },
  },
  refusesAll('payouts_keep', payout('cancelled'), { delete: true }, 'payouts: one is never deleted'),
  {
    trigger: 'payout_items_approved',
    given: {
      payout: payout('built'),
      network: BTC,
      asset: SATOSHI,
      withdrawal: withdrawal(),
      details: withdrawalDetails(),
      sibling: item({ output: 5, request: 'y' }),
      'another payout': payout('built', { seq: 2, id: 'o' }),
      'its item': item({ payout: 'o', request: 'x' }),
      'its transaction': transaction(1, { payout: 'o' }),
    },
    write: { insert: item()[1] },
    cases: {
      'a payout pays an approved withdrawal': [{}, 'accepted'],
      'an output pays one withdrawal': [{ sibling: { output: 1 } }, NAMED_ONCE],
      'a payout pays a withdrawal once': [{ sibling: { request: 'w' } }, NAMED_ONCE],
      'not after its transaction was built': [{ 'its transaction': { payout: 'p' } }, NAMED_ONCE],
      'not after it was released': [{ payout: { state: 'released' } }, NAMED_ONCE],
      'not in a payout that is not there': [{ payout: { id: 'q' } }, NAMED_ONCE],
      'not on another chain': [{ network: { chain: 'ethereum' } }, NAMED_ONCE],
      'not on an unknown network': [{ network: { network: 'eth' } }, NAMED_ONCE],
      'a pending withdrawal is not paid': [{ withdrawal: { status: 'pending' } }, 'already_decided'],
      'nor a paid one': [{ withdrawal: { status: 'completed' } }, 'already_decided'],
      'nor a deposit': [{ withdrawal: { queue: 'deposits' } }, 'already_decided'],
      'nor one without an address': [{ details: { address: '' } }, 'already_decided'],
      'nor on another network': [{ details: { network: 'eth' } }, 'already_decided'],
      'units are rounded to a cent': [{ write: { units: 2020 } }, 'accepted'],
      'they are not more': [{ write: { units: 2021 } }, NOT_WORTH],
      'nor less': [{ write: { units: 1979 } }, NOT_WORTH],
      'nor at another rate': [{ write: { rate: '60000' } }, NOT_WORTH],
      'nor in another unit': [{ asset: { decimals: 6 } }, NOT_WORTH],
      'if one unit is worth more than a cent, it is rounded too': [
        { write: { units: 20, rate: '5000000' }, withdrawal: { amount: 103 } },
        'accepted',
      ],
      'two payouts do not pay one withdrawal': [{ 'its item': { request: 'w' } }, 'conflict'],
      'nor after the other one was confirmed': [
        { 'its item': { request: 'w' }, 'another payout': { state: 'confirmed' } },
        'conflict',
      ],
      'a cancelled one paid nothing': [
        { 'its item': { request: 'w' }, 'another payout': { state: 'cancelled' } },
        'accepted',
      ],
      'nor did a failed one': [
        { 'its item': { request: 'w' }, 'another payout': { state: 'failed' } },
        'accepted',
      ],
      'nor did one that another transaction replaced': [
        { 'its item': { request: 'w' }, 'another payout': { state: 'replaced' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'payout_items_approved',
    given: {
      payout: payout('built', { chain: 'ethereum' }),
      network: chainNetwork('eth', 'ethereum', 'ethereum'),
      asset: ['custody_assets', { asset: 'ethereum', unit: 'gwei', decimals: 9 }],
      withdrawal: withdrawal(),
      details: withdrawalDetails({ coin: 'ethereum', network: 'eth', address: '0xout' }),
    },
    write: {
      insert: item({ output: 0, network: 'eth', units: 500_000, rate: '2000' })[1],
    },
    cases: {
      'a transaction on Ethereum pays a withdrawal': [{}, 'accepted'],
      'only one': [{ write: { output: 1 } }, NAMED_ONCE],
    },
  },
  refusesAll('payout_items_never_change', item(), { update: { units: 2001 } }, STAYS_PAID),
  refusesAll('payout_items_keep', item(), { delete: true }, STAYS_PAID),
  {
    trigger: 'payout_transactions_built',
    given: {
      payout: payout('built'),
      item: item(),
      olga: TREASURER,
      other: transaction(1, { payout: 'o' }),
    },
    write: { insert: transaction(1)[1] },
    cases: {
      'a treasurer builds a transaction': [{}, 'accepted'],
      'none begins with its id': [{ write: { txid: TXID } }, NUMBERED],
      'nor signed': [{ write: { signed: '00' } }, NUMBERED],
      'nor released by anybody': [{ write: { released_by: 'olga' } }, NUMBERED],
      'nor at any time': [{ write: { released_at: NOW } }, NUMBERED],
      'the first one has the number 1': [{ write: { version: 2 }, payout: { state: 'released' } }, NUMBERED],
      'a cancelled payout has none': [{ payout: { state: 'cancelled' } }, NUMBERED],
      'nor a payout that is not there': [{ payout: { id: 'q' } }, NUMBERED],
      'nor one that pays nothing': [{ item: { payout: 'o' } }, NUMBERED],
      'a reviewer builds none': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
    },
  },
  {
    trigger: 'payout_transactions_built',
    given: {
      payout: payout('released', RELEASED),
      item: item(),
      olga: TREASURER,
      first: transaction(1, RELEASE),
    },
    write: { insert: transaction(2)[1] },
    cases: {
      'a released transaction is replaced': [{}, 'accepted'],
      'not before its release': [{ payout: { state: 'built' } }, NUMBERED],
      'nor after it was confirmed': [{ payout: { state: 'confirmed' } }, NUMBERED],
      'nor under the same number': [{ write: { version: 1 } }, NUMBERED],
    },
  },
  refusesAll(
    'payout_transactions_keep',
    transaction(1),
    { delete: true },
    'payouts: a transaction is never deleted',
  ),
  {
    trigger: 'payout_coins_unspent',
    given: {
      payout: payout('released'),
      first: transaction(1, RELEASE),
      second: transaction(2),
      own: coin('k:0', { version: 2 }),
      'own before': coin('c:0'),
      'another payout': payout('built', { seq: 2, id: 'o' }),
      'its transaction': transaction(2, { payout: 'o', txid: OTHER_TXID }),
      'its coin': coin('x:0', { payout: 'o', version: 2 }),
    },
    write: { insert: coin('c:0', { version: 2 })[1] },
    cases: {
      'a replacement spends the same coin': [{}, 'accepted'],
      'a coin is not replaced': [{ write: { coin: 'k:0' } }, STAYS_SPENT],
      'none is added to a released transaction': [{ write: { version: 1, coin: 'n:0' } }, STAYS_SPENT],
      'another payout does not spend it': [{ 'its coin': { coin: 'c:0' } }, 'conflict'],
      'nor after the other one was released': [
        { 'its coin': { coin: 'c:0' }, 'another payout': { state: 'released' } },
        'conflict',
      ],
      'nor after it was confirmed': [
        { 'its coin': { coin: 'c:0' }, 'another payout': { state: 'confirmed', version: 2 } },
        'conflict',
      ],
      'a coin is free again if another version was mined': [
        { 'its coin': { coin: 'c:0' }, 'another payout': { state: 'confirmed', version: 1 } },
        'accepted',
      ],
      'and if the payout was cancelled': [
        { 'its coin': { coin: 'c:0' }, 'another payout': { state: 'cancelled' } },
        'accepted',
      ],
      'or replaced': [{ 'its coin': { coin: 'c:0' }, 'another payout': { state: 'replaced' } }, 'accepted'],
    },
  },
  refusesAll('payout_coins_never_change', coin('c:0'), { update: { coin: 'x:0' } }, STAYS_SPENT),
  refusesAll('payout_coins_keep', coin('c:0'), { delete: true }, STAYS_SPENT),
]

const STAYS_BUILT = 'payouts: what was built never changes'
const ONE_SPELLING = 'payouts: a transaction id has one spelling'
const ONE_MINED = 'payouts: only one version of a payout can be mined'

const RELEASING: readonly Written[] = [
  {
    trigger: 'payout_signatures_before_release',
    given: {
      payout: payout('built'),
      transaction: transaction(1),
      olga: TREASURER,
      other: ['payout_signatures', { ...SIGNATURE[1], seq: 9 }],
      item: item(),
      withdrawal: withdrawal(),
      'another item': item({ payout: 'o', request: 'x' }),
      'another withdrawal': request('x', 'withdrawals'),
    },
    write: { insert: SIGNATURE[1] },
    cases: {
      'a signature is kept': [{}, 'accepted'],
      'not if a withdrawal is no longer approved': [{ withdrawal: { status: 'pending' } }, 'conflict'],
      'also of a replacement': [{ payout: { state: 'released' } }, 'accepted'],
      'it replaces no other one': [{ write: { seq: 9 } }, STAYS_SIGNED],
      'not after the release': [{ transaction: { txid: TXID } }, 'already_decided'],
      'not of a cancelled payout': [{ payout: { state: 'cancelled' } }, 'already_decided'],
      'not of another version': [{ write: { version: 2 } }, 'already_decided'],
      'not of another payout': [{ write: { payout: 'o' } }, 'already_decided'],
      'a reviewer adds none': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
    },
  },
  refusesAll('payout_signatures_never_change', SIGNATURE, { update: { psbt: 'x' } }, STAYS_SIGNED),
  refusesAll('payout_signatures_keep', SIGNATURE, { delete: true }, STAYS_SIGNED),
  {
    trigger: 'payout_transactions_released',
    given: {
      transaction: transaction(1),
      payout: payout('built'),
      item: item(),
      withdrawal: withdrawal(),
      details: withdrawalDetails({ held_until: NOW }),
      approval: event('w', 'approved', { actor: 'omar' }),
      ines: user('ines'),
      olga: TREASURER,
      owed: account('ines:owed', 0),
      deposit: request('d', 'deposits', { status: 'approved' }),
      payment: payment('credited', { request: 'd', amount: 100 }),
      'reserves before': reserve('2026-01-14', 1),
      reserves: reserve('2026-01-15', 0),
      limit: ['settings', { key: 'dailyCeilings', value: '{"payouts":1000}', updated_at: NOW }],
      total: total(900),
      'another transaction': transaction(1, { payout: 'o', txid: OTHER_TXID }),
      'another item': item({ payout: 'o', request: 'x' }),
      'another withdrawal': request('x', 'withdrawals', { investor: 'ivan', amount: 50 }),
      'another approval': event('x', 'approved', { investor: 'ivan' }),
      ivan: user('ivan', { frozen_at: NOW }),
      'debt of ivan': account('ivan:owed', -1),
    },
    write: { update: RELEASE },
    cases: {
      'a person who approved none of its withdrawals releases a payout': [{}, 'accepted'],
      ...unchanged(STAYS_BUILT, {
        payout: 'q',
        version: 2,
        unsigned: 'other',
        details: '{"other":1}',
        fee: 11,
        built_by: 'omar',
        built_at: NOW + 1,
      }),
      'it is released within a day, at the prices of which it was built': [
        { transaction: { built_at: NOW - DAY_MS } },
        'accepted',
      ],
      'not later': [{ transaction: { built_at: NOW - DAY_MS - 1 } }, 'conflict'],
      'it is released once': [{ transaction: { txid: 'ef'.repeat(32), signed: '01' } }, 'already_decided'],
      'with its id': [{ write: { txid: null } }, 'already_decided'],
      signed: [{ write: { signed: null } }, 'already_decided'],
      'by somebody': [{ write: { released_by: null } }, 'already_decided'],
      'at some time': [{ write: { released_at: null } }, 'already_decided'],
      'not after it was cancelled': [{ payout: { state: 'cancelled' } }, 'already_decided'],
      'not without its payout': [{ payout: { id: 'q' } }, 'already_decided'],
      'an id has 64 digits': [{ write: { txid: TXID.slice(1) } }, ONE_SPELLING],
      'in small letters': [{ write: { txid: TXID.toUpperCase() } }, ONE_SPELLING],
      'it names one transaction': [
        { write: { txid: OTHER_TXID } },
        'payouts: a transaction id names one transaction',
      ],
      'a reviewer releases none': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
      'nor the system': [{ olga: { id: 'system' }, write: { released_by: 'system' } }, 'forbidden'],
      'nor somebody unknown': [{ write: { released_by: 'omar' } }, 'forbidden'],
      'a withdrawal that is pending again is not paid': [{ withdrawal: { status: 'pending' } }, 'conflict'],
      'nor one that was paid': [{ withdrawal: { status: 'completed' } }, 'conflict'],
      'a frozen account is not paid': [{ ines: { frozen_at: NOW } }, 'account_frozen'],
      'nor one with a debt': [{ owed: { balance: -1 } }, 'debt_outstanding'],
      'nor one with a credit whose payment is gone': [{ payment: { state: 'undone' } }, 'payment_undone'],
      'a credit that was reversed does not matter': [
        { payment: { state: 'undone' }, deposit: { status: 'reversed' } },
        'accepted',
      ],
      'nor does the payment of another investor': [
        { payment: { state: 'undone', investor: 'ivan' } },
        'accepted',
      ],
      'nothing is paid before its delay is over': [
        { details: { held_until: NOW + 1 } },
        'destination_on_hold',
      ],
      'whatever time the release names': [
        { details: { held_until: NOW + 1 }, write: { released_at: NOW + DAY_MS } },
        'destination_on_hold',
      ],
      'also an earlier one': [{ write: { released_at: NOW - 1 } }, 'destination_on_hold'],
      'nothing is paid while reserves are missing': [{ reserves: { stops_payouts: 1 } }, 'reserve_shortfall'],
      'those of an asset count until they are published again': [
        { reserves: { asset: 'usdt' } },
        'reserve_shortfall',
      ],
      'the company pays up to its limit of a day, and not a cent more': [
        { total: { amount: 901 } },
        'daily_payout_ceiling',
      ],
      'the hour a day ago counts': [{ total: { amount: 901, hour: HOUR - 24 } }, 'daily_payout_ceiling'],
      'the hour before it does not': [{ total: { amount: 901, hour: HOUR - 25 } }, 'accepted'],
      'credits do not count': [{ total: { amount: 901, queue: 'deposits' } }, 'accepted'],
      'nor what an operator decided alone': [{ total: { amount: 901, operator: 'omar' } }, 'accepted'],
      'all its withdrawals count': [
        {
          'another item': { payout: 'p', output: 2 },
          'another withdrawal': { status: 'approved' },
          ivan: { frozen_at: null },
          'debt of ivan': { balance: 0 },
          'another approval': { actor: 'omar' },
          total: { amount: 851 },
        },
        'daily_payout_ceiling',
      ],
      'who approved a withdrawal does not release it': [
        { approval: { actor: 'olga' } },
        'second_operator_required',
      ],
      'nor who approved one of several': [
        {
          'another item': { payout: 'p', output: 2 },
          'another withdrawal': { status: 'approved' },
          ivan: { frozen_at: null },
          'debt of ivan': { balance: 0 },
          total: { amount: 0 },
        },
        'second_operator_required',
      ],
      'another event is no approval': [{ approval: { actor: 'olga', status: 'rejected' } }, 'accepted'],
    },
  },
  {
    trigger: 'payout_transactions_released',
    given: {
      transaction: transaction(2),
      first: transaction(1, { ...RELEASE, txid: OTHER_TXID }),
      payout: payout('released', RELEASED),
      coin: coin('c:0', { version: 2 }),
      'first coin': coin('c:0'),
      item: item(),
      withdrawal: withdrawal(),
      details: withdrawalDetails(),
      approval: event('w', 'approved', { actor: 'omar' }),
      ines: user('ines'),
      olga: TREASURER,
      owed: account('ines:owed', 0),
      deposit: request('d', 'deposits', { status: 'approved' }),
      payment: payment('credited', { request: 'd', amount: 100 }),
      reserves: reserve('2026-01-15', 0),
      limit: ['settings', { key: 'dailyCeilings', value: '{"payouts":1000}', updated_at: NOW }],
      total: total(900),
    },
    write: { update: RELEASE },
    cases: {
      'a replacement is released': [{}, 'accepted'],
      'at any time': [{ transaction: { built_at: NOW - DAY_MS - 1 } }, 'accepted'],
      'not if both could be mined': [{ coin: { coin: 'd:0' } }, ONE_MINED],
      'nor if it spends nothing': [{ coin: null }, ONE_MINED],
      'one that was never released could not be mined': [
        { coin: { coin: 'd:0' }, first: { txid: null } },
        'accepted',
      ],
      'it pays the same, so a frozen account does not matter': [{ ines: { frozen_at: NOW } }, 'accepted'],
      'nor a debt': [{ owed: { balance: -1 } }, 'accepted'],
      'nor a payment that is gone': [{ payment: { state: 'undone' } }, 'accepted'],
      'nor missing reserves': [{ reserves: { stops_payouts: 1 } }, 'accepted'],
      'nor the limit of the day': [{ total: { amount: 1000 } }, 'accepted'],
      'who approved a withdrawal does not release it either': [
        { approval: { actor: 'olga' } },
        'second_operator_required',
      ],
    },
  },
  {
    trigger: 'payout_transactions_released',
    given: {
      transaction: transaction(2, { details: '{"nonce":5}' }),
      first: transaction(1, { ...RELEASE, txid: OTHER_TXID, details: '{"nonce":5}' }),
      payout: payout('released', { ...RELEASED, chain: 'ethereum' }),
      item: item({ output: 0 }),
      withdrawal: withdrawal(),
      approval: event('w', 'approved', { actor: 'omar' }),
      olga: TREASURER,
    },
    write: { update: RELEASE },
    cases: {
      'a replacement on Ethereum has the same nonce': [{}, 'accepted'],
      'not another one': [{ transaction: { details: '{"nonce":6}' } }, ONE_MINED],
      'nor none': [{ transaction: { details: '{}' } }, ONE_MINED],
    },
  },
  {
    trigger: 'payout_transactions_released',
    given: {
      transaction: transaction(1),
      payout: payout('built'),
      coin: coin('c:0'),
      item: item(),
      withdrawal: withdrawal(),
      approval: event('w', 'approved', { actor: 'omar' }),
      olga: TREASURER,
      cancelled: payout('cancelled', { seq: 2, id: 'o' }),
      'its item': item({ payout: 'o' }),
      'its transaction': transaction(1, { payout: 'o' }),
      'its coin': coin('c:0', { payout: 'o' }),
      'another coin of it': coin('d:0', { payout: 'o' }),
      // Three blocks above the spending one.
      header: header(800, 'block'),
      tip: header(802, 'tip'),
      spend: ['coin_spends', { coin: 'd:0', block_hash: 'block', height: 801, txid: OTHER_TXID }],
    },
    write: { update: RELEASE },
    cases: {
      'after a cancelled payout its withdrawal is paid with one of its coins': [{}, 'accepted'],
      'not with others': [{ coin: { coin: 'e:0' } }, 'conflict'],
      'nor with the coin of another version': [{ coin: { version: 2 } }, 'conflict'],
      'nor with that of another payout': [{ coin: { payout: 'q' } }, 'conflict'],
      'until another transaction has spent one of them': [
        { coin: { coin: 'e:0' }, spend: { height: 800 } },
        'accepted',
      ],
      'three blocks deep': [
        { coin: { coin: 'e:0' }, spend: { height: 800 }, tip: { height: 801 } },
        'conflict',
      ],
      'on our chain': [{ coin: { coin: 'e:0' }, spend: { height: 800, block_hash: 'lost' } }, 'conflict'],
      'not its own transaction': [
        {
          coin: { coin: 'e:0' },
          spend: { height: 800 },
          'its transaction': { details: `{"txid":"${OTHER_TXID}"}` },
        },
        'conflict',
      ],
      'a payout that is still open does not matter here': [
        { coin: { coin: 'e:0' }, cancelled: { state: 'built' } },
        'accepted',
      ],
      'nor one of another withdrawal': [{ coin: { coin: 'e:0' }, 'its item': { request: 'x' } }, 'accepted'],
    },
  },
  {
    trigger: 'payout_transactions_released',
    given: {
      transaction: transaction(1, { details: '{"nonce":5}' }),
      payout: payout('built', { chain: 'ethereum' }),
      item: item({ output: 0 }),
      withdrawal: withdrawal(),
      approval: event('w', 'approved', { actor: 'omar' }),
      olga: TREASURER,
      cancelled: payout('cancelled', { seq: 2, id: 'o', chain: 'ethereum' }),
      'its item': item({ payout: 'o', output: 0 }),
      'its transaction': transaction(1, { payout: 'o', details: '{"nonce":5}', unsigned: '0x02' }),
      used: treasury({ nonce: 9 }),
      'a payout on Bitcoin': payout('confirmed', { seq: 3, id: 'z' }),
    },
    write: { update: RELEASE },
    cases: {
      'after a cancelled payout on Ethereum its withdrawal is paid with its nonce': [{}, 'accepted'],
      'not with another one': [{ transaction: { details: '{"nonce":6}' } }, 'conflict'],
      'nor with none': [{ transaction: { details: '{}' } }, 'conflict'],
      'until another transaction has used it': [
        { transaction: { details: '{"nonce":6}' }, used: { nonce: 5 } },
        'accepted',
      ],
      'of the same wallet': [
        { transaction: { details: '{"nonce":6}' }, used: { nonce: 5, wallet: 'x' } },
        'conflict',
      ],
      'not its own transaction': [
        { transaction: { details: '{"nonce":6}' }, used: { nonce: 5, payload: '0x02' } },
        'conflict',
      ],
    },
  },
  {
    trigger: 'payout_transactions_sent',
    given: {
      transaction: transaction(1),
      payout: payout('built'),
      item: item(),
      withdrawal: withdrawal(),
      'another payout': payout('built', { seq: 2, id: 'o' }),
      'its item': item({ payout: 'o', request: 'x' }),
      'its withdrawal': request('x', 'withdrawals', { status: 'approved', amount: 50 }),
      total: total(7),
    },
    write: { update: RELEASE },
    cases: {
      'a release counts, and its payout follows': [
        {},
        {
          decision_totals: [{ queue: 'withdrawals', operator: 'house', hour: HOUR, amount: 107 }],
          payouts: [
            { id: 'p', state: 'released', released_by: 'olga', released_at: NOW },
            { id: 'o', state: 'built' },
          ],
        },
      ],
      'it opens its hour': [
        { total: { hour: HOUR - 1 } },
        {
          decision_totals: [
            { hour: HOUR - 1, amount: 7 },
            { queue: 'withdrawals', operator: 'house', hour: HOUR, amount: 100 },
          ],
          payouts: [{ state: 'released' }, { state: 'built' }],
        },
      ],
      'beside that of credits': [
        { total: { queue: 'deposits' } },
        {
          decision_totals: [
            { queue: 'deposits', amount: 7 },
            { queue: 'withdrawals', operator: 'house', amount: 100 },
          ],
          payouts: [{ state: 'released' }, { state: 'built' }],
        },
      ],
      'and that of an operator': [
        { total: { operator: 'olga' } },
        {
          decision_totals: [
            { operator: 'house', amount: 100 },
            { operator: 'olga', amount: 7 },
          ],
          payouts: [{ state: 'released' }, { state: 'built' }],
        },
      ],
      'a replacement does not count again': [
        { transaction: { version: 2 }, payout: { state: 'released' } },
        'accepted',
      ],
      'no release without its payout': [{ payout: null }, 'payouts: the payout did not follow'],
    },
  },
]

const ENDED = 'payouts: what is over stays as it is'
const NOT_MINED = 'payouts: a mined payout names its transaction and block'
const NOT_SIGNED = 'payouts: a released payout has its signed transaction'
const NOT_FAILED = 'payouts: only a transaction that Ethereum mined has failed'
const NEVER_MINED = 'payouts: a replaced payout can never be mined'

const FOLLOWED: readonly Written[] = [
  {
    trigger: 'payouts_follow',
    given: { payout: payout('built') },
    write: { update: { checked_at: NOW } },
    cases: {
      'a payout is looked at again': [{}, 'accepted'],
      ...unchanged(STAYS_BUILT, {
        seq: 2,
        id: 'other',
        chain: 'ethereum',
        wallet: 'x',
        built_by: 'omar',
        built_at: NOW + 1,
      }),
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('built'),
      transaction: transaction(1, RELEASE),
      next: transition('built', 'released'),
    },
    write: { update: { state: 'released', ...RELEASED } },
    cases: {
      'a payout is released with its signed transaction': [{}, 'accepted'],
      'not where no rule leads': [{ next: { from_state: 'cancelled' } }, 'already_decided'],
      'nor to another state': [{ next: { to_state: 'confirmed' } }, 'already_decided'],
      'not unsigned': [{ transaction: { txid: null } }, NOT_SIGNED],
      'not by anybody else': [{ write: { released_by: 'omar' } }, NOT_SIGNED],
      'not with the transaction of another payout': [{ transaction: { payout: 'o' } }, NOT_SIGNED],
    },
  },
  {
    trigger: 'payouts_follow',
    given: { payout: payout('built'), olga: TREASURER, next: transition('built', 'cancelled') },
    write: { update: { state: 'cancelled', cancelled_by: 'olga', cancelled_at: NOW } },
    cases: {
      'a treasurer cancels a payout': [{}, 'accepted'],
      'not after its release': [{ payout: { state: 'released' } }, 'already_decided'],
      'a reviewer cancels none': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
      'nor somebody unknown': [{ write: { cancelled_by: 'omar' } }, 'forbidden'],
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('released', { ...RELEASED, chain: 'ethereum' }),
      transaction: transaction(1, RELEASE),
      confirmed: transition('released', 'confirmed'),
      failed: transition('released', 'failed'),
      mined: treasury({ txid: TXID, succeeded: 0 }),
      'another transaction': transaction(3, { ...RELEASE, txid: OTHER_TXID }),
    },
    write: { update: { state: 'confirmed', ...MINED } },
    cases: {
      'a payout is confirmed with its transaction and block': [{}, 'accepted'],
      'not without a height': [{ write: { height: null } }, NOT_MINED],
      'not without a block': [{ write: { block_hash: null } }, NOT_MINED],
      'not without its time': [{ write: { confirmed_at: null } }, NOT_MINED],
      'not with a version that there is not': [{ write: { version: 2 } }, NOT_MINED],
      'not with one that was not released': [
        { transaction: { version: 2, txid: null }, write: { version: 2 } },
        NOT_MINED,
      ],
      'not with the transaction of another payout': [{ transaction: { payout: 'o' } }, NOT_MINED],
      'a transaction that Ethereum mined can have failed': [{ write: { state: 'failed' } }, 'accepted'],
      'not one that succeeded': [{ write: { state: 'failed' }, mined: { succeeded: 1 } }, NOT_FAILED],
      'not one that is in no final block': [{ write: { state: 'failed' }, mined: null }, NOT_FAILED],
      'not another version': [{ write: { state: 'failed' }, mined: { txid: OTHER_TXID } }, NOT_FAILED],
      'not the transaction of another payout': [
        {
          write: { state: 'failed' },
          mined: { txid: 'ef'.repeat(32) },
          'another transaction': { payout: 'o', version: 1, txid: 'ef'.repeat(32) },
        },
        NOT_FAILED,
      ],
      'not in another block': [{ write: { state: 'failed' }, mined: { block_hash: 'other' } }, NOT_FAILED],
      'nor at another height': [{ write: { state: 'failed' }, mined: { height: 801 } }, NOT_FAILED],
      'a confirmed payout is not replaced': [{ write: { replaced_by: OTHER_TXID } }, NEVER_MINED],
      'on Bitcoin it is confirmed': [{ payout: { chain: 'bitcoin' } }, 'accepted'],
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('released', { ...RELEASED, chain: 'ethereum' }),
      transaction: transaction(1, { ...RELEASE, details: '{"nonce":5}', unsigned: '0x02' }),
      next: transition('released', 'replaced'),
      used: treasury(),
    },
    write: {
      update: {
        state: 'replaced',
        replaced_by: OTHER_TXID,
        height: 800,
        block_hash: 'block',
        confirmed_at: NOW,
      },
    },
    cases: {
      'a payout whose nonce another transaction used is replaced': [{}, 'accepted'],
      'not by nothing': [{ write: { replaced_by: null } }, NEVER_MINED],
      'not while its nonce is unused': [{ used: { nonce: 6 } }, NEVER_MINED],
      'not by itself': [{ used: { payload: '0x02' } }, NEVER_MINED],
      'not by a transaction that is not there': [{ write: { replaced_by: TXID } }, NEVER_MINED],
      'not at another height': [{ write: { height: 801 } }, NEVER_MINED],
      'not in another block': [{ write: { block_hash: 'other' } }, NEVER_MINED],
      'a payout that is not replaced names no other transaction': [
        { write: { state: 'released' } },
        NEVER_MINED,
      ],
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('confirmed', { ...RELEASED, ...MINED, problem: 'gone' }),
      transaction: transaction(1, RELEASE),
    },
    write: { update: { problem: null, height: 801, block_hash: 'other' } },
    cases: {
      'a confirmed payout whose block is gone is in another one': [{}, 'accepted'],
      'not if nothing was wrong': [{ payout: { problem: null } }, ENDED],
      'not while it is gone': [{ write: { problem: 'gone' } }, ENDED],
      'nor at another height alone': [{ write: { problem: 'gone', block_hash: 'block' } }, ENDED],
      'nor in another block alone': [{ write: { problem: 'gone', height: 800 } }, ENDED],
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('replaced', { ...RELEASED, chain: 'ethereum', replaced_by: OTHER_TXID, ...MINED }),
      transaction: transaction(1, { ...RELEASE, details: '{"nonce":5}', unsigned: '0x02' }),
      used: treasury(),
      'another payout': treasury({ nonce: 6, txid: TXID }),
    },
    write: { update: { checked_at: NOW } },
    cases: {
      'a replaced payout is looked at again': [{}, 'accepted'],
      'it stays replaced': [{ write: { confirmed_at: NOW + 1 } }, ENDED],
      'by the same transaction': [
        { write: { replaced_by: TXID }, 'another payout': { nonce: 5 }, used: { nonce: 6 } },
        ENDED,
      ],
    },
  },
  {
    trigger: 'payouts_follow',
    given: {
      payout: payout('confirmed', { ...RELEASED, ...MINED }),
      transaction: transaction(1, RELEASE),
      replaced: transaction(2, { ...RELEASE, txid: OTHER_TXID }),
    },
    write: { update: { problem: 'gone' } },
    cases: {
      'a problem of a confirmed payout is noted': [{}, 'accepted'],
      ...unchanged(ENDED, {
        version: 2,
        height: 801,
        block_hash: 'other',
        confirmed_at: NOW + 1,
        released_by: 'omar',
        released_at: NOW + 1,
        cancelled_by: 'olga',
        cancelled_at: NOW,
      }),
    },
  },
]

/** What is written: the withdrawal `w` is paid. */
const PAID = event('w', 'completed', { amount: 100, reference: TXID, reference_key: TXID })[1]
const BY_SYSTEM = {
  ...PAID,
  actor: 'system',
  second_operator: 'omar',
  reference: `${TXID}:1`,
  reference_key: `${TXID}:1`,
}
const STOP = { insert: { seq: 7, investor: 'ines', cause: 'email', at: NOW } }

const PAYING: readonly Written[] = [
  {
    trigger: 'request_events_paid_by_chain',
    given: {
      withdrawal: withdrawal(),
      details: withdrawalDetails(),
      network: BTC,
      wallet: watchWallet(),
      server: ['chain_servers', { chain: 'bitcoin', server: 'one' }],
      item: item({ request: 'x' }),
      payout: payout('built'),
      transaction: transaction(1),
      signature: SIGNATURE,
    },
    write: { insert: PAID },
    cases: {
      'nobody completes a withdrawal from a watch wallet': [{}, 'paid_by_chain'],
      'not even two people': [{ write: { second_operator: 'omar' } }, 'paid_by_chain'],
      'without servers two people do': [
        { server: { chain: 'ethereum' }, write: { second_operator: 'omar' } },
        'accepted',
      ],
      'not one': [{ server: null }, 'second_operator_required'],
      'nor what is in a payout': [
        { server: null, signature: null, item: { request: 'w' }, write: { second_operator: 'omar' } },
        'paid_by_chain',
      ],
      'nor what was signed': [
        {
          server: null,
          item: { request: 'w' },
          payout: { state: 'cancelled' },
          write: { second_operator: 'omar' },
        },
        'paid_by_chain',
      ],
      'without a watch wallet a person does': [{ wallet: null }, 'accepted'],
      'a retired one does not matter': [{ wallet: { retired_at: NOW } }, 'accepted'],
      'nor one of another chain': [{ wallet: { chain: 'ethereum' } }, 'accepted'],
      'a payment to a bank is completed by a person': [
        { details: { network: null, coin: null, address: null, bank: '{}' } },
        'accepted',
      ],
      'a withdrawal that was decided is refused elsewhere': [
        { withdrawal: { status: 'rejected' } },
        'accepted',
      ],
      'it is rejected': [{ write: { status: 'rejected' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_paid_by_chain',
    given: {
      withdrawal: withdrawal(),
      details: withdrawalDetails(),
      network: BTC,
      wallet: watchWallet(),
      server: ['chain_servers', { chain: 'bitcoin', server: 'one' }],
      item: item(),
      payout: payout('replaced', RELEASED),
      transaction: transaction(1, RELEASE),
      coin: coin('c:0'),
      header: header(800, 'block'),
      tip: header(802, 'tip'),
      spend: ['coin_spends', { coin: 'c:0', block_hash: 'block', height: 800, txid: OTHER_TXID }],
    },
    write: {
      insert: { ...PAID, reference: OTHER_TXID, reference_key: `${OTHER_TXID}:0`, second_operator: 'omar' },
    },
    cases: {
      'what the transaction that replaced a payout paid is recorded by two people': [{}, 'accepted'],
      'not by one': [{ write: { second_operator: null } }, 'second_operator_required'],
      'nor after the wallet was retired': [
        { wallet: null, write: { second_operator: null } },
        'second_operator_required',
      ],
      'one records another withdrawal then': [
        { wallet: null, item: { request: 'x' }, write: { second_operator: null } },
        'accepted',
      ],
      'or another transaction': [
        { wallet: null, write: { second_operator: null, reference_key: `${TXID}:0` } },
        'accepted',
      ],
      'not under another transaction': [{ write: { reference_key: `${TXID}:0` } }, 'paid_by_chain'],
      'not for another withdrawal': [{ item: { request: 'x' } }, 'paid_by_chain'],
      'a cancelled payout that was mined paid it too': [{ payout: { state: 'cancelled' } }, 'accepted'],
      'an open one does not': [{ payout: { state: 'built' } }, 'paid_by_chain'],
    },
  },
  {
    trigger: 'request_events_paid_by_chain',
    given: { withdrawal: withdrawal(), item: item(), payout: payout('released', RELEASED) },
    write: { insert: PAID },
    cases: {
      'nobody completes a withdrawal that was sent': [{}, 'paid_by_chain'],
      'nor one whose payout was confirmed': [{ payout: { state: 'confirmed' } }, 'paid_by_chain'],
      'one whose payout was cancelled is not on its way': [{ payout: { state: 'cancelled' } }, 'accepted'],
      'nor one in no payout': [{ item: { request: 'x' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_paid_by_chain',
    given: {
      withdrawal: withdrawal(),
      details: withdrawalDetails(),
      network: BTC,
      wallet: watchWallet(),
      item: item(),
      payout: payout('confirmed', { ...RELEASED, ...MINED }),
      transaction: transaction(1, RELEASE),
      replaced: transaction(2, { ...RELEASE, txid: OTHER_TXID }),
    },
    write: { insert: BY_SYSTEM },
    cases: {
      'the system completes what a confirmed payout paid': [{}, 'accepted'],
      'not before it is confirmed': [{ payout: { state: 'released' } }, 'forbidden'],
      'not without who approved it': [{ write: { second_operator: null } }, 'forbidden'],
      'not if one person approved and released it': [{ write: { second_operator: 'olga' } }, 'forbidden'],
      'not for another output': [{ write: { reference_key: `${TXID}:0` } }, 'forbidden'],
      'not for a version that was not mined': [{ write: { reference_key: `${OTHER_TXID}:1` } }, 'forbidden'],
      'not for the whole transaction': [{ write: { reference_key: TXID } }, 'forbidden'],
      'not for another withdrawal': [{ item: { request: 'x' } }, 'forbidden'],
      'on Ethereum it is the whole transaction': [
        { payout: { chain: 'ethereum' }, write: { reference_key: TXID } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_keep_sent',
    given: {
      item: item(),
      payout: payout('released', RELEASED),
      transaction: transaction(1),
      signature: ['payout_signatures', { ...SIGNATURE[1], payout: 'o' }],
    },
    write: { insert: event('w', 'rejected')[1] },
    cases: {
      'a withdrawal that was sent is not rejected': [{}, 'payout_sent'],
      'nor one whose payout was confirmed': [{ payout: { state: 'confirmed' } }, 'payout_sent'],
      'before, it is': [{ payout: { state: 'built' } }, 'accepted'],
      'not after somebody signed': [
        { payout: { state: 'built' }, signature: { payout: 'p' } },
        'payout_sent',
      ],
      'also if the payout was cancelled then': [
        { payout: { state: 'cancelled' }, signature: { payout: 'p' } },
        'payout_sent',
      ],
      'another one is': [{ item: { request: 'x' } }, 'accepted'],
      'it is completed': [{ write: { status: 'completed' } }, 'accepted'],
    },
  },
  {
    trigger: 'withdrawn_payout_approvals_keep_sent',
    given: { item: item(), payout: payout('released', RELEASED) },
    write: { insert: { seq: 1, stop: 7, request: 'w', operator: 'omar', approved_at: NOW, at: NOW } },
    cases: {
      'the approval of a withdrawal that was sent stays': [{}, 'payout_sent'],
      'before, it is taken back': [{ payout: { state: 'built' } }, 'accepted'],
      'another one is': [{ item: { request: 'x' } }, 'accepted'],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: ['payout_stop_causes', { cause: 'email', words: 'Stopped', cancels: 0 }],
      withdrawal: withdrawal(),
      approval: event('w', 'approved'),
      item: item(),
      payout: payout('released', RELEASED),
    },
    write: STOP,
    companions: ['withdrawn_payout_approvals_take_effect'],
    cases: {
      'a stop does not call back what was sent': [{}, { withdrawn_payout_approvals: [] }],
      'it takes back the approval of what was not sent': [
        { payout: { state: 'built' } },
        { request_events: [], withdrawn_payout_approvals: [{ stop: 7, request: 'w', operator: 'olga' }] },
      ],
      'another withdrawal that was sent does not matter': [
        { item: { request: 'x' } },
        { request_events: [], withdrawn_payout_approvals: [{ stop: 7, request: 'w', operator: 'olga' }] },
      ],
    },
  },
  {
    trigger: 'request_events_unfrozen',
    given: { withdrawal: withdrawal(), ines: user('ines', { frozen_at: NOW }) },
    write: { insert: PAID },
    cases: {
      'nobody completes a withdrawal of a frozen account': [{}, 'account_frozen'],
      'the chain has paid already': [{ write: { actor: 'system' } }, 'accepted'],
      'the system credits no frozen account': [
        { write: { actor: 'system', status: 'approved' } },
        'account_frozen',
      ],
      'a person rejects its withdrawal': [{ write: { status: 'rejected' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_without_debt',
    given: {
      withdrawal: withdrawal(),
      next: [
        'request_transitions',
        { queue: 'withdrawals', from_status: 'approved', to_status: 'completed' },
      ],
      'or rejected': [
        'request_transitions',
        { queue: 'withdrawals', from_status: 'approved', to_status: 'rejected' },
      ],
      ines: user('ines'),
      owed: account('ines:owed', -1),
    },
    write: { insert: PAID },
    cases: {
      'nobody completes a withdrawal beside a debt': [{}, 'debt_outstanding'],
      'the chain has paid already': [{ write: { actor: 'system' } }, 'accepted'],
      'a person rejects it': [{ write: { status: 'rejected' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_house_ceiling',
    given: {
      withdrawal: withdrawal({ created_at: NOW - 2 * DAY_MS }),
      ines: user('ines'),
      olga: TREASURER,
      system: operator('system', 'treasurer'),
      total: total(901),
      limit: ['settings', { key: 'dailyCeilings', value: '{"payouts":1000,"credits":50}', updated_at: NOW }],
    },
    write: { insert: PAID },
    cases: {
      'nobody pays above the limit of a day': [{}, 'daily_payout_ceiling'],
      'what the chain paid counted when it was released': [{ write: { actor: 'system' } }, 'accepted'],
      'the system credits up to the limit of a day': [
        {
          withdrawal: { queue: 'deposits', status: 'pending' },
          write: { actor: 'system', status: 'approved' },
        },
        'daily_credit_ceiling',
      ],
    },
  },
  {
    trigger: 'request_events_own_ceiling',
    given: { withdrawal: withdrawal({ created_at: NOW - 2 * DAY_MS }), total: total(7) },
    write: { insert: BY_SYSTEM },
    cases: {
      'what the chain paid is not counted again': [{}, 'accepted'],
      'what two people pay is': [{ write: { actor: 'olga' } }, { decision_totals: [{ amount: 107 }] }],
    },
  },
  {
    trigger: 'transfers_without_debt',
    given: { held: account('ines:held', 100), owed: account('ines:owed', -1) },
    write: { insert: transfer('w:complete', 'complete', 'w', { from_account: 'ines:held' })[1] },
    cases: {
      'nobody completes a withdrawal beside a debt': [{}, 'debt_outstanding'],
      'the chain has paid already': [{ write: { actor: 'system' } }, 'accepted'],
    },
  },
]

/** Cases about payouts that are signed offline, what they release and complete, and reserves. */
export const PAYOUTS: readonly Written[] = [
  ...CUSTODY,
  ...BUILDING,
  ...RELEASING,
  ...FOLLOWED,
  ...PAYING,
  {
    trigger: 'payout_transactions_silently_frozen',
    given: {
      transaction: transaction(1),
      item: item(),
      withdrawal: withdrawal(),
      freeze: silentFreeze('f', 'ines', 7),
    },
    write: { update: RELEASE },
    cases: {
      'nobody releases it': [{}, 'decisions_reserved'],
      'its replacement pays the same': [{ transaction: { version: 2 } }, 'accepted'],
      'another payout': [{ item: { payout: 'other' } }, 'accepted'],
      'another withdrawal': [{ withdrawal: { id: 'other' } }, 'accepted'],
      'somebody else is paid': [{ freeze: { investor: 'ivan' } }, 'accepted'],
      'it has ended': [{ freeze: { ended_by: 'olga', ended_at: NOW } }, 'accepted'],
    },
  },
]
