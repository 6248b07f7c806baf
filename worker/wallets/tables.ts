import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COINS, NETWORKS } from '../../src/contract/coins.ts'

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
})
