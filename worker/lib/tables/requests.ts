import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PROOF_METHODS } from '../../../src/contract/console/wallets.ts'
import { COINS, NETWORKS } from '../../../src/contract/money/coins.ts'

const STATUSES = ['pending', 'approved', 'completed', 'rejected', 'cancelled', 'reversed'] as const

export const requests = sqliteTable('requests', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  investor: text('investor').notNull(),
  kind: text('kind', { enum: ['deposit', 'withdrawal', 'online-service-withdrawal'] }).notNull(),
  queue: text('queue', { enum: ['deposits', 'withdrawals'] }).notNull(),
  status: text('status', { enum: STATUSES }).notNull().default('pending'),
  amount: integer('amount').notNull(),
  asked: integer('asked').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const requestEvents = sqliteTable(
  'request_events',
  {
    request: text('request').notNull(),
    status: text('status', { enum: STATUSES }).notNull(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    investor: text('investor').notNull(),
    amount: integer('amount'),
    reference: text('reference'),
    referenceKey: text('reference_key'),
    secondOperator: text('second_operator'),
    note: text('note'),
    units: integer('units'),
    unitsAtRate: integer('units_at_rate'),
    rate: text('rate'),
    fee: integer('fee'),
  },
  (table) => [primaryKey({ columns: [table.request, table.status] })],
)

export const depositDetails = sqliteTable('deposit_details', {
  request: text('request').primaryKey(),
  coin: text('coin', { enum: COINS }).notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  paymentTo: text('payment_to').notNull(),
  txid: text('txid'),
  receiptKey: text('receipt_key').notNull(),
  receiptType: text('receipt_type').notNull(),
  receiptHash: text('receipt_hash'),
  quantity: text('quantity'),
  rate: text('rate'),
  askedRate: text('asked_rate'),
  sample: integer('sample').$type<0 | 1>().notNull().default(0),
})

export const withdrawalDetails = sqliteTable('withdrawal_details', {
  request: text('request').primaryKey(),
  coin: text('coin', { enum: COINS }),
  network: text('network', { enum: NETWORKS }),
  address: text('address'),
  bank: text('bank'),
  destinationHash: text('destination_hash').notNull(),
  sessionId: text('session_id').notNull(),
  proof: text('proof', { enum: ['none', 'email', 'totp', 'passkey'] }).notNull(),
  reasons: text('reasons').notNull().default('[]'),
  heldUntil: integer('held_until'),
  quantity: text('quantity'),
  rate: text('rate'),
  passkey: text('passkey'),
  accountHash: text('account_hash'),
})

export const knownDestinations = sqliteTable(
  'known_destinations',
  {
    investor: text('investor').notNull(),
    destinationHash: text('destination_hash').notNull(),
    confirmedAt: integer('confirmed_at').notNull(),
    heldUntil: integer('held_until'),
    accountHash: text('account_hash'),
  },
  (table) => [primaryKey({ columns: [table.investor, table.destinationHash] })],
)

export const withdrawalCodes = sqliteTable('withdrawal_codes', {
  id: text('id').primaryKey(),
  investor: text('investor').notNull(),
  amount: integer('amount').notNull(),
  destinationHash: text('destination_hash').notNull(),
  codeHash: text('code_hash').notNull(),
  tries: integer('tries').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  confirmedAt: integer('confirmed_at'),
  usedAt: integer('used_at'),
})

export const payoutStops = sqliteTable('payout_stops', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  investor: text('investor').notNull(),
  cause: text('cause', {
    enum: [
      'password_reset',
      'account_locked',
      'factors_removed',
      'email_changed',
      'password_changed',
      'factor_changed',
      'session_ended',
    ],
  }).notNull(),
  at: integer('at').notNull(),
  endedSession: text('ended_session'),
  keptSession: text('kept_session'),
})

export const withdrawnPayoutApprovals = sqliteTable('withdrawn_payout_approvals', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  stop: integer('stop').notNull(),
  request: text('request').notNull(),
  operator: text('operator').notNull(),
  approvedAt: integer('approved_at').notNull(),
  at: integer('at').notNull(),
})

export const savedAddresses = sqliteTable('saved_addresses', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  label: text('label').notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  address: text('address').notNull(),
  destinationHash: text('destination_hash').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const destinationLocks = sqliteTable('destination_locks', {
  investor: text('investor').primaryKey(),
  onSince: integer('on_since').notNull(),
  offAskedAt: integer('off_asked_at'),
  offSession: text('off_session'),
})

export const ownerProofs = sqliteTable('owner_proofs', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  address: text('address').notNull(),
  destinationHash: text('destination_hash').notNull(),
  message: text('message').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  method: text('method', { enum: PROOF_METHODS }),
  signature: text('signature'),
  provedAt: integer('proved_at'),
})

export const wallets = sqliteTable('wallets', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  coin: text('coin', { enum: COINS }).notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  address: text('address').notNull(),
  simulated: integer('simulated', { mode: 'boolean' }).notNull(),
  proposal: text('proposal').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  retiredAt: integer('retired_at'),
  retiredBy: text('retired_by'),
})

/** The sum paid to an address, written by triggers alone. */
export const walletTotals = sqliteTable(
  'wallet_totals',
  {
    network: text('network', { enum: NETWORKS }).notNull(),
    address: text('address').notNull(),
    waiting: integer('waiting').notNull().default(0),
    deposits: integer('deposits').notNull().default(0),
    credited: integer('credited').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.network, table.address] })],
)

export const walletChallenges = sqliteTable('wallet_challenges', {
  id: text('id').primaryKey(),
  wallet: text('wallet').notNull(),
  message: text('message').notNull().unique(),
  issuedTo: text('issued_to').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const walletProofs = sqliteTable('wallet_proofs', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  wallet: text('wallet').notNull(),
  challenge: text('challenge').notNull().unique(),
  method: text('method', { enum: PROOF_METHODS }).notNull(),
  signature: text('signature').notNull(),
  provedBy: text('proved_by').notNull(),
  provedAt: integer('proved_at').notNull(),
})

export const decisionTimes = sqliteTable('decision_times', {
  kind: text('kind').primaryKey(),
  since: integer('since').notNull(),
  until: integer('until').notNull(),
  decisions: integer('decisions').notNull(),
  medianMs: integer('median_ms'),
  p95Ms: integer('p95_ms'),
})
