import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const marketSnapshots = sqliteTable('market_snapshots', {
  name: text('name', { enum: ['coins', 'trending'] }).primaryKey(),
  body: text('body').notNull(),
  source: text('source').notNull(),
  at: integer('at').notNull(),
})
