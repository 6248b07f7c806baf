import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const liabilityDays = sqliteTable('liability_days', {
  day: text('day').primaryKey(),
  at: integer('at').notNull(),
  investors: integer('investors').notNull(),
  total: integer('total').notNull(),
  secret: text('secret'),
  root: text('root'),
  publishedAt: integer('published_at'),
})

export const liabilityLeaves = sqliteTable(
  'liability_leaves',
  {
    day: text('day').notNull(),
    investor: text('investor').notNull(),
    balance: integer('balance').notNull(),
    position: integer('position'),
    hash: text('hash'),
  },
  (table) => [primaryKey({ columns: [table.investor, table.day] })],
)

export const liabilityNodes = sqliteTable(
  'liability_nodes',
  {
    day: text('day').notNull(),
    level: integer('level').notNull(),
    position: integer('position').notNull(),
    hash: text('hash').notNull(),
    sum: integer('sum').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.level, table.position] })],
)
