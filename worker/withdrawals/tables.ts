import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COINS, NETWORKS } from '../../src/contract/coins.ts'

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
  usedAt: integer('used_at'),
})

export const payoutStops = sqliteTable('payout_stops', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  investor: text('investor').notNull(),
  cause: text('cause', { enum: ['password_reset', 'account_locked', 'email_changed'] }).notNull(),
  at: integer('at').notNull(),
})

export const withdrawnPayoutApprovals = sqliteTable('withdrawn_payout_approvals', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  stop: integer('stop').notNull(),
  request: text('request').notNull(),
  operator: text('operator').notNull(),
  approvedAt: integer('approved_at').notNull(),
  at: integer('at').notNull(),
})
