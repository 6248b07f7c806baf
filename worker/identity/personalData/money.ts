import {
  actsOnIt,
  BOOKS,
  COLLEAGUE,
  HASH,
  maskBank,
  NUMBERING,
  OPERATORS_NOTE,
  OWNER,
  type Part,
  parseColumns,
  SECRET,
} from './part.ts'

const THE_REQUEST = 'the request that it belongs to'

const proposalFields = parseColumns('kind, status, created_at time AS proposedAt, decided_at time')
const proposalWithheld = {
  seq: NUMBERING,
  proposed_by: COLLEAGUE,
  decided_by: COLLEAGUE,
  reason: OPERATORS_NOTE,
  rejection: OPERATORS_NOTE,
  own_check: OPERATORS_NOTE,
  payload: 'about wallets and settings, which are not personal data, or an id',
  operator: 'bonuses and reversals have none',
}

const CLOSING = { closed_by: COLLEAGUE, closed_at: OPERATORS_NOTE, closing: OPERATORS_NOTE }

/** Deposits and withdrawals with every step, the ledger, and strategies. */
export const moneyParts: readonly Part[] = [
  {
    name: 'requests',
    table: 'requests',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['created_at', 'seq'],
    fields: parseColumns('id, ref, kind, status, asked usd, amount usd, created_at time'),
    withheld: { seq: NUMBERING, investor: OWNER, queue: 'follows from the kind' },
    inner: {
      deposit: {
        table: 'deposit_details',
        single: true,
        of: 'n.request = t.id',
        fields: parseColumns(
          'coin, network, payment_to, txid, receipt_type, quantity, rate, asked_rate, sample flag AS isSample',
        ),
        withheld: {
          request: THE_REQUEST,
          receipt_key: 'the storage location of the receipt',
          receipt_hash: 'follows from the receipt',
        },
      },
      quote: {
        table: 'deposit_quotes',
        single: true,
        of: 'n.request = t.id',
        fields: parseColumns('rate, until time'),
        withheld: {
          request: THE_REQUEST,
          address: 'the deposit’s own address',
          network: 'the deposit’s own network',
          units: 'follows from its amount and rate',
        },
      },
      withdrawal: {
        table: 'withdrawal_details',
        single: true,
        of: 'n.request = t.id',
        fields: {
          bank: { column: 'bank', form: 'json', sql: (row) => maskBank(`${row}.bank`) },
          ...parseColumns(`
          coin, network, address, proof, reasons json AS proofAskedBecause,
          passkey AS confirmedByPasskey, held_until time, quantity, rate`),
        },
        withheld: {
          request: THE_REQUEST,
          destination_hash: HASH,
          account_hash: HASH,
          session_id: 'a part of a session’s token',
        },
      },
      payouts: {
        table: 'payout_items',
        of: 'n.request = t.id',
        fields: parseColumns('network, quantity, rate'),
        withheld: {
          request: THE_REQUEST,
          payout: 'the company’s transaction: its reference is among the steps',
          output: 'the reference has it',
          units: 'the quantity, in whole units of custody',
        },
      },
      steps: {
        table: 'request_events',
        of: 'n.request = t.id ORDER BY n.at',
        fields: parseColumns('status, at time, amount usd, reference, note'),
        withheld: {
          request: THE_REQUEST,
          investor: OWNER,
          actor: COLLEAGUE,
          second_operator: COLLEAGUE,
          units: 'the deposit’s quantity, in whole units',
          units_at_rate: 'follows from its amount and rate',
          rate: 'the price fixed for the payout, which is with the withdrawal once it is paid',
          fee: 'the company’s cost',
          reference_key: 'the reference in the form used for comparison',
        },
      },
      firstApproval: {
        table: 'credit_approvals',
        single: true,
        of: 'n.request = t.id',
        fields: parseColumns('amount usd, reference, quantity, note, at time'),
        withheld: {
          request: THE_REQUEST,
          operator: COLLEAGUE,
          units: 'the quantity, in whole units',
          reference_key: 'the reference in the form used for comparison',
        },
      },
      withdrawnApprovals: {
        table: 'withdrawn_approvals',
        of: 'n.request = t.id ORDER BY n.seq',
        fields: parseColumns('amount usd, reference, quantity, note, approved_at time, at time'),
        withheld: {
          seq: NUMBERING,
          request: THE_REQUEST,
          operator: COLLEAGUE,
          reference_key: 'the reference in the form used for comparison',
        },
      },
      withdrawnPayoutApprovals: {
        table: 'withdrawn_payout_approvals',
        of: 'n.request = t.id ORDER BY n.seq',
        fields: parseColumns('approved_at time, at time'),
        withheld: { seq: NUMBERING, stop: NUMBERING, request: THE_REQUEST, operator: COLLEAGUE },
      },
      reversals: {
        table: 'proposals',
        of: 'n.request = t.id ORDER BY n.seq',
        fields: proposalFields,
        withheld: {
          ...proposalWithheld,
          id: NUMBERING,
          investor: 'only a bonus has one',
          amount: 'only a bonus has one',
          request: THE_REQUEST,
        },
      },
      acts: actsOnIt,
    },
  },
  {
    name: 'payoutStops',
    table: 'payout_stops',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: parseColumns('cause, at time'),
    withheld: {
      seq: NUMBERING,
      investor: OWNER,
      ended_session: 'a part of a session’s token',
      kept_session: 'a part of a session’s token',
    },
  },
  {
    name: 'accounts',
    table: 'accounts',
    owner: 'owner',
    atClosing: BOOKS,
    key: ['kind', 'subject'],
    fields: parseColumns('id, kind, subject, balance usd'),
    withheld: { owner: OWNER, last_transfer: NUMBERING },
  },
  {
    // A transfer joins two accounts of one owner. Each is listed with the account that it leaves.
    name: 'ledger',
    table: 'transfers',
    owner: 'from_account',
    atClosing: BOOKS,
    ownedBy: { each: 'SELECT id AS owner FROM accounts WHERE owner = ?1 ORDER BY kind, subject' },
    key: ['seq'],
    fields: parseColumns(
      'id, from_account AS from, to_account AS to, amount usd, code, ref, reverses, at time',
    ),
    withheld: { seq: NUMBERING, actor: COLLEAGUE },
  },
  {
    // The sums of the ledger before an entry.
    name: 'ledgerSums',
    table: 'balance_checkpoints',
    owner: 'owner',
    atClosing: BOOKS,
    key: ['at', 'seq'],
    fields: parseColumns(`
      entries, available usd, held usd, allocating usd, invested usd, owed usd, net_paid_in usd`),
    withheld: {
      owner: OWNER,
      at: 'the time of an entry, which is listed with it',
      seq: NUMBERING,
      last_transfer: NUMBERING,
    },
  },
  {
    name: 'positions',
    table: 'positions',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['strategy'],
    fields: parseColumns('strategy, units millionths, cost usd, high_water millionths'),
    withheld: { investor: OWNER, last_movement: NUMBERING },
  },
  {
    name: 'gainMethods',
    table: 'gain_years',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['year'],
    fields: parseColumns('year, method, holding_days, choices json, at time AS fixedAt'),
    withheld: { investor: OWNER },
  },
  {
    name: 'orders',
    table: 'unit_orders',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: {
      thenWithdraw: { column: 'onward', form: 'json', sql: (row) => stripWithdrawalSecrets(`${row}.onward`) },
      ...parseColumns(`
      id, ref, strategy, kind, cents usd AS amount, status, created_at time, decided_at time,
      day time AS pricedAtTheOpenOf, onward_at time AS wentOnAt, withdrawal, recovers`),
    },
    withheld: { seq: NUMBERING, investor: OWNER, decided_by: 'the person, or the platform by itself' },
  },
  {
    name: 'plans',
    table: 'plans',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: {
      destination: {
        column: 'destination',
        form: 'json',
        sql: (row) => stripWithdrawalSecrets(`${row}.destination`),
      },
      ...parseColumns(`
      id, kind, strategy, redeem_from, amount usd, rhythm, starts, day, zone, status, reason, status_at time, next_on,
      created_at time, changed_at time`),
    },
    withheld: {
      seq: NUMBERING,
      investor: OWNER,
      next_at: 'follows from the next date',
      session_id: 'a part of a session’s token',
    },
    inner: {
      runs: {
        table: 'plan_runs',
        of: 'n.plan = t.id ORDER BY n.due_on',
        fields: parseColumns(`
        due_on, due_at time, status, amount usd AS announced, announced_at time, decided_at time, reason,
        unit_order AS order, withdrawal`),
        withheld: { plan: 'the plan that it belongs to' },
      },
    },
  },
  {
    name: 'stops',
    table: 'position_stops',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: parseColumns(`
      id, strategy, percent, status, created_at time, changed_at time, ended_at time, day time AS reachedAtTheOpenOf,
      unit_order AS order, refused AS refusedBecause, refused_at time`),
    withheld: { seq: NUMBERING, investor: OWNER },
  },
  {
    name: 'units',
    table: 'unit_movements',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['strategy', 'seq'],
    fields: parseColumns(`
      id, strategy, code, units millionths, price millionths, cents usd AS amount, cost usd,
      high_water millionths, day time AS pricedAtTheOpenOf, ref, at time`),
    withheld: { seq: NUMBERING, investor: OWNER },
  },
  {
    // The sums of the units up to each movement.
    name: 'unitSums',
    table: 'position_history',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['strategy', 'at', 'seq'],
    fields: parseColumns('strategy, at time, units millionths, cost usd'),
    withheld: { investor: OWNER, seq: NUMBERING, last_movement: NUMBERING },
  },
  {
    name: 'proposals',
    table: 'proposals',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: { ...parseColumns('id'), ...proposalFields, ...parseColumns('amount usd') },
    withheld: {
      ...proposalWithheld,
      investor: OWNER,
      request: 'a reversal has one, and is listed with its request',
    },
    inner: { acts: actsOnIt },
  },
  {
    name: 'publishedLiabilities',
    table: 'liability_leaves',
    owner: 'investor',
    atClosing: 'deleted',
    key: ['day'],
    fields: parseColumns('day, balance usd'),
    withheld: { investor: OWNER, position: NUMBERING, hash: HASH },
  },
  {
    name: 'referralBonuses',
    table: 'referral_bonuses',
    owner: 'referrer',
    atClosing: BOOKS,
    key: ['due_at', 'invitee'],
    fields: parseColumns(
      'id, amount usd, due_at time, matures_at time, granted_at time, lapsed_at time, reversed_at time',
    ),
    withheld: {
      referrer: OWNER,
      invitee: 'another person',
      deposit: 'another person’s deposit',
      setting: 'the decision about the company’s setting',
      minimum: 'what another person has to leave with us',
    },
  },
  {
    name: 'savedAddresses',
    table: 'saved_addresses',
    owner: 'investor',
    atClosing: 'deleted',
    key: ['created_at', 'seq'],
    fields: parseColumns('id, label, network, address, created_at time'),
    withheld: { seq: NUMBERING, investor: OWNER, destination_hash: HASH },
  },
  {
    name: 'confirmedDestinations',
    table: 'known_destinations',
    owner: 'investor',
    atClosing: 'deleted',
    key: ['destination_hash'],
    fields: parseColumns('confirmed_at time, held_until time'),
    withheld: { investor: OWNER, destination_hash: HASH, account_hash: HASH },
  },
  {
    name: 'destinationLock',
    table: 'destination_locks',
    owner: 'investor',
    atClosing: 'kept: says why withdrawals were refused',
    key: [],
    fields: parseColumns('on_since time, off_asked_at time'),
    withheld: { investor: OWNER, off_session: 'the session that asked: the activity log names its browser' },
  },
  {
    name: 'ownWalletProofs',
    table: 'owner_proofs',
    owner: 'investor',
    atClosing: 'kept: shows why withdrawals were not delayed, until the account is erased',
    key: ['destination_hash', 'seq'],
    fields: parseColumns(
      'network, address, message, created_at time, expires_at time, method, signature, proved_at time',
    ),
    withheld: { seq: NUMBERING, id: NUMBERING, investor: OWNER, destination_hash: HASH },
  },
  {
    name: 'withdrawalCodes',
    table: 'withdrawal_codes',
    owner: 'investor',
    atClosing: 'deleted',
    key: ['id'],
    fields: parseColumns(
      'amount usd, tries, created_at time, expires_at time, confirmed_at time, used_at time',
    ),
    withheld: { id: NUMBERING, investor: OWNER, destination_hash: HASH, code_hash: SECRET },
  },
  {
    name: 'depositAddresses',
    table: 'deposit_addresses',
    owner: 'investor',
    atClosing: 'kept: the books, by ids, because payments to them may still arrive',
    key: ['wallet', 'seq'],
    fields: parseColumns('address, given_at time, shown_at time, paid_at time'),
    withheld: {
      seq: NUMBERING,
      id: 'names the public picture of the address',
      investor: OWNER,
      wallet: 'the company’s wallet',
      position: NUMBERING,
      script: 'follows from the address',
      checked_at: 'when a server of the chain was last asked',
      seen_balance: 'what the chain shows of the address, and our last look at it',
      seen_height: 'the block of that look',
    },
  },
  {
    name: 'payments',
    table: 'payments',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: parseColumns(`
      id, network, reference, address, quantity, state, seen_at time, height, block_hash, confirmations,
      final_at time, rate, amount usd, rule, credited_at time, undone_at time`),
    withheld: {
      seq: NUMBERING,
      investor: OWNER,
      units: 'the quantity, in whole units of custody',
      needed: 'the same for all payments of a network',
      quote: 'the deposit names its quote',
      confirm_by: 'follows from the time when it was first seen',
      quote_ended: 'the rule says whether the quote counts',
      reason: 'follows from the state, and is shown with the payment',
      checked_at: 'when a server of the chain was last asked',
      proof: 'public data of the chain, shown with the deposit',
      request: 'the deposit names the payment’s reference',
      ...CLOSING,
    },
  },
  {
    name: 'unknownReceipts',
    table: 'unknown_receipts',
    owner: 'investor',
    atClosing: BOOKS,
    key: ['seq'],
    fields: parseColumns(
      'id, chain, reference, address, kind, contract, quantity, transfers, height, seen_at time',
    ),
    withheld: { seq: NUMBERING, investor: OWNER, ...CLOSING },
  },
]

/** SQL: the withdrawal after a redemption, without the session's id and hashes. */
function stripWithdrawalSecrets(onward: string): string {
  const bank = '$.destination.details.bank'
  return `json_remove(json_replace(${onward}, '${bank}', ${maskBank(`json_extract(${onward}, '${bank}')`)}),
    '$.sessionId', '$.destination.hash', '$.destination.details.accountHash')`
}
