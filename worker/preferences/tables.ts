import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const choice = (column: string, byDefault: boolean) =>
  integer(column, { mode: 'boolean' }).notNull().default(byDefault)

export const preferences = sqliteTable('preferences', {
  userId: text('user_id').primaryKey(),
  activityLog: choice('activity_log', true),
  unusualActivity: choice('unusual_activity', true),
  newBrowserSignIn: choice('new_browser_sign_in', false),
  salesNews: choice('sales_news', true),
  features: choice('features', true),
  tips: choice('tips', true),
  changedAt: integer('changed_at').notNull(),
})
