import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const venueStrategies = sqliteTable('venue_strategies', {
  strategy: text('strategy').primaryKey(),
  venue: text('venue').notNull(),
  since: integer('since').notNull(),
  proposal: text('proposal').notNull(),
})

export const tradingStops = sqliteTable('trading_stops', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  scope: text('scope').notNull(),
  at: integer('at').notNull(),
  actor: text('actor').notNull(),
  reason: text('reason').notNull(),
  liftedBy: text('lifted_by'),
  liftedAt: integer('lifted_at'),
})

export const venueTransfers = sqliteTable('venue_transfers', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  venue: text('venue').notNull(),
  asset: text('asset').notNull(),
  quantity: integer('quantity').notNull(),
  at: integer('at').notNull(),
  proposal: text('proposal').notNull(),
})

export const venueOrders = sqliteTable('venue_orders', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull(),
  poolOrder: text('pool_order').notNull(),
  venue: text('venue').notNull(),
  side: text('side', { enum: ['buy', 'sell'] }).notNull(),
  quantity: integer('quantity').notNull(),
  limitPrice: integer('limit_price').notNull(),
  mostPaid: integer('most_paid').notNull(),
  believedPrice: integer('believed_price').notNull(),
  bid: integer('bid').notNull(),
  ask: integer('ask').notNull(),
  pricedAt: integer('priced_at').notNull(),
  sentAt: integer('sent_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  state: text('state', { enum: ['sending', 'open', 'closed', 'refused', 'absent'] })
    .notNull()
    .default('sending'),
  venueId: text('venue_id'),
  filled: integer('filled'),
  reason: text('reason'),
  seenAt: integer('seen_at'),
})

export const venueBalances = sqliteTable(
  'venue_balances',
  {
    venue: text('venue').notNull(),
    asset: text('asset').notNull(),
    quantity: integer('quantity').notNull().default(0),
    entries: integer('entries').notNull().default(0),
  },
  ({ venue, asset }) => [primaryKey({ columns: [venue, asset] })],
)

export const poolOrderEnds = sqliteTable('pool_order_ends', {
  poolOrder: text('pool_order').primaryKey(),
  at: integer('at').notNull(),
  unfilled: integer('unfilled').notNull(),
})

export const poolCovers = sqliteTable('pool_covers', {
  proposal: text('proposal').primaryKey(),
  strategy: text('strategy').notNull(),
  cash: integer('cash').notNull(),
  at: integer('at').notNull(),
})

export const venueFees = sqliteTable('venue_fees', {
  venue: text('venue').primaryKey(),
  takerMillionths: integer('taker_millionths').notNull(),
  askedAt: integer('asked_at').notNull(),
})

export const venueChecks = sqliteTable('venue_checks', {
  venue: text('venue').primaryKey(),
  at: integer('at').notNull(),
  state: text('state', { enum: ['equal', 'different', 'unreachable'] }).notNull(),
  since: integer('since').notNull(),
  differing: integer('differing').notNull().default(0),
  finding: text('finding').notNull().default('[]'),
  balances: text('balances').notNull().default('{}'),
})
