import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const candles = sqliteTable(
  'candles',
  {
    market: text('market').notNull(),
    asset: text('asset').notNull(),
    day: integer('day').notNull(),
    open: real('open').notNull(),
    high: real('high').notNull(),
    low: real('low').notNull(),
    close: real('close').notNull(),
    volume: real('volume').notNull(),
  },
  (table) => [primaryKey({ columns: [table.market, table.asset, table.day] })],
)

export const currentCandles = sqliteTable(
  'current_candles',
  {
    market: text('market').notNull(),
    asset: text('asset').notNull(),
    day: integer('day').notNull(),
    open: real('open').notNull(),
    last: real('last').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.market, table.asset] })],
)

export const candleFeeds = sqliteTable('candle_feeds', {
  market: text('market').primaryKey(),
  dueAt: integer('due_at').notNull(),
  failures: integer('failures').notNull().default(0),
  lackingSince: integer('lacking_since'),
  finding: text('finding'),
  held: text('held').notNull().default('{}'),
})
