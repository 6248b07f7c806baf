import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const decisionTimes = sqliteTable('decision_times', {
  kind: text('kind').primaryKey(),
  since: integer('since').notNull(),
  until: integer('until').notNull(),
  decisions: integer('decisions').notNull(),
  medianMs: integer('median_ms'),
  p95Ms: integer('p95_ms'),
})
