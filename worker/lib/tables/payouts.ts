import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PAYOUT_STATES } from '../../../src/contract/console/payoutStates.ts'
import type { PayoutProblem } from '../../../src/contract/console/payouts.ts'
import { COINS } from '../../../src/contract/money/coins.ts'
import { CHAINS, PROVED_NETWORKS } from '../../../src/contract/money/payments.ts'

export const payouts = sqliteTable('payouts', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  chain: text('chain', { enum: CHAINS }).notNull(),
  wallet: text('wallet').notNull(),
  state: text('state', { enum: PAYOUT_STATES }).notNull().default('built'),
  builtBy: text('built_by').notNull(),
  builtAt: integer('built_at').notNull(),
  releasedBy: text('released_by'),
  releasedAt: integer('released_at'),
  cancelledBy: text('cancelled_by'),
  cancelledAt: integer('cancelled_at'),
  version: integer('version'),
  height: integer('height'),
  blockHash: text('block_hash'),
  replacedBy: text('replaced_by'),
  confirmedAt: integer('confirmed_at'),
  checkedAt: integer('checked_at').notNull().default(0),
  problem: text('problem').$type<PayoutProblem>(),
})

export const payoutItems = sqliteTable(
  'payout_items',
  {
    payout: text('payout').notNull(),
    output: integer('output').notNull(),
    request: text('request').notNull(),
    network: text('network', { enum: PROVED_NETWORKS }).notNull(),
    quantity: text('quantity').notNull(),
    units: integer('units').notNull(),
    rate: text('rate').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payout, table.output] })],
)

export const payoutTransactions = sqliteTable(
  'payout_transactions',
  {
    payout: text('payout').notNull(),
    version: integer('version').notNull(),
    unsigned: text('unsigned').notNull(),
    details: text('details').notNull(),
    fee: integer('fee').notNull(),
    builtBy: text('built_by').notNull(),
    builtAt: integer('built_at').notNull(),
    txid: text('txid').unique(),
    signed: text('signed'),
    releasedBy: text('released_by'),
    releasedAt: integer('released_at'),
  },
  (table) => [primaryKey({ columns: [table.payout, table.version] })],
)

export const payoutCoins = sqliteTable(
  'payout_coins',
  {
    payout: text('payout').notNull(),
    version: integer('version').notNull(),
    coin: text('coin').notNull(),
    value: integer('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payout, table.version, table.coin] })],
)

export const payoutSignatures = sqliteTable('payout_signatures', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  payout: text('payout').notNull(),
  version: integer('version').notNull(),
  psbt: text('psbt').notNull(),
  addedBy: text('added_by').notNull(),
  addedAt: integer('added_at').notNull(),
})

export const payoutKeySignatures = sqliteTable(
  'payout_key_signatures',
  {
    payout: text('payout').notNull(),
    version: integer('version').notNull(),
    key: integer('key').notNull(),
    signedBy: text('signed_by').notNull(),
    signedAt: integer('signed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payout, table.version, table.key] })],
)

export const payoutPauses = sqliteTable('payout_pauses', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  at: integer('at').notNull(),
  actor: text('actor').notNull(),
  reason: text('reason').notNull(),
  liftedBy: text('lifted_by'),
  liftedAt: integer('lifted_at'),
})

export const reserves = sqliteTable(
  'reserves',
  {
    day: text('day').notNull(),
    asset: text('asset', { enum: COINS }).notNull(),
    chain: text('chain', { enum: CHAINS }).notNull(),
    height: integer('height').notNull(),
    blockHash: text('block_hash').notNull(),
    units: integer('units').notNull(),
    booked: integer('booked').notNull(),
    stopsPayouts: integer('stops_payouts').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.asset] })],
)

export const coinSpends = sqliteTable(
  'coin_spends',
  {
    coin: text('coin').notNull(),
    blockHash: text('block_hash').notNull(),
    height: integer('height').notNull(),
    txid: text('txid').notNull(),
  },
  (table) => [primaryKey({ columns: [table.coin, table.blockHash] })],
)

export const reserveCounts = sqliteTable('reserve_counts', {
  day: text('day').primaryKey(),
  height: integer('height').notNull(),
  blockHash: text('block_hash').notNull(),
  reached: integer('reached').notNull().default(0),
  held: text('held').notNull(),
  booked: text('booked').notNull(),
  at: integer('at').notNull(),
})

export const treasuryTransactions = sqliteTable(
  'treasury_transactions',
  {
    wallet: text('wallet').notNull(),
    nonce: integer('nonce').notNull(),
    txid: text('txid').notNull().unique(),
    payload: text('payload').notNull(),
    height: integer('height').notNull(),
    blockHash: text('block_hash').notNull(),
    succeeded: integer('succeeded').notNull(),
  },
  (table) => [primaryKey({ columns: [table.wallet, table.nonce] })],
)
