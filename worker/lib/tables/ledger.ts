import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ENTRY_CODES } from '../../../src/contract/console/treasuryActs.ts'

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  owner: text('owner').notNull(),
  kind: text('kind').notNull(),
  subject: text('subject').notNull().default(''),
  balance: integer('balance').notNull().default(0),
  lastTransfer: integer('last_transfer').notNull().default(0),
})

export const transfers = sqliteTable('transfers', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  fromAccount: text('from_account').notNull(),
  toAccount: text('to_account').notNull(),
  amount: integer('amount').notNull(),
  code: text('code').notNull(),
  ref: text('ref').notNull(),
  reverses: text('reverses').unique(),
  actor: text('actor').notNull(),
  at: integer('at').notNull(),
})

export const balanceCheckpoints = sqliteTable(
  'balance_checkpoints',
  {
    owner: text('owner').notNull(),
    at: integer('at').notNull(),
    seq: integer('seq').notNull(),
    entries: integer('entries').notNull(),
    available: integer('available').notNull(),
    held: integer('held').notNull(),
    allocating: integer('allocating').notNull(),
    invested: integer('invested').notNull(),
    owed: integer('owed').notNull(),
    netPaidIn: integer('net_paid_in').notNull(),
    lastTransfer: integer('last_transfer').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.at, table.seq] })],
)

export const custodyAssets = sqliteTable('custody_assets', {
  asset: text('asset').primaryKey(),
  unit: text('unit').notNull(),
  decimals: integer('decimals').notNull(),
})

export const custodyBalances = sqliteTable('custody_balances', {
  asset: text('asset').primaryKey(),
  balance: integer('balance').notNull().default(0),
  lastEntry: integer('last_entry').notNull().default(0),
})

export const custodyEntries = sqliteTable('custody_entries', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  asset: text('asset').notNull(),
  quantity: integer('quantity').notNull(),
  code: text('code', { enum: ENTRY_CODES }).notNull(),
  ref: text('ref').notNull(),
  at: integer('at').notNull(),
})

export const pools = sqliteTable('pools', {
  strategy: text('strategy').primaryKey(),
  cash: integer('cash').notNull().default(0),
  units: integer('units').notNull().default(0),
  lastEntry: integer('last_entry').notNull().default(0),
})

export const poolHoldings = sqliteTable(
  'pool_holdings',
  {
    strategy: text('strategy').notNull(),
    asset: text('asset').notNull(),
    quantity: integer('quantity').notNull().default(0),
    lastEntry: integer('last_entry').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.strategy, table.asset] })],
)

export const poolEntries = sqliteTable('pool_entries', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  strategy: text('strategy').notNull(),
  code: text('code', { enum: ['issue', 'redeem', 'buy', 'sell'] }).notNull(),
  cash: integer('cash').notNull(),
  units: integer('units').notNull().default(0),
  asset: text('asset'),
  quantity: integer('quantity').notNull().default(0),
  ref: text('ref').notNull().unique(),
  at: integer('at').notNull(),
})

export const positions = sqliteTable(
  'positions',
  {
    investor: text('investor').notNull(),
    strategy: text('strategy').notNull(),
    units: integer('units').notNull().default(0),
    cost: integer('cost').notNull().default(0),
    highWater: integer('high_water').notNull().default(0),
    lastMovement: integer('last_movement').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.investor, table.strategy] })],
)

export const unitMovements = sqliteTable('unit_movements', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  strategy: text('strategy').notNull(),
  code: text('code', { enum: ['issue', 'redeem', 'fee'] }).notNull(),
  units: integer('units').notNull(),
  price: integer('price').notNull(),
  cents: integer('cents').notNull(),
  cost: integer('cost').notNull(),
  highWater: integer('high_water').notNull(),
  day: integer('day').notNull(),
  ref: text('ref').notNull().unique(),
  at: integer('at').notNull(),
})

export const positionHistory = sqliteTable(
  'position_history',
  {
    investor: text('investor').notNull(),
    strategy: text('strategy').notNull(),
    at: integer('at').notNull(),
    seq: integer('seq').notNull(),
    units: integer('units').notNull(),
    cost: integer('cost').notNull(),
    lastMovement: integer('last_movement').notNull(),
  },
  (table) => [primaryKey({ columns: [table.investor, table.strategy, table.at, table.seq] })],
)
