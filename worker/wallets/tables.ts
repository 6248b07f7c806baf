import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COINS, NETWORKS } from '../../src/contract/coins.ts'
import { PROOF_METHODS } from '../../src/contract/operator/wallets.ts'

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

/** What was paid to an address, written by triggers alone. */
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
