import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { NETWORKS } from '../../src/contract/coins.ts'

export const savedAddresses = sqliteTable('saved_addresses', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  label: text('label').notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  address: text('address').notNull(),
  destinationHash: text('destination_hash').notNull(),
  createdAt: integer('created_at').notNull(),
})
