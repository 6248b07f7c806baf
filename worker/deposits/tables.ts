import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COINS, NETWORKS } from '../../src/contract/coins.ts'

export const depositDetails = sqliteTable('deposit_details', {
  request: text('request').primaryKey(),
  coin: text('coin', { enum: COINS }).notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  paymentTo: text('payment_to').notNull(),
  txid: text('txid'),
  receiptKey: text('receipt_key').notNull(),
  receiptType: text('receipt_type').notNull(),
  quantity: text('quantity'),
  rate: text('rate'),
})
