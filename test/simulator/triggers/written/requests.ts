import { DAY_MS } from '../../../../src/time.ts'
import { account, event, operator, order, request, silentFreeze, transfer, user } from './rows.ts'
import { copies, NOW, type Written } from './situation.ts'

const HOUR_MS = 3_600_000
const HOUR = NOW / HOUR_MS
const HASH = 'ab'.repeat(32)

function total(queue: 'deposits' | 'withdrawals', who: string, amount: number, hour = HOUR) {
  return ['decision_totals', { queue, operator: who, hour, amount }] as const
}

function ceilings(limits: Readonly<Record<string, number>>) {
  return ['settings', { key: 'dailyCeilings', value: JSON.stringify(limits), updated_at: NOW }] as const
}

function destination(heldUntil: number | null = null) {
  return { investor: 'ines', destination_hash: 'h', confirmed_at: NOW, held_until: heldUntil }
}

/** What is written: a credit of the deposit `d`, or the payout of the withdrawal `w`. */
const CREDIT = { request: 'd', status: 'approved', at: NOW, actor: 'olga', investor: 'ines', amount: 400 }
const PAYOUT = { ...CREDIT, request: 'w', status: 'completed' }

/** Details of a deposit on a network. */
function depositTo(id: string, network: string) {
  return [
    'deposit_details',
    { request: id, coin: '', network, payment_to: '', receipt_key: '', receipt_type: '' },
  ] as const
}

function detailsOf(request: string, session: string) {
  return [
    'withdrawal_details',
    { request, bank: '{}', destination_hash: 'h', session_id: session, proof: 'none' },
  ] as const
}

const STOP = { insert: { seq: 7, investor: 'ines', cause: 'password', at: NOW } }
const STOP_CAUSE = ['payout_stop_causes', { cause: 'password', words: 'Stopped', cancels: 1 }] as const

/** Cases about deposits, withdrawals and their limits. */
export const REQUESTS: readonly Written[] = [
  {
    trigger: 'requests_filed',
    given: {
      kind: ['request_kinds', { kind: 'withdrawal', queue: 'withdrawals' }],
      open: request('w', 'withdrawals', { status: 'approved', seq: 1 }),
    },
    write: { insert: request('new', 'withdrawals', { seq: 100 })[1] },
    cases: {
      'an investor has twenty open withdrawals at most': [
        { open: copies(19, { id: 'w', ref: 'w', seq: 2 }) },
        'too_many_open',
      ],
      'the twentieth is filed': [{ open: copies(18, { id: 'w', ref: 'w', seq: 2 }) }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_credit',
    given: {
      deposit: request('d', 'deposits', { amount: 500_000, asked: 500_000 }),
      earlier: event('e', 'approved', { amount: 200_000, reference_key: 'x' }),
    },
    write: { insert: { ...CREDIT, amount: 300_000, reference_key: 'y' } },
    cases: {
      'one operator credits up to the limit of a day': [{}, 'accepted'],
      'not a cent more': [{ write: { amount: 300_001 } }, 'second_operator_required'],
    },
  },
  {
    trigger: 'request_events_credit',
    given: {
      deposit: request('d', 'deposits', { amount: 500_000, asked: 500_000 }),
      bonus: [
        'referral_bonuses',
        {
          invitee: 'ivan',
          id: 'b',
          referrer: 'ines',
          amount: 200_000,
          setting: 's',
          deposit: 'e',
          minimum: 0,
          due_at: NOW - DAY_MS + 1,
          matures_at: NOW,
        },
      ],
      earning: event('e', 'approved', { investor: 'ivan', amount: 1, reference_key: 'x' }),
    },
    write: { insert: { ...CREDIT, amount: 300_000, reference_key: 'y' } },
    cases: {
      'a bonus that the operator caused counts up to the limit': [{}, 'accepted'],
      'not a cent more': [{ bonus: { amount: 200_001 } }, 'second_operator_required'],
      'a bonus of a day ago does not': [{ bonus: { amount: 200_001, due_at: NOW - DAY_MS } }, 'accepted'],
      'nor one of another referrer': [{ bonus: { amount: 200_001, referrer: 'iris' } }, 'accepted'],
      'nor one that another operator caused': [
        { bonus: { amount: 200_001 }, earning: { actor: 'omar' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_payout',
    given: {
      withdrawal: request('w', 'withdrawals', { status: 'approved', amount: 300_000 }),
      approval: event('w', 'approved'),
      earlier: event('e', 'completed', { amount: 200_000 }),
    },
    write: { insert: { ...PAYOUT, amount: 300_000, reference_key: 'y' } },
    cases: {
      'one operator pays up to the limit of a day': [{}, 'accepted'],
      'not a cent more': [{ earlier: { amount: 200_001 } }, 'second_operator_required'],
      'what another investor got does not count': [
        { earlier: { amount: 200_001, investor: 'ivan' } },
        'accepted',
      ],
      'nor what another operator paid': [{ earlier: { amount: 200_001, actor: 'omar' } }, 'accepted'],
      'nor what two operators paid': [{ earlier: { amount: 200_001, second_operator: 'omar' } }, 'accepted'],
      'nor what was paid a day ago': [{ earlier: { amount: 200_001, at: NOW - DAY_MS } }, 'accepted'],
      'what was paid within a day counts': [
        { earlier: { amount: 200_001, at: NOW - DAY_MS + 1 } },
        'second_operator_required',
      ],
    },
  },
  {
    trigger: 'request_events_house_ceiling',
    given: {
      deposit: request('d', 'deposits', { created_at: NOW - 2 * DAY_MS }),
      ines: user('ines'),
      olga: operator('olga', 'treasurer'),
      total: total('deposits', 'house', 600),
      limits: ceilings({ credits: 1000 }),
    },
    write: { insert: CREDIT },
    cases: {
      'the company credits up to its limit of a day': [{}, 'accepted'],
      'not a cent more': [{ total: { amount: 601 } }, 'daily_credit_ceiling'],
      'the hour a day ago counts': [{ total: { amount: 601, hour: HOUR - 24 } }, 'daily_credit_ceiling'],
      'the hour before it does not': [{ total: { amount: 601, hour: HOUR - 25 } }, 'accepted'],
      'payouts do not count': [{ total: { amount: 601, queue: 'withdrawals' } }, 'accepted'],
      'what an operator decided alone is not counted twice': [
        { total: { amount: 601, operator: 'olga' } },
        'accepted',
      ],
      'nothing is no credit': [{ write: { amount: 0 }, total: { amount: 1001 } }, 'accepted'],
      'another request’s hour does not count': [{ deposit: { id: 'e' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_house_ceiling',
    given: {
      withdrawal: request('w', 'withdrawals', { status: 'approved', created_at: NOW - 2 * DAY_MS }),
      ines: user('ines'),
      olga: operator('olga', 'treasurer'),
      total: total('withdrawals', 'house', 600),
      limits: ceilings({ payouts: 1000 }),
    },
    write: { insert: PAYOUT },
    cases: {
      'the company pays up to its limit of a day': [{}, 'accepted'],
      'not a cent more': [{ total: { amount: 601 } }, 'daily_payout_ceiling'],
      'the hour a day ago counts': [{ total: { amount: 601, hour: HOUR - 24 } }, 'daily_payout_ceiling'],
      'the hour before it does not': [{ total: { amount: 601, hour: HOUR - 25 } }, 'accepted'],
      'credits do not count': [{ total: { amount: 601, queue: 'deposits' } }, 'accepted'],
      'what an operator decided alone is not counted twice': [
        { total: { amount: 601, operator: 'olga' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_own_ceiling',
    given: {
      deposit: request('d', 'deposits', { created_at: NOW - 2 * DAY_MS }),
      total: total('deposits', 'olga', 600),
      limits: ceilings({ creditsAlone: 1000, payoutsAlone: 500 }),
    },
    write: { insert: { ...CREDIT, reference_key: 'y' } },
    cases: {
      'one operator credits up to the limit': [
        {},
        {
          decision_totals: [
            { queue: 'deposits', operator: 'house', hour: HOUR, amount: 400 },
            { queue: 'deposits', operator: 'olga', hour: HOUR, amount: 1000 },
          ],
        },
      ],
      'not a cent more': [{ total: { amount: 601 } }, 'second_operator_required'],
      'the hour a day ago counts': [{ total: { amount: 601, hour: HOUR - 24 } }, 'second_operator_required'],
      'the hour before it does not': [
        { total: { amount: 601, hour: HOUR - 25 } },
        { decision_totals: [{ operator: 'house' }, { hour: HOUR - 25, amount: 601 }, { amount: 400 }] },
      ],
      'payouts do not count': [
        { total: { amount: 601, queue: 'withdrawals' } },
        {
          decision_totals: [
            { operator: 'house' },
            { operator: 'olga', amount: 400 },
            { queue: 'withdrawals', amount: 601 },
          ],
        },
      ],
    },
  },
  {
    trigger: 'request_events_quantity',
    given: {
      earlier: event('e', 'approved'),
      details: ['deposit_details', { ...depositTo('d', 'btc')[1], coin: 'bitcoin', asked_rate: '50000' }],
      bitcoin: ['custody_assets', { asset: 'bitcoin', unit: 'satoshi', decimals: 8 }],
    },
    // 4 USD at 50,000 USD.
    write: { insert: { ...CREDIT, reference_key: 'y', units: 8160, units_at_rate: 8000 } },
    cases: {
      'one operator credits a quantity that is worth two percent more': [{}, 'accepted'],
      'not beyond it': [{ write: { units: 8161 } }, 'second_operator_required'],
      'a cent less is rounding': [{ write: { units: 7980 } }, 'accepted'],
      'not more than a cent': [{ write: { units: 7979 } }, 'second_operator_required'],
      'one unit is rounding too': [
        { details: { asked_rate: '40000000' }, write: { units: 9, units_at_rate: 10 } },
        'accepted',
      ],
      'not two': [
        { details: { asked_rate: '40000000' }, write: { units: 8, units_at_rate: 10 } },
        'second_operator_required',
      ],
      'two credit it': [{ write: { second_operator: 'omar' } }, 'accepted'],
      'and more, if the first one stated the same quantity': [
        { write: { second_operator: 'omar', units: 9000 } },
        'accepted',
      ],
      'the price at the announcement counts, if it was lower': [
        { write: { units_at_rate: 7998 } },
        'events: a credit counts the lower price',
      ],
      'a unit is rounding': [{ write: { units: 8000, units_at_rate: 7999 } }, 'accepted'],
      'a whole one too': [
        { details: { asked_rate: '0.4' }, write: { units: 999_999_998, units_at_rate: 999_999_998 } },
        'accepted',
      ],
      'also if two credit it': [
        { write: { units_at_rate: 7998, second_operator: 'omar' } },
        'events: a credit counts the lower price',
      ],
      'the system has quotes': [{ write: { units: 7998, units_at_rate: 7998, actor: 'system' } }, 'accepted'],
      'another deposit’s price does not matter': [
        { details: { request: 'e' }, write: { units: 7000, units_at_rate: 7000 } },
        'accepted',
      ],
      'without a price at the announcement it takes two': [
        { details: { asked_rate: null } },
        'second_operator_required',
      ],
      'who may credit it': [
        { details: { asked_rate: null }, write: { second_operator: 'omar' } },
        'accepted',
      ],
      'the system needs none': [{ details: { asked_rate: null }, write: { actor: 'system' } }, 'accepted'],
      'without a price now it takes two': [{ write: { units_at_rate: null } }, 'second_operator_required'],
      'a quantity is stated': [
        { write: { units: null } },
        'events: a credit names the quantity that arrived',
      ],
    },
  },
  {
    trigger: 'request_events_quantity',
    given: {
      first: [
        'credit_approvals',
        {
          request: 'd',
          operator: 'omar',
          reference: 'y',
          reference_key: 'y',
          amount: 400,
          units: 50,
          at: NOW,
        },
      ],
    },
    write: {
      insert: { ...CREDIT, reference_key: 'y', units: 50, units_at_rate: 50, second_operator: 'omar' },
    },
    cases: {
      'both operators state the same quantity': [{}, 'accepted'],
      'and no other': [{ write: { units: 51 } }, 'approval_mismatch'],
      'the first one states one too': [{ first: { units: null } }, 'approval_mismatch'],
      'one’s own approval is refused elsewhere': [
        { first: { operator: 'olga' }, write: { units: 51, second_operator: null } },
        'accepted',
      ],
      'another deposit’s does not matter': [{ first: { request: 'e' }, write: { units: 51 } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_priced',
    given: {
      earlier: event('e', 'approved'),
      withdrawal: request('w', 'withdrawals', { amount: 400 }),
      details: [
        'withdrawal_details',
        { ...detailsOf('w', 's')[1], bank: null, coin: 'bitcoin', network: 'btc', address: 'a' },
      ],
      bitcoin: ['custody_assets', { asset: 'bitcoin', unit: 'satoshi', decimals: 8 }],
    },
    write: { insert: { ...PAYOUT, status: 'approved', units_at_rate: 8000, rate: '50000' } },
    cases: {
      'an approval fixes what the amount buys': [{}, 'accepted'],
      'a cent more or less is rounding': [{ write: { units_at_rate: 8020 } }, 'accepted'],
      'more is not': [
        { write: { units_at_rate: 8021 } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'one unit is rounding too, if it is worth more than a cent': [
        { write: { units_at_rate: 1, rate: '700000000' } },
        'accepted',
      ],
      'nor less': [
        { write: { units_at_rate: 7979 } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'there are units': [
        { withdrawal: { amount: 1 }, write: { units_at_rate: 0 } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'units need a rate': [
        { write: { rate: null } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'a rate needs units': [
        { write: { units_at_rate: null } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'a bank has no price': [
        { details: { coin: null, network: null, address: null, bank: '{}' } },
        'events: the units are what the withdrawal is worth at the rate',
      ],
      'without a price nothing is fixed': [{ write: { units_at_rate: null, rate: null } }, 'accepted'],
      'a credit is checked elsewhere': [{ write: { reference_key: 'x', units_at_rate: 9 } }, 'accepted'],
      'as is a payout': [{ write: { status: 'completed', units_at_rate: 9 } }, 'accepted'],
      'another request’s amount does not matter': [{ earlier: { amount: 7 } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_sent',
    given: {
      approval: event('w', 'approved', { units_at_rate: 50 }),
      details: [
        'withdrawal_details',
        { ...detailsOf('w', 's')[1], bank: null, coin: 'bitcoin', network: 'btc', address: 'a' },
      ],
      btc: ['networks', { name: 'btc', has_outputs: 1, chain: 'bitcoin' }],
      eth: ['networks', { name: 'eth', has_outputs: 0, chain: 'ethereum' }],
      tron: ['networks', { name: 'usdt-trc20', has_outputs: 0, chain: 'tron' }],
    },
    write: { insert: { ...PAYOUT, units: 51, units_at_rate: 50 } },
    cases: {
      'one operator sends up to 2 % more': [{}, 'accepted'],
      'or less': [{ write: { units: 49 } }, 'accepted'],
      'not beyond it': [{ write: { units: 52 } }, 'second_operator_required'],
      'nor without a price': [
        { approval: { units_at_rate: null }, write: { units_at_rate: null } },
        'second_operator_required',
      ],
      'two operators do': [{ write: { units: 52, second_operator: 'omar' } }, 'accepted'],
      'a quantity is above zero': [
        { write: { units: 0 } },
        'events: a payout names the quantity that was sent',
      ],
      'a payout in coins names one': [
        { write: { units: null } },
        'events: a payout names the quantity that was sent',
      ],
      'the price is that of the approval': [
        { write: { units_at_rate: 51 } },
        'events: a payout names the quantity that was sent',
      ],
      'not that of another request': [
        { approval: { request: 'v' } },
        'events: a payout names the quantity that was sent',
      ],
      'nor that of another step': [
        { approval: { status: 'pending' } },
        'events: a payout names the quantity that was sent',
      ],
      'a bank is paid without one': [
        {
          details: { coin: null, network: null, address: null, bank: '{}' },
          write: { units: null, units_at_rate: null },
        },
        'accepted',
      ],
      'a bank has no fee': [
        {
          details: { coin: null, network: null, address: null, bank: '{}' },
          write: { units: null, units_at_rate: null, fee: 1 },
        },
        'events: a payout names the quantity that was sent',
      ],
      'the chain completes without one': [
        { write: { actor: 'system', units: null, units_at_rate: null, second_operator: 'omar' } },
        'accepted',
      ],
      'the chain books its fees itself': [
        { write: { actor: 'system', fee: 1 } },
        'events: a network fee is in BTC or ETH',
      ],
      'a fee of 0.001 BTC is usual': [{ write: { fee: 100_000 } }, 'accepted'],
      'more takes two': [{ write: { fee: 100_001 } }, 'second_operator_required'],
      'who may pay it': [{ write: { fee: 100_001, second_operator: 'omar' } }, 'accepted'],
      'on Ethereum it is 0.01 ETH': [{ details: { network: 'eth' }, write: { fee: 10_000_000 } }, 'accepted'],
      'not more': [{ details: { network: 'eth' }, write: { fee: 10_000_001 } }, 'second_operator_required'],
      'a fee is above zero': [{ write: { fee: 0 } }, 'events: a network fee is in BTC or ETH'],
      'other networks take no coins of ours': [
        { details: { network: 'usdt-trc20' }, write: { fee: 1 } },
        'events: a network fee is in BTC or ETH',
      ],
      'a credit is checked elsewhere': [
        { approval: { request: 'v' }, write: { status: 'approved', units: 52 } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'custody_enters_what_was_sent',
    given: { payout: event('w', 'completed', { units: 5 }) },
    write: { insert: { id: 'w:out', asset: 'usdt', quantity: -5, code: 'out', ref: 'w', at: NOW } },
    cases: {
      'what was sent leaves custody': [{}, 'accepted'],
      'and no other quantity': [{ write: { quantity: -4 } }, 'custody: entry differs from the quantity sent'],
      'another request does not matter': [{ payout: { request: 'v' }, write: { quantity: -4 } }, 'accepted'],
      'nor another step': [{ payout: { status: 'approved' }, write: { quantity: -4 } }, 'accepted'],
      'a credit is checked elsewhere': [{ write: { code: 'in', quantity: 4 } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_own_investor',
    given: {
      credit: event('d', 'approved', { actor: 'omar', reference_key: 'x' }),
      document: [
        'kyc_submissions',
        {
          id: 'k',
          ref: 'k',
          user_id: 'ines',
          status: 'approved',
          document: '',
          media_type: '',
          file_key: '',
          created_at: NOW,
          decided_by: 'omar',
        },
      ],
    },
    write: { insert: PAYOUT },
    cases: {
      'an operator pays whom others credited and approved': [{}, 'accepted'],
      'not alone whom they credited': [{ credit: { actor: 'olga' } }, 'second_operator_required'],
      'nor if another one approved the credit after them': [
        { credit: { second_operator: 'olga' } },
        'second_operator_required',
      ],
      'nor whose document they approved': [{ document: { decided_by: 'olga' } }, 'second_operator_required'],
      'the documents they rejected do not matter': [
        { document: { decided_by: 'olga', status: 'rejected' } },
        'accepted',
      ],
      'nor do other investors': [
        { credit: { actor: 'olga', investor: 'ivan' }, document: { decided_by: 'olga', user_id: 'ivan' } },
        'accepted',
      ],
      'two operators may': [{ credit: { actor: 'olga' }, write: { second_operator: 'omar' } }, 'accepted'],
      'an approval pays nothing': [{ credit: { actor: 'olga' }, write: { status: 'approved' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_canonical',
    given: { withdrawal: request('w', 'withdrawals', { kind: 'online-service-withdrawal' }) },
    write: { insert: { ...PAYOUT, reference: 'AB-12', reference_key: 'bank:ab12' } },
    cases: {
      'a bank’s reference is compared in small letters and without signs': [{}, 'accepted'],
      'the hash of a transaction is no bank’s reference': [
        { write: { reference: HASH.toUpperCase(), reference_key: `bank:${HASH}` } },
        'events: a reference has one spelling',
      ],
      'a text as long as a hash is one': [
        { write: { reference: `Z${HASH.slice(1).toUpperCase()}`, reference_key: `bank:z${HASH.slice(1)}` } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_canonical',
    given: {
      withdrawal: [
        'withdrawal_details',
        { request: 'w', network: 'btc', address: 'a', destination_hash: 'h', session_id: '', proof: 'totp' },
      ],
      btc: ['networks', { name: 'btc', has_outputs: 1, chain: 'bitcoin' }],
    },
    write: { insert: { ...PAYOUT, reference: `${HASH}:3`, reference_key: `${HASH}:3` } },
    cases: {
      'one output of a transaction pays a withdrawal': [{}, 'accepted'],
      'not on a network without outputs': [
        { btc: { has_outputs: 0 } },
        'events: a reference has one spelling',
      ],
      'not on another network': [{ withdrawal: { network: 'eth' } }, 'events: a reference has one spelling'],
    },
  },
  {
    trigger: 'request_events_payment_once',
    given: {
      withdrawal: request('w', 'withdrawals', { status: 'approved' }),
      details: [
        'withdrawal_details',
        { request: 'w', address: 'a', destination_hash: 'h', session_id: '', proof: 'totp', held_until: NOW },
      ],
      ines: user('ines'),
      paid: request('x', 'withdrawals', { status: 'completed' }),
      payment: event('x', 'completed', { reference_key: `${HASH}:1` }),
    },
    write: { insert: { ...PAYOUT, reference_key: HASH } },
    cases: {
      'a transaction pays once, when the delay is over': [{}, 'reference_used'],
      'during the delay another trigger refuses': [{ details: { held_until: NOW + 1 } }, 'accepted'],
      'what follows the outputs of a transaction is another reference': [
        { payment: { reference_key: `${HASH};` } },
        'accepted',
      ],
    },
  },
  ...['request_events_payment_once', 'credit_approvals_payment_once'].map(
    (trigger): Written => ({
      trigger,
      given: {
        deposit: request('d', 'deposits'),
        details: depositTo('d', 'btc'),
        ines: user('ines'),
        paid: request('x', 'deposits', { status: 'approved' }),
        'details of the paid one': depositTo('x', 'usdt-erc20'),
        payment: event('x', 'approved', { reference_key: `${HASH}:7` }),
        btc: ['networks', { name: 'btc', has_outputs: 1, chain: 'bitcoin' }],
        usdt: ['networks', { name: 'usdt-erc20', has_outputs: 1, chain: 'ethereum' }],
      },
      write:
        trigger === 'request_events_payment_once'
          ? { insert: { ...PAYOUT, request: 'd', status: 'approved', reference_key: `${HASH}:0` } }
          : {
              insert: {
                request: 'd',
                operator: 'olga',
                reference: `${HASH}:0`,
                reference_key: `${HASH}:0`,
                amount: 100,
                at: NOW,
              },
            },
      cases: {
        'a transaction is credited on one chain': [{}, 'reference_used'],
        'its outputs on the same chain are credited': [{ usdt: { chain: 'bitcoin' } }, 'accepted'],
      },
    }),
  ),
  {
    trigger: 'credit_approvals_payment_once',
    given: {
      deposit: request('d', 'deposits'),
      ines: user('ines'),
      paid: request('x', 'deposits', { status: 'approved' }),
      payment: event('x', 'approved', { reference_key: `${HASH}:1` }),
      other: [
        'credit_approvals',
        { request: 'y', operator: 'olga', reference: '', reference_key: '', amount: 1, at: NOW },
      ],
    },
    write: {
      insert: { request: 'd', operator: 'olga', reference: HASH, reference_key: HASH, amount: 100, at: NOW },
    },
    cases: {
      'a transaction is credited once': [{}, 'reference_used'],
      'what follows the outputs of a transaction is another reference': [
        { payment: { reference_key: `${HASH};` } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_without_debt',
    given: {
      withdrawal: request('w', 'withdrawals'),
      transition: [
        'request_transitions',
        { queue: 'withdrawals', from_status: 'pending', to_status: 'approved' },
      ],
      ines: user('ines'),
      debt: account('ines:owed', -1),
    },
    write: { insert: { ...PAYOUT, status: 'approved' } },
    cases: {
      'nothing is approved for an investor with a debt': [{}, 'debt_outstanding'],
      'a repaid debt does not matter': [{ debt: { balance: 0 } }, 'accepted'],
      'another investor’s debt does not matter': [{ debt: { id: 'ivan:owed' } }, 'accepted'],
    },
  },
  ...['known_destinations_wait_after_change', 'known_destinations_keep_waiting'].map((trigger): Written => {
    const isNew = trigger === 'known_destinations_wait_after_change'
    const ines = user('ines', { security_changed_at: NOW - 3 * DAY_MS })
    return {
      trigger,
      given: isNew ? { ines } : { known: ['known_destinations', destination(NOW + 1)], ines },
      write: isNew ? { insert: destination() } : { update: { held_until: null } },
      cases: {
        'three days after a change of the password nothing is delayed': [{}, 'accepted'],
        'a moment earlier it is': [
          { ines: { security_changed_at: NOW - 3 * DAY_MS + 1 } },
          'destination_on_hold',
        ],
      },
    }
  }),
  {
    trigger: 'withdrawal_details_large_share',
    given: {
      withdrawal: request('w', 'withdrawals'),
      earlier: request('x', 'withdrawals', { created_at: NOW - DAY_MS }),
      available: account('ines:available', 200),
    },
    write: { insert: { request: 'w', bank: '{}', destination_hash: 'h', session_id: '', proof: 'none' } },
    cases: {
      'half of the money goes without another proof, after a day again': [{}, 'accepted'],
      'not within a day': [{ earlier: { created_at: NOW - DAY_MS + 1 } }, 'step_up_required'],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      withdrawal: request('w', 'withdrawals', { status: 'approved' }),
      deposit: request('d', 'deposits', { status: 'approved' }),
      'of another': request('x', 'withdrawals', { status: 'approved', investor: 'ivan' }),
      'approval of another': event('x', 'approved', { investor: 'ivan' }),
      credit: event('d', 'approved', { actor: 'omar', at: NOW - 8 }),
      approval: event('w', 'approved', { at: NOW - 9 }),
    },
    companions: ['withdrawn_payout_approvals_take_effect'],
    write: STOP,
    cases: {
      'a stop takes back the approval of a withdrawal': [
        {},
        {
          request_events: [{ request: 'd' }, { request: 'x' }],
          withdrawn_payout_approvals: [
            { stop: 7, request: 'w', operator: 'olga', approved_at: NOW - 9, at: NOW },
          ],
        },
      ],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      withdrawal: request('w', 'withdrawals'),
      // Without the other triggers nothing else ends the withdrawal, so its approval counts as taken back.
      taken: [
        'withdrawn_payout_approvals',
        { seq: 1, stop: 7, request: 'w', operator: 'olga', approved_at: NOW - 9, at: NOW },
      ],
      foreign: transfer('x:release', 'release', 'x'),
    },
    write: STOP,
    cases: {
      'a stop cancels a pending withdrawal and releases its money': [
        {},
        {
          request_events: [{ request: 'w', status: 'cancelled', at: NOW, actor: 'ines', note: 'Stopped' }],
          transfers: [
            { id: 'x:release' },
            {
              id: 'w:release',
              from_account: 'ines:held',
              to_account: 'ines:available',
              amount: 100,
              ref: 'w',
            },
          ],
        },
      ],
      'an approval that an earlier stop took back does not count': [
        { taken: { stop: 6 } },
        'stops: something is still on its way out',
      ],
      'what was released stays so': [
        { foreign: { id: 'w:release' } },
        { request_events: [{ request: 'w' }], transfers: [{ id: 'w:release', ref: 'x' }] },
      ],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      withdrawal: request('w', 'withdrawals', { status: 'cancelled' }),
      deposit: request('d', 'deposits', { status: 'approved' }),
      credit: event('d', 'approved'),
      approval: event('w', 'approved'),
      end: event('w', 'cancelled', { actor: 'ines' }),
    },
    write: STOP,
    cases: {
      'a stop releases what it cancelled, and takes back no other approval': [
        {},
        { transfers: [{ id: 'w:release' }] },
      ],
      'it does not release what an operator cancelled': [{ end: { actor: 'olga' } }, 'accepted'],
      'nor what was rejected in the same moment': [{ end: { status: 'rejected' } }, 'accepted'],
      'nor what was cancelled before': [{ end: { at: NOW - 1 } }, 'accepted'],
      'nor what another investor cancelled': [{ end: { investor: 'ivan' } }, 'accepted'],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      deposit: request('d', 'deposits', { status: 'cancelled' }),
      end: event('d', 'cancelled', { actor: 'ines' }),
      order: order('o', 'redeem', { onward: '{}' }),
    },
    write: STOP,
    cases: {
      'a cancelled deposit releases nothing, and proceeds stay in the account': [
        {},
        { unit_orders: [{ id: 'o', onward: null, onward_at: null }] },
      ],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      withdrawal: request('w', 'withdrawals', { status: 'approved' }),
      approval: event('w', 'approved', { at: NOW - 9 }),
      details: detailsOf('w', 'mine'),
      'of another': detailsOf('x', 'theirs'),
    },
    companions: ['withdrawn_payout_approvals_take_effect'],
    write: STOP,
    cases: {
      'the approval of what the kept session requested stays': [
        { write: { kept_session: 'mine' } },
        { request_events: [{ request: 'w' }], withdrawn_payout_approvals: [] },
      ],
      'that of what another session requested is taken back': [
        { write: { kept_session: 'theirs' } },
        { request_events: [], withdrawn_payout_approvals: [{ request: 'w' }] },
      ],
      'that of what the ended session requested is taken back': [
        { write: { ended_session: 'mine' } },
        { request_events: [], withdrawn_payout_approvals: [{ request: 'w' }] },
      ],
      'that of what a session requested that did not end stays': [
        { write: { ended_session: 'theirs' } },
        { request_events: [{ request: 'w' }], withdrawn_payout_approvals: [] },
      ],
    },
  },
  {
    trigger: 'payout_stops_take_effect',
    given: {
      cause: STOP_CAUSE,
      withdrawal: request('w', 'withdrawals'),
      details: detailsOf('w', 'mine'),
      'of another': detailsOf('x', 'theirs'),
      // As above: of another stop, so that what is not cancelled counts.
      taken: [
        'withdrawn_payout_approvals',
        { seq: 1, stop: 6, request: 'w', operator: 'olga', approved_at: NOW - 9, at: NOW },
      ],
    },
    write: STOP,
    cases: {
      'what the kept session requested goes on': [
        { write: { kept_session: 'mine' } },
        { request_events: [], transfers: [] },
      ],
      'what a session requested that did not end goes on': [
        { write: { ended_session: 'theirs' } },
        { request_events: [], transfers: [] },
      ],
      'what another session requested is cancelled': [
        { taken: { stop: 7 }, write: { kept_session: 'theirs' } },
        { request_events: [{ request: 'w', status: 'cancelled' }], transfers: [{ id: 'w:release' }] },
      ],
      'it is not left as it was': [
        { write: { kept_session: 'theirs' } },
        'stops: something is still on its way out',
      ],
      'what the ended session requested is cancelled': [
        { taken: { stop: 7 }, write: { ended_session: 'mine' } },
        { request_events: [{ request: 'w', status: 'cancelled' }], transfers: [{ id: 'w:release' }] },
      ],
      'neither is that': [{ write: { ended_session: 'mine' } }, 'stops: something is still on its way out'],
    },
  },
  ...(['pending', 'settled'] as const).map(
    (status): Written => ({
      trigger: 'payout_stops_take_effect',
      given: { cause: STOP_CAUSE, order: order('o', 'redeem', { onward: '{"sessionId":"mine"}', status }) },
      write: STOP,
      cases: {
        'the proceeds that the kept session withdraws go on': [
          { write: { kept_session: 'mine' } },
          { unit_orders: [{ id: 'o', onward: '{"sessionId":"mine"}' }] },
        ],
        'those of another session stay in the account': [
          { write: { kept_session: 'theirs' } },
          { unit_orders: [{ id: 'o', onward: null }] },
        ],
        'those that the ended session withdraws stay in the account': [
          { write: { ended_session: 'mine' } },
          { unit_orders: [{ id: 'o', onward: null }] },
        ],
        'those of a session that did not end go on': [
          { write: { ended_session: 'theirs' } },
          { unit_orders: [{ id: 'o', onward: '{"sessionId":"mine"}' }] },
        ],
      },
    }),
  ),
  {
    trigger: 'request_events_after_stop',
    given: {
      cause: ['payout_stop_causes', { cause: 'password', words: '', cancels: 1, second_operator_days: 7 }],
      other: ['payout_stop_causes', { cause: 'other', words: '', cancels: 1, second_operator_days: 9 }],
      stop: ['payout_stops', { seq: 7, investor: 'ines', cause: 'password', at: NOW - 7 * DAY_MS + 1 }],
      taken: [
        'withdrawn_payout_approvals',
        { seq: 1, stop: 6, request: 'x', operator: 'olga', approved_at: NOW - 9, at: NOW },
      ],
    },
    write: { insert: PAYOUT },
    cases: {
      'for seven days after a reset one operator does not pay alone': [{}, 'second_operator_required'],
      'afterwards one does': [{ stop: { at: NOW - 7 * DAY_MS } }, 'accepted'],
      'two do': [{ write: { second_operator: 'omar' } }, 'accepted'],
      'one approves': [{ write: { status: 'approved' } }, 'accepted'],
      'another investor’s reset does not matter': [{ stop: { investor: 'ivan' } }, 'accepted'],
      'what a stop took back is never paid by one alone': [
        { stop: { investor: 'ivan' }, taken: { request: 'w' } },
        'second_operator_required',
      ],
    },
  },
  {
    trigger: 'request_events_silently_frozen',
    given: { freeze: silentFreeze('f', 'ines', 7) },
    write: { insert: PAYOUT },
    cases: {
      'nobody pays': [{}, 'decisions_reserved'],
      'nobody approves': [{ write: { status: 'approved' } }, 'decisions_reserved'],
      'nobody rejects': [{ write: { status: 'rejected' } }, 'decisions_reserved'],
      'nor does the system approve': [
        { write: { status: 'approved', actor: 'system' } },
        'decisions_reserved',
      ],
      'the chain has paid already': [{ write: { actor: 'system' } }, 'accepted'],
      'its owner files': [{ write: { status: 'pending', actor: 'ines' } }, 'accepted'],
      'its owner cancels': [{ write: { status: 'cancelled', actor: 'ines' } }, 'accepted'],
      'somebody else is paid': [{ freeze: { investor: 'ivan' } }, 'accepted'],
      'it has ended': [{ freeze: { ended_by: 'olga', ended_at: NOW } }, 'accepted'],
    },
  },
  {
    trigger: 'credit_approvals_silently_frozen',
    given: { deposit: request('d', 'deposits'), freeze: silentFreeze('f', 'ines', 7) },
    write: {
      insert: { request: 'd', operator: 'olga', reference: 'x', reference_key: 'x', amount: 1, at: NOW },
    },
    cases: {
      'nobody approves first': [{}, 'decisions_reserved'],
      'another request': [{ write: { request: 'e' } }, 'accepted'],
      'somebody else is credited': [{ freeze: { investor: 'ivan' } }, 'accepted'],
      'it has ended': [{ freeze: { ended_by: 'olga', ended_at: NOW } }, 'accepted'],
    },
  },
  {
    trigger: 'transfers_bonus_silently_frozen',
    given: { available: account('ines:available', 0), freeze: silentFreeze('f', 'ines', 7) },
    write: {
      insert: transfer('t', 'bonus', 'p', { from_account: 'ines:granted', to_account: 'ines:available' })[1],
    },
    cases: {
      'no bonus': [{}, 'decisions_reserved'],
      'other transfers': [{ write: { code: 'release' } }, 'accepted'],
      'somebody else gets one': [{ freeze: { investor: 'ivan' } }, 'accepted'],
      'it goes elsewhere': [{ write: { to_account: 'ivan:available' } }, 'accepted'],
      'it has ended': [{ freeze: { ended_by: 'olga', ended_at: NOW } }, 'accepted'],
    },
  },
]
