import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const marketSnapshots = sqliteTable('market_snapshots', {
  name: text('name', { enum: ['coins', 'trending'] }).primaryKey(),
  body: text('body').notNull(),
  source: text('source').notNull(),
  at: integer('at').notNull(),
  held: text('held').notNull().default('{}'),
})

export const marketFeeds = sqliteTable('market_feeds', {
  name: text('name', { enum: ['coins', 'trending', 'series'] }).primaryKey(),
  dueAt: integer('due_at').notNull(),
  failures: integer('failures').notNull().default(0),
  hurriedAt: integer('hurried_at').notNull().default(0),
  finding: text('finding'),
})

export const marketSeries = sqliteTable('market_series', {
  coin: text('coin').primaryKey(),
  prices: text('prices').notNull(),
  at: integer('at').notNull(),
})

export const marketPictures = sqliteTable('market_pictures', {
  coin: text('coin').primaryKey(),
  type: text('type'),
  triedAt: integer('tried_at').notNull(),
})

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
