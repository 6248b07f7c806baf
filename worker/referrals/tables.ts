import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const referralBonuses = sqliteTable('referral_bonuses', {
  invitee: text('invitee').primaryKey(),
  id: text('id').notNull().unique(),
  referrer: text('referrer').notNull(),
  amount: integer('amount').notNull(),
  setting: text('setting').notNull(),
  deposit: text('deposit').notNull(),
  dueAt: integer('due_at').notNull(),
  grantedAt: integer('granted_at'),
  lapsedAt: integer('lapsed_at'),
})
