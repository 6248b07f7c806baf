import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
  code: text('code', { enum: ['in', 'out', 'reverse_in', 'reverse_out'] }).notNull(),
  ref: text('ref').notNull(),
  at: integer('at').notNull(),
})
