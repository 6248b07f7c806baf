import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const gaps = sqliteTable(
  'gaps',
  {
    strategy: text('strategy').notNull(),
    day: integer('day').notNull(),
    live: integer('live').notNull(),
    test: integer('test').notNull(),
    price: integer('price').notNull(),
    slippage: integer('slippage').notNull(),
    fees: integer('fees').notNull(),
    cashDrag: integer('cash_drag').notNull(),
    missed: integer('missed').notNull(),
    rounding: integer('rounding').notNull(),
    unexplained: integer('unexplained').notNull(),
    pool: text('pool'),
    carried: text('carried').notNull(),
  },
  (table) => [primaryKey({ columns: [table.strategy, table.day] })],
)
