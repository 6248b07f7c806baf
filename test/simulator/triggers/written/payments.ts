import { DAY_MS } from '../../../../src/time.ts'
import type { Row } from '../scenario.ts'
import { account, event, operator, proposal, request, transfer, user } from './rows.ts'
import { NOW, type Written } from './situation.ts'

type Given = readonly [string, Row]

/** A network that can be proved. */
export function chainNetwork(network: string, chain: 'bitcoin' | 'ethereum', coin: string): Given {
  return ['chain_networks', { network, chain, coin }]
}

/** The active watch wallet `v` of Bitcoin. */
export function watchWallet(row: Row = {}): Given {
  return [
    'watch_wallets',
    { seq: 1, id: 'v', chain: 'bitcoin', descriptor: 'wpkh(xpub)', proposal: 'p', created_at: NOW, ...row },
  ]
}

/** An unpaid deposit address of `ines`. */
function address(row: Row = {}): Given {
  return [
    'deposit_addresses',
    {
      seq: 1,
      id: 'a',
      wallet: 'v',
      position: 0,
      address: 'bc1ines',
      script: '00',
      investor: 'ines',
      given_at: NOW,
      shown_at: NOW,
      ...row,
    },
  ]
}

/** A payment of 2,000 satoshi to `ines`, in a block. At 50,000 USD they are worth 100 cents. */
export function payment(state: string, row: Row = {}): Given {
  return [
    'payments',
    {
      seq: 1,
      id: 'p',
      network: 'btc',
      reference: 't:0',
      address: 'bc1ines',
      investor: 'ines',
      quantity: '2000',
      units: 2000,
      state,
      seen_at: NOW,
      height: 800,
      block_hash: 'block',
      confirmations: 3,
      needed: 3,
      checked_at: NOW,
      ...row,
    },
  ]
}

const TXID = 'ab'.repeat(32)
const PRICED = { proof: '{}', final_at: NOW, rate: '50000', amount: 100 }
const BTC = chainNetwork('btc', 'bitcoin', 'bitcoin')
const SATOSHI = ['custody_assets', { asset: 'bitcoin', unit: 'satoshi', decimals: 8 }] as const

function transition(from: string, to: string): Given {
  return ['payment_transitions', { from_state: from, to_state: to }]
}

function depositDetails(row: Row = {}): Given {
  return [
    'deposit_details',
    {
      request: 'd',
      coin: 'bitcoin',
      network: 'btc',
      payment_to: 'bc1ines',
      receipt_key: '',
      receipt_type: '',
      ...row,
    },
  ]
}

/** What must never change: one case for each of these columns. */
export function unchanged(refusal: string, columns: Row): Written['cases'] {
  return Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [
      `its ${column} stays`,
      [{ write: { [column]: value } }, refusal],
    ]),
  )
}

/** A trigger that refuses every change or every deletion of a row. */
export function refusesAll(trigger: string, row: Given, write: Written['write'], refusal: string): Written {
  return { trigger, given: { row }, write, cases: { 'nobody does this': [{}, refusal] } }
}

/** The three triggers of a list of rules. `again` are the values of a new rule. */
export function fixed(table: string, rule: Row, again: Row): readonly Written[] {
  const refusal = `${table}: only a migration changes a rule`
  const row = [table, rule] as const
  return [
    refusesAll(`${table}_fixed_insert`, row, { insert: { ...rule, ...again } }, refusal),
    refusesAll(`${table}_fixed_update`, row, { update: again }, refusal),
    refusesAll(`${table}_fixed_delete`, row, { delete: true }, refusal),
  ]
}

const CHALLENGE = [
  'watch_challenges',
  {
    id: 'c',
    chain: 'bitcoin',
    descriptor: 'wpkh(xpub)',
    message: 'message',
    issued_to: 'olga',
    created_at: NOW - 9,
    expires_at: NOW,
  },
] as const

function proposedWallet(payload: object): string {
  return JSON.stringify({
    chain: 'bitcoin',
    descriptor: 'wpkh(xpub)',
    message: 'message',
    signatures: ['s'],
    ...payload,
  })
}

const SESSION = {
  id: 's',
  user_id: 'olga',
  secret_hash: '',
  created_at: NOW,
  last_seen_at: NOW,
  expires_at: NOW + DAY_MS,
}

const ONE_WALLET = 'watch wallets: a proposal gives one descriptor, once'
const SECRET = 'watch wallets: a public key is no secret'
const NO_SECOND = 'second_operator_required'

const WATCH_WALLETS: readonly Written[] = [
  {
    trigger: 'system_never_changes',
    given: { system: operator('system', 'treasurer') },
    write: { update: { display_name: 'another name' } },
    cases: {
      'the system stays as it is': [{}, 'users: the system never changes'],
      'an operator changes': [{ system: { id: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'system_opens_no_session',
    given: {},
    write: { insert: { ...SESSION, user_id: 'system' } },
    cases: {
      'the system signs in nowhere': [{}, 'users: the system has no session'],
      'an operator does': [{ write: { user_id: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'system_resumes_no_session',
    given: { session: ['sessions', SESSION] },
    write: { update: { user_id: 'system' } },
    cases: {
      'the system takes no session over': [{}, 'users: the system has no session'],
      'an operator does as far as other rules allow it': [{ write: { user_id: 'omar' } }, 'accepted'],
    },
  },
  ...fixed(
    'chain_networks',
    { network: 'btc', chain: 'bitcoin', coin: 'bitcoin' },
    { network: 'usdt-trc20', chain: 'ethereum' },
  ),
  ...fixed(
    'payment_transitions',
    { from_state: 'seen', to_state: 'confirming' },
    { from_state: 'seen', to_state: 'credited' },
  ),
  {
    trigger: 'watch_challenges_issued',
    given: { challenge: CHALLENGE },
    write: { insert: { ...CHALLENGE[1], id: 'new', message: 'another' } },
    cases: {
      'another message is issued': [{}, 'accepted'],
      'one message is issued once': [
        { write: { message: 'message' } },
        'watch wallets: a message is issued once',
      ],
      'it is not replaced': [{ write: { id: 'c' } }, 'watch wallets: a message is issued once'],
    },
  },
  refusesAll(
    'watch_challenges_never_change',
    CHALLENGE,
    { update: { descriptor: 'wpkh(other)' } },
    'watch wallets: what was issued never changes',
  ),
  refusesAll(
    'watch_challenges_keep',
    CHALLENGE,
    { delete: true },
    'watch wallets: what was issued is never deleted',
  ),
  refusesAll(
    'watch_wallets_keep',
    watchWallet(),
    { delete: true },
    'watch wallets: one is retired, never deleted',
  ),
  {
    trigger: 'watch_wallets_need_two',
    given: {
      decision: proposal('p', 'watch_wallet', { status: 'approved', payload: proposedWallet({}) }),
      challenge: CHALLENGE,
      other: watchWallet({ seq: 9, id: 'o', chain: 'ethereum', descriptor: 'xpub', proposal: 'q' }),
    },
    write: { insert: watchWallet()[1] },
    cases: {
      'an approved descriptor becomes a wallet': [{}, 'accepted'],
      'it does not begin retired': [{ write: { retired_at: NOW } }, ONE_WALLET],
      'nor with a retirement': [{ write: { retirement: 'r' } }, ONE_WALLET],
      'it replaces no other one': [{ write: { id: 'o' } }, ONE_WALLET],
      'nor by its number': [{ write: { seq: 9 } }, ONE_WALLET],
      'a proposal gives one wallet': [{ other: { proposal: 'p' } }, ONE_WALLET],
      'a descriptor is watched once': [{ other: { descriptor: 'wpkh(xpub)' } }, 'conflict'],
      'also after it was retired': [
        { other: { descriptor: 'wpkh(xpub)', retired_at: NOW, retirement: 'r' } },
        'conflict',
      ],
      'a chain has one active wallet': [{ other: { chain: 'bitcoin' } }, 'conflict'],
      'a retired one does not matter': [
        { other: { chain: 'bitcoin', retired_at: NOW, retirement: 'r' } },
        'accepted',
      ],
      'a private key is refused': [{ write: { descriptor: 'xprv9s21' } }, SECRET],
      'also within a descriptor': [{ write: { descriptor: 'wpkh([aa/84h]tprv8/0/*)' } }, SECRET],
      'a public key may contain these letters': [
        {
          write: { descriptor: 'wpkh(xpub6xprvZ)' },
          decision: { payload: proposedWallet({ descriptor: 'wpkh(xpub6xprvZ)' }) },
          challenge: { descriptor: 'wpkh(xpub6xprvZ)' },
        },
        'accepted',
      ],
      'a pending proposal is not enough': [{ decision: { status: 'pending' } }, NO_SECOND],
      'nor one of another kind': [{ decision: { kind: 'setting' } }, NO_SECOND],
      'nor one for another chain': [
        { decision: { payload: proposedWallet({ chain: 'ethereum' }) } },
        NO_SECOND,
      ],
      'nor one for another descriptor': [
        { decision: { payload: proposedWallet({ descriptor: 'wpkh(other)' }) } },
        NO_SECOND,
      ],
      'nor without a signature': [{ decision: { payload: proposedWallet({ signatures: [] }) } }, NO_SECOND],
      'nor with a message that was not issued': [{ challenge: { message: 'another' } }, NO_SECOND],
      'nor with a message for another descriptor': [{ challenge: { descriptor: 'wpkh(other)' } }, NO_SECOND],
      'nor with a message for another chain': [{ challenge: { chain: 'ethereum' } }, NO_SECOND],
      'nor after the message expired': [{ challenge: { expires_at: NOW - 1 } }, NO_SECOND],
    },
  },
  {
    trigger: 'watch_wallets_never_change',
    given: {
      wallet: watchWallet(),
      decision: proposal('r', 'watch_wallet_retirement', { status: 'approved', payload: '{"wallet":"v"}' }),
    },
    write: { update: { retired_at: NOW, retirement: 'r' } },
    cases: {
      'two administrators retire a wallet': [{}, 'accepted'],
      ...unchanged('watch wallets: a descriptor never changes', {
        seq: 2,
        id: 'other',
        chain: 'ethereum',
        descriptor: 'wpkh(other)',
        proposal: 'q',
        created_at: NOW + 1,
      }),
      'it is retired once': [{ wallet: { retired_at: NOW - 1 } }, 'already_decided'],
      'a wallet only changes by being retired': [{ write: { retired_at: null } }, NO_SECOND],
      'not by a pending proposal': [{ decision: { status: 'pending' } }, NO_SECOND],
      'nor by one of another kind': [{ decision: { kind: 'watch_wallet' } }, NO_SECOND],
      'nor by one about another wallet': [{ decision: { payload: '{"wallet":"x"}' } }, NO_SECOND],
      'nor by no proposal': [{ write: { retirement: null } }, NO_SECOND],
    },
  },
]

const GIVEN_ONCE = 'addresses: one is given once, to an investor, from an active wallet'
const OWN_ADDRESS = "quotes: one belongs to a pending deposit to its investor's own address"
const QUOTE = [
  'deposit_quotes',
  { request: 'd', address: 'bc1ines', network: 'btc', units: 2000, rate: '50000', until: NOW },
] as const
const RECEIPT = [
  'unknown_receipts',
  {
    seq: 1,
    id: 'r',
    chain: 'ethereum',
    reference: 't:0',
    address: 'bc1ines',
    investor: 'ines',
    kind: 'token',
    quantity: '1',
    height: 800,
    seen_at: NOW,
  },
] as const
const RECEIVED_ONCE = 'receipts: one is observed once, at an address that was given'

const ADDRESSES: readonly Written[] = [
  {
    trigger: 'deposit_addresses_in_order',
    given: {
      wallet: watchWallet(),
      ines: user('ines'),
      other: address({ seq: 9, id: 'o', address: 'bc1ivan', investor: 'ivan' }),
    },
    write: { insert: address({ position: 1, checked_at: 0 })[1] },
    cases: {
      'an investor is given the next address': [{}, 'accepted'],
      'the first address of a wallet has the index 0': [{ other: null, write: { position: 0 } }, 'accepted'],
      'none begins paid': [{ write: { paid_at: NOW } }, GIVEN_ONCE],
      'nor checked': [{ write: { checked_at: NOW } }, GIVEN_ONCE],
      'nor empty': [{ write: { address: '' } }, GIVEN_ONCE],
      'it replaces no other one': [{ write: { id: 'o' } }, GIVEN_ONCE],
      'nor by its number': [{ write: { seq: 9 } }, GIVEN_ONCE],
      'an address belongs to one investor': [{ write: { address: 'bc1ivan' } }, 'conflict'],
      'nobody unknown gets one': [{ ines: null }, GIVEN_ONCE],
      'nor an operator': [{ ines: { role: 'operator' } }, GIVEN_ONCE],
      'nor a closed account': [{ ines: { closed_at: NOW } }, GIVEN_ONCE],
      'none is from an unknown wallet': [{ wallet: { id: 'x' } }, GIVEN_ONCE],
      'nor from a retired one': [{ wallet: { retired_at: NOW } }, GIVEN_ONCE],
      'no index is left out': [{ write: { position: 2 } }, 'conflict'],
      'none is used twice': [{ write: { position: 0 } }, 'conflict'],
      'an investor has one unpaid address': [{ other: { investor: 'ines' } }, 'conflict'],
      'a paid one does not matter': [{ other: { investor: 'ines', paid_at: NOW } }, 'accepted'],
      'nor one of another wallet': [
        { other: { investor: 'ines', wallet: 'x' }, write: { position: 0 } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'deposit_addresses_never_change',
    given: { address: address() },
    write: { update: { shown_at: NOW + 1 } },
    cases: {
      'an address is shown again': [{}, 'accepted'],
      ...unchanged('addresses: one belongs to its investor for good', {
        seq: 2,
        id: 'other',
        wallet: 'x',
        position: 1,
        address: 'bc1other',
        script: '01',
        investor: 'ivan',
        given_at: NOW + 1,
      }),
      'it is paid': [{ write: { paid_at: NOW } }, 'accepted'],
      'the time of its first payment stays': [
        { address: { paid_at: NOW }, write: { paid_at: NOW + 1 } },
        'addresses: one belongs to its investor for good',
      ],
    },
  },
  refusesAll('deposit_addresses_keep', address(), { delete: true }, 'addresses: one is never deleted'),
  refusesAll('deposit_quotes_never_change', QUOTE, { update: { rate: '1' } }, 'quotes: one never changes'),
  refusesAll('deposit_quotes_keep', QUOTE, { delete: true }, 'quotes: one is never deleted'),
  {
    trigger: 'deposit_quotes_filed',
    given: {
      deposit: request('d', 'deposits'),
      details: depositDetails(),
      address: address(),
      other: ['deposit_quotes', { ...QUOTE[1], request: 'e' }],
      paid: address({ seq: 2, id: 'b', position: 1, address: 'bc1other', paid_at: NOW }),
    },
    write: { insert: QUOTE[1] },
    cases: {
      'an announced deposit is quoted': [{}, 'accepted'],
      once: [{ other: { request: 'd' } }, OWN_ADDRESS],
      'not one that was decided': [{ deposit: { status: 'approved' } }, OWN_ADDRESS],
      'not a withdrawal': [{ deposit: { queue: 'withdrawals' } }, OWN_ADDRESS],
      'not a deposit to the address of another investor': [{ address: { investor: 'ivan' } }, OWN_ADDRESS],
      'not one to a shared address': [{ address: null }, OWN_ADDRESS],
      'not for another address': [{ write: { address: 'bc1other' } }, OWN_ADDRESS],
      'not for another network': [{ write: { network: 'eth' } }, OWN_ADDRESS],
      'not after a payment to the address was seen': [{ address: { paid_at: NOW } }, 'conflict'],
    },
  },
  {
    trigger: 'unknown_receipts_observed',
    given: {
      address: address(),
      other: ['unknown_receipts', { ...RECEIPT[1], seq: 9, id: 'o', reference: 'o:0' }],
    },
    write: { insert: RECEIPT[1] },
    cases: {
      'a token that is not taken is noted': [{}, 'accepted'],
      once: [{ write: { reference: 'o:0' } }, RECEIVED_ONCE],
      'another chain may have the same reference': [
        { write: { reference: 'o:0', chain: 'bitcoin' } },
        'accepted',
      ],
      'it replaces no other one': [{ write: { id: 'o' } }, RECEIVED_ONCE],
      'nor by its number': [{ write: { seq: 9 } }, RECEIVED_ONCE],
      'none begins closed': [{ write: { closed_at: NOW } }, RECEIVED_ONCE],
      'not at a foreign address': [{ address: { address: 'bc1other' } }, RECEIVED_ONCE],
      'not for another investor': [{ address: { investor: 'ivan' } }, RECEIVED_ONCE],
    },
  },
  {
    trigger: 'unknown_receipts_never_change',
    given: { receipt: RECEIPT, olga: operator('olga', 'treasurer') },
    write: { update: { closed_by: 'olga', closed_at: NOW, closing: 'Returned' } },
    cases: {
      'a treasurer closes a receipt': [{}, 'accepted'],
      ...unchanged('receipts: what was observed never changes', {
        seq: 2,
        id: 'other',
        chain: 'bitcoin',
        reference: 'o:0',
        address: 'bc1other',
        investor: 'ivan',
        kind: 'internal',
        contract: '0x',
        quantity: '2',
        transfers: 2,
        height: 801,
        seen_at: NOW + 1,
      }),
      once: [{ receipt: { closed_at: NOW - 1 } }, 'already_decided'],
      'a receipt only changes by being closed': [{ write: { closed_at: null } }, 'forbidden'],
      'with what was done': [{ write: { closing: null } }, 'forbidden'],
      'not by a reviewer': [{ olga: { operator_roles: 'reviewer' } }, 'forbidden'],
      'nor by somebody unknown': [{ write: { closed_by: 'omar' } }, 'forbidden'],
    },
  },
  refusesAll('unknown_receipts_keep', RECEIPT, { delete: true }, 'receipts: one is never deleted'),
  {
    trigger: 'chain_transactions_stored_once',
    given: { other: ['chain_transactions', { id: 'u@b', proof: '{}' }] },
    write: { insert: { id: 't@b', proof: '{}' } },
    cases: {
      'a transaction is stored': [{}, 'accepted'],
      once: [{ write: { id: 'u@b' } }, 'chain_transactions: already stored'],
    },
  },
  refusesAll(
    'chain_transactions_never_change',
    ['chain_transactions', { id: 't@b', proof: '{}' }],
    { update: { proof: '{"other":1}' } },
    'chain_transactions: immutable',
  ),
  refusesAll(
    'chain_transactions_keep',
    ['chain_transactions', { id: 't@b', proof: '{}' }],
    { delete: true },
    'chain_transactions: never deleted',
  ),
]

const OBSERVED = 'payments: one is observed once, at an address that was given'
const NOT_PROVED = 'payments: a final payment is proved, deep enough and priced'
const NOT_WORTH = 'payments: the amount is what the units are worth at the rate'
const KEEPS = 'payments: a final payment keeps its price and proof'
const NOT_ITS = 'payments: a request belongs to the investor, the network and the address of its payment'
const NO_CREDIT = 'payments: a credited payment has its credit'
const HOLDS = 'payments: an undone payment keeps its amount until its credit is reversed'
const NOT_NEXT = 'payments: this state does not follow'

/** The approval of the deposit `d` by the payment `t:0`. */
const CREDITED = event('d', 'approved', {
  actor: 'system',
  amount: 100,
  units: 2000,
  reference: 't:0',
  reference_key: 't:0',
})

const CLOSED = 'payments: somebody closes a payment that is queued, and says why'
const PROVED = 'payments: what was proved never changes'

const KEEPS_QUOTE = 'payments: a payment keeps the quote that was filed before it was seen'
const PRICES = 'payments: the quote prices its payment, or the lower price once it has ended'

/** The payments `p` and `o` afterwards, with the quote that `p` took and its minutes for a confirmation. */
function taken(quote: string | null, minutes: number, ofOther: string | null = null) {
  return {
    payments: [
      { id: 'p', quote, confirm_by: NOW + minutes * 60_000 },
      { id: 'o', quote: ofOther, confirm_by: null },
    ],
  }
}

function ended(quoteEnded: 0 | 1) {
  return {
    payments: [
      { id: 'p', quote_ended: quoteEnded },
      { id: 'o', quote_ended: 0 },
    ],
  }
}

const FOLLOWED: readonly Written[] = [
  {
    trigger: 'payments_observed',
    given: {
      address: address(),
      wallet: watchWallet(),
      network: BTC,
      other: payment('seen', { seq: 9, id: 'o', reference: 'o:0' }),
    },
    write: { insert: payment('seen')[1] },
    cases: {
      'a payment is observed': [{}, 'accepted'],
      'also in a block': [{ write: { state: 'confirming' } }, 'accepted'],
      'none begins final': [{ write: { state: 'final' } }, OBSERVED],
      'nor proved': [{ write: { proof: '{}' } }, OBSERVED],
      'nor with a request': [{ write: { request: 'd' } }, OBSERVED],
      'nor with an amount': [{ write: { amount: 100 } }, OBSERVED],
      'nor with the time when it became final': [{ write: { final_at: NOW } }, OBSERVED],
      'nor with the time of its credit': [{ write: { credited_at: NOW } }, OBSERVED],
      'nor closed': [{ write: { closed_at: NOW } }, OBSERVED],
      'nor with a quote that it chose': [{ write: { quote: 'd' } }, OBSERVED],
      'nor with a time for it': [{ write: { confirm_by: NOW } }, OBSERVED],
      'one confirmation is the least': [{ write: { needed: 1 } }, 'accepted'],
      'none is too few': [{ write: { needed: 0 } }, OBSERVED],
      'it is observed once': [{ write: { reference: 'o:0' } }, OBSERVED],
      'another network may have the same reference': [
        { other: { network: 'eth', reference: 't:0' } },
        'accepted',
      ],
      'it replaces no other one': [{ write: { id: 'o' } }, OBSERVED],
      'nor by its number': [{ write: { seq: 9 } }, OBSERVED],
      'it is at an address that was given': [{ address: { address: 'bc1other' } }, OBSERVED],
      'to this investor': [{ address: { investor: 'ivan' } }, OBSERVED],
      'from a wallet of this chain': [{ wallet: { chain: 'ethereum' } }, OBSERVED],
    },
  },
  {
    trigger: 'payments_take_quote',
    given: {
      other: payment('seen', { seq: 9, id: 'o', reference: 'o:0', quantity: '4000', units: 4000 }),
      network: BTC,
      'another network': chainNetwork('eth', 'ethereum', 'ethereum'),
      deposit: request('d', 'deposits', { created_at: NOW - 5 }),
      quote: ['deposit_quotes', { ...QUOTE[1], until: NOW + 5 }],
      'another deposit': request('e', 'deposits', { created_at: NOW - 9 }),
      'quote of the other': ['deposit_quotes', { ...QUOTE[1], request: 'e', units: 4000, until: NOW + 5 }],
      minutes: ['settings', { key: 'quoteMinutesBitcoin', value: '90', updated_at: NOW }],
      'minutes of Ethereum': ['settings', { key: 'quoteMinutesEthereum', value: '20', updated_at: NOW }],
    },
    write: { insert: payment('seen')[1] },
    cases: {
      'a payment takes the quote that was filed before it was seen': [{}, taken('d', 90)],
      'not one that is filed at that moment': [{ deposit: { created_at: NOW } }, taken(null, 90)],
      'not one whose time is over': [{ quote: { until: NOW } }, taken(null, 90)],
      'within one percent': [{ write: { units: 2020, quantity: '2020' } }, taken('d', 90)],
      'not above': [{ write: { units: 2021, quantity: '2021' } }, taken(null, 90)],
      'nor below': [{ write: { units: 1979, quantity: '1979' } }, taken(null, 90)],
      'not of a deposit that was decided': [{ deposit: { status: 'cancelled' } }, taken(null, 90)],
      'not of another investor': [{ deposit: { investor: 'ivan' } }, taken(null, 90)],
      'not one that another payment took': [{ other: { quote: 'd' } }, taken(null, 90, 'd')],
      'nor of a deposit that has a payment': [{ other: { request: 'd' } }, taken(null, 90)],
      'on another chain it has that chain’s time': [
        { write: { network: 'eth' }, quote: { network: 'eth' } },
        taken('d', 20),
      ],
      'without a setting an hour on Bitcoin': [{ minutes: null }, taken('d', 60)],
      'and 15 minutes on Ethereum': [
        {
          write: { network: 'eth' },
          quote: { network: 'eth' },
          'minutes of Ethereum': null,
        },
        taken('d', 15),
      ],
    },
  },
  {
    trigger: 'payments_take_other_quote',
    given: {
      payment: payment('seen'),
      other: payment('seen', { seq: 9, id: 'o', reference: 'o:0', quantity: '4000', units: 4000 }),
      network: BTC,
      deposit: request('d', 'deposits', { created_at: NOW - 5 }),
      quote: ['deposit_quotes', { ...QUOTE[1], units: 2001, until: NOW + 5 }],
      'another deposit': request('e', 'deposits', { created_at: NOW - 9 }),
      'quote of the other': ['deposit_quotes', { ...QUOTE[1], request: 'e', units: 4000, until: NOW + 5 }],
    },
    write: { update: { quantity: '2001', units: 2001 } },
    cases: {
      'a corrected payment takes the quote that fits it': [
        {},
        { payments: [{ quote: 'd' }, { id: 'o', quote: null }] },
      ],
      'one that has a quote keeps it': [
        { payment: { quote: 'f' } },
        { payments: [{ quote: 'f' }, { id: 'o', quote: null }] },
      ],
    },
  },
  {
    trigger: 'payments_end_quote',
    given: {
      payment: payment('seen', { height: null, block_hash: null, confirm_by: NOW + 60 }),
      other: payment('seen', { seq: 9, id: 'o', reference: 'o:0' }),
    },
    write: { update: { state: 'confirming', block_hash: 'block', checked_at: NOW + 60 } },
    cases: {
      'a payment that is confirmed in time keeps its quote': [{}, ended(0)],
      'later, the quote has ended': [{ write: { checked_at: NOW + 61 } }, ended(1)],
      'nothing changes in the same block': [
        { payment: { block_hash: 'block' }, write: { checked_at: NOW + 61 } },
        ended(0),
      ],
      'in another block, the quote has ended': [{ payment: { block_hash: 'left' } }, ended(1)],
      'so it has outside of any block': [
        { payment: { block_hash: 'left' }, write: { state: 'seen', block_hash: null } },
        ended(1),
      ],
      'and once the payment is gone': [{ write: { state: 'gone', block_hash: null } }, ended(1)],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('confirming'),
      other: payment('confirming', { seq: 9, id: 'o', reference: 'o:0', quantity: '4000', units: 4000 }),
      network: BTC,
      deposit: request('d', 'deposits', { created_at: NOW - 5 }),
      quote: ['deposit_quotes', { ...QUOTE[1], until: NOW + 5 }],
      'another deposit': request('e', 'deposits', { created_at: NOW - 9 }),
      'quote of the other': ['deposit_quotes', { ...QUOTE[1], request: 'e', units: 4000, until: NOW + 5 }],
    },
    write: { update: { quote: 'd' } },
    cases: {
      'a payment takes the quote that fits it': [{}, 'accepted'],
      'not the one of another payment': [{ write: { quote: 'e' } }, KEEPS_QUOTE],
      'not instead of its own': [{ payment: { quote: 'f' } }, KEEPS_QUOTE],
      'it does not give it back': [{ payment: { quote: 'd' }, write: { quote: null } }, KEEPS_QUOTE],
      'the time of its quote begins': [{ write: { confirm_by: NOW } }, 'accepted'],
      'and stays': [{ payment: { confirm_by: NOW + 1 }, write: { confirm_by: NOW } }, KEEPS_QUOTE],
      'also if it is written again': [
        { payment: { confirm_by: NOW }, write: { confirm_by: NOW } },
        'accepted',
      ],
      'a quote ends': [{ write: { quote_ended: 1 } }, 'accepted'],
      'and stays ended': [
        { payment: { quote_ended: 1, quote: 'd' }, write: { quote_ended: 0 } },
        KEEPS_QUOTE,
      ],
      'an ended quote is the same one': [
        { payment: { quote_ended: 1, quote: 'd' }, write: { quote_ended: 1 } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('confirming', { quote: 'd' }),
      quote: QUOTE,
      'another quote': ['deposit_quotes', { ...QUOTE[1], request: 'e', rate: '49000' }],
      next: transition('confirming', 'final'),
      network: BTC,
      asset: SATOSHI,
    },
    write: { update: { state: 'final', ...PRICED, rule: 'quote' } },
    cases: {
      'a payment counts by its quote': [{}, 'accepted'],
      'not by another rate': [{ write: { rate: '50001' } }, PRICES],
      'not by the price': [{ write: { rule: 'price' } }, PRICES],
      'nor by a lower price': [{ write: { rule: 'price', rate: '49999' } }, PRICES],
      'once the quote has ended, by a lower price': [
        { payment: { quote_ended: 1 }, write: { rule: 'price', rate: '49999' } },
        'accepted',
      ],
      'not by a higher one': [
        { payment: { quote_ended: 1 }, write: { rule: 'price', rate: '50001' } },
        PRICES,
      ],
      'the same rate is the quote': [{ payment: { quote_ended: 1 }, write: { rule: 'price' } }, PRICES],
      'or still by the quote': [{ payment: { quote_ended: 1 } }, 'accepted'],
      'without a quote by the price': [{ payment: { quote: null }, write: { rule: 'price' } }, 'accepted'],
      'not by the quote of another': [{ payment: { quote: null } }, PRICES],
      'before it is final it has no price': [{ write: { state: 'confirming', rule: 'price' } }, 'accepted'],
    },
  },
  {
    trigger: 'payments_paid_address',
    given: { address: address(), other: address({ seq: 2, id: 'b', position: 1, address: 'bc1other' }) },
    write: { insert: payment('seen')[1] },
    cases: {
      'the first payment marks its address': [
        {},
        {
          deposit_addresses: [
            { address: 'bc1ines', paid_at: NOW },
            { address: 'bc1other', paid_at: null },
          ],
        },
      ],
      'a second one does not': [
        { address: { paid_at: NOW - 5 } },
        { deposit_addresses: [{ paid_at: NOW - 5 }, { paid_at: null }] },
      ],
    },
  },
  {
    trigger: 'payments_follow',
    given: { payment: payment('queued'), olga: operator('olga', 'treasurer') },
    write: { update: { closed_by: 'olga', closed_at: NOW, closing: 'Returned' } },
    cases: {
      'a treasurer closes a queued payment': [{}, 'accepted'],
      'not one that is on its way': [{ payment: { state: 'confirming' } }, CLOSED],
      'with what was done': [{ write: { closing: null } }, CLOSED],
      'not by a reviewer': [{ olga: { operator_roles: 'reviewer' } }, CLOSED],
      'nor by somebody unknown': [{ write: { closed_by: 'omar' } }, CLOSED],
    },
  },
  {
    trigger: 'payments_follow',
    given: { payment: payment('queued', { closed_by: 'olga', closed_at: NOW, closing: 'Returned' }) },
    write: { update: { checked_at: NOW + 1 } },
    cases: {
      'a closed payment is looked at again': [{}, 'accepted'],
      ...unchanged('already_decided', { closed_by: 'omar', closed_at: NOW + 1, closing: 'Kept' }),
    },
  },
  refusesAll('payments_keep', payment('gone'), { delete: true }, 'payments: one is never deleted'),
  {
    trigger: 'payments_proof_is_whole',
    given: {
      payment: payment('confirming'),
      transaction: ['chain_transactions', { id: 't@b', proof: '{}' }],
    },
    write: { update: { proof: '{"shared":"t@b"}' } },
    cases: {
      'a proof names its stored transaction': [{}, 'accepted'],
      'not one that is not stored': [
        { transaction: { id: 'u@b' } },
        'payments: the transaction of the proof is not stored',
      ],
      'a whole proof names none': [{ write: { proof: '{}' } }, 'accepted'],
    },
  },
  {
    trigger: 'payments_follow',
    given: { payment: payment('confirming') },
    write: { update: { confirmations: 2 } },
    cases: {
      'confirmations are counted': [{}, 'accepted'],
      ...unchanged('payments: what was observed never changes', {
        seq: 2,
        id: 'other',
        network: 'eth',
        reference: 'o:0',
        seen_at: NOW + 1,
        needed: 1,
      }),
      ...unchanged('payments: what was proved never changes', {
        address: 'bc1other',
        investor: 'ivan',
        quantity: '2001',
        units: 2001,
      }),
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('seen', { height: null, block_hash: null }),
      deposit: request('d', 'deposits'),
      address: address({ seq: 2, id: 'b', position: 1, address: 'bc1other', investor: 'ivan' }),
      wallet: watchWallet(),
      network: BTC,
      next: transition('seen', 'confirming'),
    },
    write: { update: { address: 'bc1other', investor: 'ivan', quantity: '2001', units: 2001, proof: '{}' } },
    cases: {
      'the first proof corrects what one server said': [{}, 'accepted'],
      'its quote ends with what was false': [{ payment: { quote: 'd' }, write: { quote: null } }, 'accepted'],
      'it is not kept': [{ payment: { quote: 'd' } }, KEEPS_QUOTE],
      'also not by another address alone': [
        {
          payment: { quote: 'd' },
          write: { investor: 'ines', quantity: '2000' },
          address: { investor: 'ines' },
        },
        KEEPS_QUOTE,
      ],
      'nor by another quantity alone': [
        {
          payment: { quote: 'd' },
          write: { investor: 'ines', address: 'bc1ines' },
          address: { investor: 'ines', address: 'bc1ines' },
        },
        KEEPS_QUOTE,
      ],
      'nor by another investor alone': [
        { payment: { quote: 'd', address: 'bc1other' }, write: { quantity: '2000' } },
        KEEPS_QUOTE,
      ],
      'nothing corrects it without a proof': [{ write: { proof: null } }, PROVED],
      'nothing corrects what was proved': [{ payment: { proof: '{"other":1}' } }, PROVED],
      'nor what belongs to a deposit': [{ payment: { request: 'd' } }, PROVED],
      'it goes to an address that was given': [{ address: { address: 'bc1third' } }, PROVED],
      'to its investor': [{ address: { investor: 'ines' } }, PROVED],
      'from a wallet of this chain': [{ wallet: { chain: 'ethereum' } }, PROVED],
      'of this network': [{ network: { network: 'eth' } }, PROVED],
    },
  },
  {
    trigger: 'payments_corrected_address',
    given: {
      payment: payment('seen'),
      address: address({ seq: 2, id: 'b', position: 1, address: 'bc1other', investor: 'ivan' }),
    },
    write: { update: { address: 'bc1other' } },
    cases: {
      'the corrected address is paid': [{}, { deposit_addresses: [{ address: 'bc1other', paid_at: NOW }] }],
      'it was paid before': [
        { address: { paid_at: NOW - 5 } },
        { deposit_addresses: [{ paid_at: NOW - 5 }] },
      ],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('confirming'),
      next: transition('confirming', 'final'),
      network: BTC,
      asset: SATOSHI,
    },
    write: { update: { state: 'final', ...PRICED } },
    cases: {
      'a payment that is proved, deep enough and priced is final': [{}, 'accepted'],
      'not where no rule leads': [{ next: { from_state: 'seen' } }, NOT_NEXT],
      'nor to another state': [{ next: { to_state: 'gone' } }, NOT_NEXT],
      'not without a proof': [{ write: { proof: null } }, NOT_PROVED],
      'not without a height': [{ write: { height: null } }, NOT_PROVED],
      'not without a block': [{ write: { block_hash: null } }, NOT_PROVED],
      'not without its time': [{ write: { final_at: null } }, NOT_PROVED],
      'not without an amount': [{ write: { amount: null } }, NOT_PROVED],
      'not without a rate': [{ write: { rate: null } }, NOT_PROVED],
      'not with too few confirmations': [{ payment: { confirmations: 2 } }, NOT_PROVED],
      'nor after a person looked at it': [
        { payment: { state: 'queued', confirmations: 2 }, next: { from_state: 'queued' } },
        NOT_PROVED,
      ],
      'the amount is rounded to a cent': [{ write: { amount: 101 } }, 'accepted'],
      'it is not more': [{ write: { amount: 102 } }, NOT_WORTH],
      'nor less': [{ write: { amount: 98 } }, NOT_WORTH],
      'nor at another rate': [{ write: { rate: '60000' } }, NOT_WORTH],
      'nor in another unit': [{ asset: { decimals: 6 } }, NOT_WORTH],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('final', { ...PRICED, request: 'd' }),
      next: transition('final', 'confirming'),
      network: BTC,
      asset: SATOSHI,
    },
    write: { update: { checked_at: NOW + 1 } },
    cases: {
      'a final payment is looked at again': [{}, 'accepted'],
      'it stays final when fewer blocks are counted': [{ write: { confirmations: 2 } }, 'accepted'],
      'its proof stays': [{ write: { proof: '{"other":1}' } }, KEEPS],
      'its amount stays': [{ write: { amount: 101 } }, KEEPS],
      'its rate stays': [{ write: { rate: '50000.0' } }, KEEPS],
      'its block stays': [{ write: { block_hash: 'other' } }, KEEPS],
      'its height stays': [{ write: { height: 801 } }, KEEPS],
      'a credited one has the same proof': [
        { payment: { state: 'credited' }, write: { proof: '{"other":1}' } },
        KEEPS,
      ],
      'a reorganisation ends them': [
        { write: { state: 'confirming', proof: null, amount: null, rate: null, block_hash: null } },
        'accepted',
      ],
      'its request stays': [{ write: { request: null } }, 'payments: a payment keeps its request'],
      'it does not take another one': [{ write: { request: 'e' } }, 'payments: a payment keeps its request'],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('final', PRICED),
      deposit: request('d', 'deposits'),
      details: depositDetails(),
      other: payment('credited', { seq: 9, id: 'o', reference: 'o:0', request: 'e' }),
      network: BTC,
      asset: SATOSHI,
    },
    write: { update: { request: 'd' } },
    cases: {
      'a final payment belongs to the deposit that it pays': [{}, 'accepted'],
      'not before it is final': [{ payment: { state: 'confirming' } }, NOT_ITS],
      'not to one that has a payment': [{ other: { request: 'd' } }, NOT_ITS],
      'not to one that was decided': [{ deposit: { status: 'rejected' } }, NOT_ITS],
      'not to a withdrawal': [{ deposit: { queue: 'withdrawals' } }, NOT_ITS],
      'not to one of another investor': [{ deposit: { investor: 'ivan' } }, NOT_ITS],
      'not to one on another network': [{ details: { network: 'eth' } }, NOT_ITS],
      'not to one to another address': [{ details: { payment_to: 'bc1other' } }, NOT_ITS],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('final', { ...PRICED, request: 'd' }),
      deposit: request('d', 'deposits', { status: 'approved' }),
      credit: CREDITED,
      next: transition('final', 'credited'),
      network: BTC,
      asset: SATOSHI,
    },
    write: { update: { state: 'credited', credited_at: NOW } },
    cases: {
      'a payment is credited with its deposit': [{}, 'accepted'],
      'not without a deposit': [{ payment: { request: null } }, NO_CREDIT],
      'not before the deposit is approved': [{ deposit: { status: 'pending' } }, NO_CREDIT],
      'not for another event': [{ credit: { status: 'rejected' } }, NO_CREDIT],
      'not for another reference': [{ credit: { reference_key: 'o:0' } }, NO_CREDIT],
      'not for another amount': [{ credit: { amount: 101 } }, NO_CREDIT],
      'once credited, it is looked at again': [
        { payment: { state: 'credited' }, credit: null, write: { checked_at: NOW + 1 } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'payments_follow',
    given: {
      payment: payment('undone', { ...PRICED, request: 'd' }),
      deposit: request('d', 'deposits', { status: 'approved' }),
      credit: CREDITED,
      queued: transition('undone', 'queued'),
      credited: transition('undone', 'credited'),
    },
    write: { update: { block_hash: 'new', height: 801, proof: '{"new":1}' } },
    cases: {
      'an undone payment is seen in another block': [{}, 'accepted'],
      'it is credited again once it is deep enough': [{ write: { state: 'credited' } }, 'accepted'],
      'not before': [{ write: { state: 'credited', confirmations: 2 } }, NOT_PROVED],
      'its amount is held back meanwhile': [{ write: { amount: 0 } }, HOLDS],
      'it comes back with the same amount': [
        { write: { state: 'credited', amount: 101 }, credit: { amount: 101 } },
        HOLDS,
      ],
      'it is held back until the credit is reversed': [{ write: { state: 'queued' } }, HOLDS],
      'then a person decides': [{ write: { state: 'queued' }, deposit: { status: 'reversed' } }, 'accepted'],
    },
  },
]

/** What is written: the credit of the deposit `d` for the payment `t:0`. */
const CREDIT = CREDITED[1]
const REVERSAL = { proposed_by: 'system', request: 'd' }
const UNDONE = payment('undone', { ...PRICED, request: 'd' })

const CREDITS: readonly Written[] = [
  {
    trigger: 'request_events_proved',
    given: {
      deposit: request('d', 'deposits'),
      details: depositDetails(),
      address: address(),
      ines: user('ines'),
      payment: payment('final', { ...PRICED, request: 'd' }),
      earlier: event('e', 'approved', { actor: 'system', amount: 400 }),
      'credited before': request('e', 'deposits'),
      limit: ['settings', { key: 'automaticCredit', value: '500', updated_at: NOW }],
    },
    write: { insert: CREDIT },
    cases: {
      'the system credits up to its limit of a day': [{}, 'accepted'],
      'not a cent more': [{ earlier: { amount: 401 } }, NO_SECOND],
      'two operators credit more': [
        { earlier: { amount: 401 }, write: { actor: 'olga', second_operator: 'omar' } },
        'accepted',
      ],
      'one operator alone credits nothing': [{ write: { actor: 'olga' } }, NO_SECOND],
      'credits of another investor do not count': [
        { earlier: { amount: 401, investor: 'ivan' } },
        'accepted',
      ],
      'nor those of operators': [{ earlier: { amount: 401, actor: 'olga' } }, 'accepted'],
      'nor other events': [{ earlier: { amount: 401, status: 'completed' } }, 'accepted'],
      'nor those of a day ago': [{ earlier: { amount: 401, at: NOW - DAY_MS } }, 'accepted'],
      'a millisecond less counts': [{ earlier: { amount: 401, at: NOW - DAY_MS + 1 } }, NO_SECOND],
      'a reference that was used is refused as such elsewhere': [
        {
          earlier: { amount: 401, reference: 't:0', reference_key: 't:0' },
          'credited before': { status: 'approved' },
        },
        'accepted',
      ],
      'without a setting the limit is 5,000 dollars': [
        { limit: null, earlier: { amount: 499_900 } },
        'accepted',
      ],
      'and not a cent more': [{ limit: null, earlier: { amount: 499_901 } }, NO_SECOND],
      'the system credits at the time of the database': [
        { earlier: { amount: 401 }, write: { at: NOW + 2 * DAY_MS } },
        'payments: the system credits now',
      ],
      'not an hour before': [{ write: { at: NOW - 3_600_001 } }, 'payments: the system credits now'],
      'clocks may differ': [{ write: { at: NOW + 3_600_000 } }, 'accepted'],
      'two operators credit at any time': [
        { write: { actor: 'olga', second_operator: 'omar', at: NOW - DAY_MS } },
        'accepted',
      ],
      'nothing is credited without a payment': [{ payment: null }, 'payment_not_proved'],
      'nor by two operators': [
        { payment: null, write: { actor: 'olga', second_operator: 'omar' } },
        'payment_not_proved',
      ],
      'nor for the payment of another deposit': [{ payment: { request: 'e' } }, 'payment_not_proved'],
      'nor before it is final': [{ payment: { state: 'confirming' } }, 'payment_not_proved'],
      'nor twice': [{ payment: { state: 'credited' } }, 'payment_not_proved'],
      'nor without a proof': [{ payment: { proof: null } }, 'payment_not_proved'],
      'nor another amount': [{ write: { amount: 99 } }, 'payment_not_proved'],
      'nor another quantity': [{ write: { units: 2001 } }, 'payment_not_proved'],
      'nor for another transaction': [{ write: { reference_key: 'o:0' } }, 'payment_not_proved'],
      'a deposit to a shared address needs no proof': [
        { payment: null, details: { payment_to: 'bc1shared' }, write: { actor: 'olga' } },
        'accepted',
      ],
      'a frozen account is refused elsewhere': [{ payment: null, ines: { frozen_at: NOW } }, 'accepted'],
      'and so is a deposit that was decided': [
        { payment: null, deposit: { status: 'rejected' } },
        'accepted',
      ],
      'a rejection needs no proof': [{ payment: null, write: { status: 'rejected' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_own_payment',
    given: {
      network: BTC,
      payment: payment('final', { ...PRICED, reference: `${TXID}:0`, request: 'd' }),
      before: payment('final', { seq: 2, id: 'q', reference: `${'aa'.repeat(32)}:0`, request: 'q' }),
      after: payment('final', { seq: 3, id: 'r', reference: `${'ac'.repeat(32)}:0`, request: 'r' }),
    },
    write: { insert: { ...CREDIT, actor: 'olga', reference_key: `${TXID}:0` } },
    cases: {
      'a payment is credited to its own deposit': [{}, 'accepted'],
      'not to another one': [{ payment: { request: 'e' } }, 'reference_used'],
      'nor before it belongs to one': [{ payment: { request: null } }, 'reference_used'],
      'nor as a whole transaction': [
        { payment: { request: 'e' }, write: { reference_key: TXID } },
        'reference_used',
      ],
      'another output is another payment': [
        { payment: { request: 'e' }, write: { reference_key: `${TXID}:1` } },
        'accepted',
      ],
      'a whole transaction may be credited to it': [
        { payment: { reference: TXID }, write: { reference_key: TXID } },
        'accepted',
      ],
      'not to another deposit': [
        { payment: { reference: TXID, request: 'e' }, write: { reference_key: TXID } },
        'reference_used',
      ],
      'nor is what only begins like it': [
        { payment: { reference: `${TXID};`, request: 'e' }, write: { reference_key: TXID } },
        'accepted',
      ],
      'a rejection names none': [
        { payment: { request: 'e' }, write: { status: 'rejected', reference_key: null } },
        'accepted',
      ],
      'what is paid out is no deposit': [
        { payment: { request: 'e' }, write: { status: 'completed' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'request_events_cancel_unpaid',
    given: { deposit: request('d', 'deposits'), payment: payment('final', { ...PRICED, request: 'd' }) },
    write: { insert: event('d', 'cancelled', { actor: 'ines' })[1] },
    cases: {
      'a deposit is not cancelled once its payment arrived': [{}, 'not_pending'],
      'before, it is': [{ payment: { request: null } }, 'accepted'],
      'nor once its payment was seen': [{ payment: { request: null, quote: 'd' } }, 'not_pending'],
      'unless that is gone': [{ payment: { state: 'gone', request: null, quote: 'd' } }, 'accepted'],
      'the payment of another deposit does not matter': [{ payment: { request: 'e' } }, 'accepted'],
      'a decided deposit is refused elsewhere': [{ deposit: { status: 'rejected' } }, 'accepted'],
      'an operator may reject it': [{ write: { status: 'rejected', actor: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_by_system',
    given: { payment: payment('final', { ...PRICED, request: 'd' }) },
    write: { insert: CREDIT },
    cases: {
      'the system credits a payment': [{}, 'accepted'],
      'nothing without a payment': [{ payment: { request: 'e' } }, 'payment_not_proved'],
      'it is not one of two operators': [{ write: { second_operator: 'olga' } }, 'forbidden'],
      'it completes a withdrawal that another person approved': [
        { payment: null, write: { status: 'completed', second_operator: 'olga' } },
        'accepted',
      ],
      'it rejects nothing': [{ write: { status: 'rejected' } }, 'forbidden'],
      'it reverses nothing': [{ write: { status: 'reversed' } }, 'forbidden'],
      'an operator rejects': [{ write: { status: 'rejected', actor: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'request_events_credit',
    given: { deposit: request('d', 'deposits', { amount: 600_000, asked: 600_000 }) },
    write: { insert: { ...CREDIT, amount: 600_000 } },
    cases: {
      'the limit of one operator is not that of the system': [{}, 'accepted'],
      'nor is the amount that was announced': [{ write: { amount: 600_001 } }, 'accepted'],
      'an operator has both': [{ write: { actor: 'olga' } }, NO_SECOND],
    },
  },
  {
    trigger: 'credit_approvals_not_by_system',
    given: {},
    write: {
      insert: {
        request: 'd',
        operator: 'system',
        reference: 't:0',
        reference_key: 't:0',
        amount: 100,
        at: NOW,
      },
    },
    cases: {
      'the system is no first operator': [{}, 'forbidden'],
      'a person is': [{ write: { operator: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'proposals_decided_by_people',
    given: { proposal: proposal('p', 'reversal') },
    write: { update: { status: 'approved', decided_by: 'system', decided_at: NOW } },
    cases: {
      'the system decides no proposal': [{}, 'forbidden'],
      'a person does': [{ write: { decided_by: 'omar' } }, 'accepted'],
    },
  },
  {
    trigger: 'proposals_by_system',
    given: { payment: UNDONE },
    write: { insert: proposal('p', 'reversal', REVERSAL)[1] },
    cases: {
      'the system proposes to reverse a credit whose payment is gone': [{}, 'accepted'],
      'not of a payment that is there': [{ payment: { state: 'credited' } }, 'forbidden'],
      'not of another deposit': [{ payment: { request: 'e' } }, 'forbidden'],
      'it proposes nothing else': [{ write: { kind: 'bonus' } }, 'forbidden'],
      'a person does': [{ write: { kind: 'bonus', proposed_by: 'olga' } }, 'accepted'],
    },
  },
  {
    trigger: 'proposals_approve_undone',
    given: { proposal: proposal('p', 'reversal', REVERSAL), payment: UNDONE },
    write: { update: { status: 'approved', decided_by: 'olga', decided_at: NOW } },
    cases: {
      'one person approves the reversal that the system proposed': [{}, 'accepted'],
      'not after the payment came back': [{ payment: { state: 'credited' } }, 'conflict'],
      'not for the payment of another deposit': [{ payment: { request: 'e' } }, 'conflict'],
      'it can be rejected': [{ payment: { state: 'credited' }, write: { status: 'rejected' } }, 'accepted'],
      'two people reverse any credit': [
        { proposal: { proposed_by: 'omar' }, payment: { state: 'credited' } },
        'accepted',
      ],
      'a decided proposal is refused elsewhere': [
        { proposal: { status: 'rejected' }, payment: { state: 'credited' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'transfers_without_undone',
    given: {
      available: account('ines:available', 200),
      held: account('ines:held', 50),
      payment: UNDONE,
      deposit: request('d', 'deposits', { status: 'approved' }),
      others: account('ivan:available', 1000),
    },
    write: { insert: transfer('w:hold', 'hold', 'w')[1] },
    cases: {
      'what is left is more than what was undone': [{}, 'accepted'],
      'not a cent more is withdrawn': [{ write: { amount: 101 } }, 'payment_undone'],
      'nor invested': [{ write: { amount: 101, code: 'allocate' } }, 'payment_undone'],
      'a payout may not take it either': [
        { write: { amount: 151, code: 'complete', from_account: 'ines:held' } },
        'payment_undone',
      ],
      'what is held is part of what is left': [
        { write: { amount: 150, code: 'complete', from_account: 'ines:held' } },
        'accepted',
      ],
      'the chain has paid already': [
        { write: { amount: 151, code: 'complete', from_account: 'ines:held', actor: 'system' } },
        'accepted',
      ],
      'a fee is charged': [{ write: { amount: 101, code: 'fee' } }, 'accepted'],
      'another investor is not concerned': [
        { write: { amount: 1000, from_account: 'ivan:available' } },
        'accepted',
      ],
      'a credited payment holds nothing back': [
        { write: { amount: 101 }, payment: { state: 'credited' } },
        'accepted',
      ],
      'nor does a credit that was reversed': [
        { write: { amount: 101 }, deposit: { status: 'reversed' } },
        'accepted',
      ],
    },
  },
  {
    trigger: 'transfers_without_undone',
    given: {
      available: account('ines:available', 100),
      undone: UNDONE,
      deposit: request('d', 'deposits', { status: 'approved' }),
      credited: payment('credited', { ...PRICED, seq: 2, id: 'q', reference: 'q:0', request: 'e' }),
      others: payment('undone', {
        ...PRICED,
        seq: 3,
        id: 'r',
        reference: 'r:0',
        request: 'f',
        investor: 'ivan',
      }),
      'the credited deposit': request('e', 'deposits', { status: 'approved' }),
      'the other deposit': request('f', 'deposits', { status: 'approved', investor: 'ivan' }),
    },
    write: { insert: transfer('w:hold', 'hold', 'w', { amount: 1 })[1] },
    cases: {
      'only own payments that are gone count': [{ available: { balance: 101 } }, 'accepted'],
      'all of it is held back': [{}, 'payment_undone'],
    },
  },
]

/** Cases about watch-only wallets, deposit addresses, payments and their credit. */
export const PAYMENTS: readonly Written[] = [...WATCH_WALLETS, ...ADDRESSES, ...FOLLOWED, ...CREDITS]
