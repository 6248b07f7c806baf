import { integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import {
  CHAINS,
  PAYMENT_RULES,
  PAYMENT_STATES,
  PROVED_NETWORKS,
} from '../../../src/contract/money/payments.ts'

export const watchChallenges = sqliteTable('watch_challenges', {
  id: text('id').primaryKey(),
  chain: text('chain', { enum: CHAINS }).notNull(),
  descriptor: text('descriptor').notNull(),
  message: text('message').notNull().unique(),
  issuedTo: text('issued_to').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const watchWallets = sqliteTable('watch_wallets', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  chain: text('chain', { enum: CHAINS }).notNull(),
  descriptor: text('descriptor').notNull().unique(),
  proposal: text('proposal').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  retiredAt: integer('retired_at'),
  retirement: text('retirement').unique(),
})

export const depositAddresses = sqliteTable(
  'deposit_addresses',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    wallet: text('wallet').notNull(),
    position: integer('position').notNull(),
    address: text('address').notNull().unique(),
    script: text('script').notNull(),
    investor: text('investor').notNull(),
    givenAt: integer('given_at').notNull(),
    shownAt: integer('shown_at').notNull(),
    checkedAt: integer('checked_at').notNull().default(0),
    paidAt: integer('paid_at'),
    seenBalance: text('seen_balance'),
    seenHeight: integer('seen_height'),
  },
  (table) => [unique().on(table.wallet, table.position)],
)

export const depositQuotes = sqliteTable('deposit_quotes', {
  request: text('request').primaryKey(),
  address: text('address').notNull(),
  network: text('network', { enum: PROVED_NETWORKS }).notNull(),
  units: integer('units').notNull(),
  rate: text('rate').notNull(),
  until: integer('until').notNull(),
})

export const bitcoinHeaders = sqliteTable('bitcoin_headers', {
  height: integer('height').primaryKey(),
  hash: text('hash').notNull().unique(),
  header: text('header').notNull(),
  work: text('work').notNull(),
  periodStart: integer('period_start').notNull(),
  searchedAt: integer('searched_at'),
})

export const ethereumPositions = sqliteTable('ethereum_positions', {
  name: text('name', { enum: ['finalised', 'newest'] }).primaryKey(),
  height: integer('height').notNull(),
  hash: text('hash').notNull(),
})

export const chainServers = sqliteTable(
  'chain_servers',
  {
    chain: text('chain', { enum: CHAINS }).notNull(),
    server: text('server').notNull(),
    height: integer('height'),
    hash: text('hash'),
    answeredAt: integer('answered_at'),
    failingSince: integer('failing_since'),
    fault: text('fault'),
    notice: text('notice'),
  },
  (table) => [primaryKey({ columns: [table.chain, table.server] })],
)

export const payments = sqliteTable(
  'payments',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    network: text('network', { enum: PROVED_NETWORKS }).notNull(),
    reference: text('reference').notNull(),
    address: text('address').notNull(),
    investor: text('investor').notNull(),
    quantity: text('quantity').notNull(),
    units: integer('units').notNull(),
    state: text('state', { enum: PAYMENT_STATES }).notNull(),
    reason: text('reason'),
    seenAt: integer('seen_at').notNull(),
    height: integer('height'),
    blockHash: text('block_hash'),
    confirmations: integer('confirmations').notNull().default(0),
    needed: integer('needed').notNull(),
    quote: text('quote').unique(),
    confirmBy: integer('confirm_by'),
    quoteEnded: integer('quote_ended').notNull().default(0),
    checkedAt: integer('checked_at').notNull(),
    finalAt: integer('final_at'),
    rate: text('rate'),
    amount: integer('amount'),
    rule: text('rule', { enum: PAYMENT_RULES }),
    proof: text('proof'),
    request: text('request').unique(),
    creditedAt: integer('credited_at'),
    undoneAt: integer('undone_at'),
    closedBy: text('closed_by'),
    closedAt: integer('closed_at'),
    closing: text('closing'),
  },
  (table) => [unique().on(table.network, table.reference)],
)

export const chainTransactions = sqliteTable('chain_transactions', {
  id: text('id').primaryKey(),
  proof: text('proof').notNull(),
})

export const unsearchedBlocks = sqliteTable(
  'unsearched_blocks',
  {
    chain: text('chain', { enum: CHAINS }).notNull(),
    height: integer('height').notNull(),
    hash: text('hash').notNull(),
    failures: integer('failures').notNull(),
    fault: text('fault').notNull(),
    failedAt: integer('failed_at').notNull(),
    triedAt: integer('tried_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.height] })],
)

export const unknownReceipts = sqliteTable(
  'unknown_receipts',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    chain: text('chain', { enum: CHAINS }).notNull(),
    reference: text('reference').notNull(),
    address: text('address').notNull(),
    investor: text('investor').notNull(),
    kind: text('kind', { enum: ['token', 'internal', 'oversized'] }).notNull(),
    contract: text('contract'),
    quantity: text('quantity').notNull(),
    transfers: integer('transfers').notNull().default(1),
    height: integer('height').notNull(),
    seenAt: integer('seen_at').notNull(),
    closedBy: text('closed_by'),
    closedAt: integer('closed_at'),
    closing: text('closing'),
  },
  (table) => [unique().on(table.chain, table.reference)],
)
