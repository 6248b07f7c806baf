import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { RefusalCode } from '../../../src/contract/errors.ts'
import { RHYTHMS } from '../../../src/contract/investing/planDates.ts'
import { PLAN_KINDS, PLAN_STATUSES, RUN_STATUSES } from '../../../src/contract/investing/plans.ts'

export const strategies = sqliteTable('strategies', {
  slug: text('slug').primaryKey(),
  definition: text('definition').notNull(),
  hash: text('hash').notNull(),
  market: text('market').notNull(),
  minimum: integer('minimum').notNull(),
  status: text('status', { enum: ['active', 'suspended', 'stopped'] })
    .notNull()
    .default('active'),
  startedAt: integer('started_at').notNull(),
  band: text('band'),
})

export const strategyNotices = sqliteTable('strategy_notices', {
  event: integer('event').primaryKey(),
  toldToSeq: integer('told_to_seq').notNull().default(0),
  finishedAt: integer('finished_at'),
})

export const strategyEvents = sqliteTable('strategy_events', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  strategy: text('strategy').notNull(),
  at: integer('at').notNull(),
  kind: text('kind', { enum: ['started', 'suspended', 'resumed', 'stopped'] }).notNull(),
  reason: text('reason'),
  note: text('note'),
  actor: text('actor').notNull(),
})

export const valuations = sqliteTable(
  'valuations',
  {
    strategy: text('strategy').notNull(),
    day: integer('day').notNull(),
    kind: text('kind', { enum: ['open', 'close'] }).notNull(),
    unitPrice: integer('unit_price').notNull(),
    issuePrice: integer('issue_price'),
    redeemPrice: integer('redeem_price'),
    netValue: integer('net_value').notNull(),
    units: integer('units').notNull(),
    weights: text('weights').notNull(),
    recordedAt: integer('recorded_at').notNull(),
    previous: text('previous').notNull(),
    hash: text('hash').notNull(),
    priceReturn: real('price_return').notNull(),
    salt: text('salt').notNull(),
    details: text('details').notNull(),
    commitment: text('commitment').notNull(),
    follows: integer('follows').notNull(),
    trades: text('trades'),
    fees: text('fees'),
  },
  (table) => [primaryKey({ columns: [table.strategy, table.day, table.kind] })],
)

export const poolSteps = sqliteTable(
  'pool_steps',
  {
    strategy: text('strategy').notNull(),
    day: integer('day').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.strategy, table.day] })],
)

export const displays = sqliteTable('displays', {
  strategy: text('strategy').primaryKey(),
  at: integer('at').notNull(),
  unitPrice: integer('unit_price').notNull(),
})

export const poolOrders = sqliteTable('pool_orders', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  strategy: text('strategy').notNull(),
  day: integer('day').notNull(),
  asset: text('asset').notNull(),
  side: text('side', { enum: ['buy', 'sell'] }).notNull(),
  quantity: integer('quantity').notNull(),
  at: integer('at').notNull(),
  seenPrice: real('seen_price').notNull(),
})

export const poolFills = sqliteTable('pool_fills', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  poolOrder: text('pool_order').notNull(),
  quantity: integer('quantity').notNull(),
  price: real('price').notNull(),
  fee: integer('fee').notNull(),
  slippage: integer('slippage').notNull(),
  cash: integer('cash').notNull(),
  at: integer('at').notNull(),
  venueOrder: text('venue_order'),
  trade: text('trade'),
  venueCash: integer('venue_cash'),
  venueFee: integer('venue_fee'),
})

export const unitOrders = sqliteTable('unit_orders', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  investor: text('investor').notNull(),
  strategy: text('strategy').notNull(),
  kind: text('kind', { enum: ['allocate', 'redeem'] }).notNull(),
  cents: integer('cents'),
  status: text('status', { enum: ['pending', 'settled', 'cancelled'] })
    .notNull()
    .default('pending'),
  createdAt: integer('created_at').notNull(),
  decidedAt: integer('decided_at'),
  decidedBy: text('decided_by'),
  day: integer('day'),
  onward: text('onward'),
  onwardAt: integer('onward_at'),
  withdrawal: text('withdrawal'),
  recovers: text('recovers'),
})

export const gainYears = sqliteTable(
  'gain_years',
  {
    investor: text('investor').notNull(),
    year: integer('year').notNull(),
    method: text('method', { enum: ['fifo', 'average', 'chosen'] }).notNull(),
    holdingDays: integer('holding_days').notNull(),
    choices: text('choices').notNull().default('{}'),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.investor, table.year] })],
)

export const positionStops = sqliteTable('position_stops', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  strategy: text('strategy').notNull(),
  percent: integer('percent').notNull(),
  status: text('status', { enum: ['active', 'fired', 'ended'] })
    .notNull()
    .default('active'),
  createdAt: integer('created_at').notNull(),
  changedAt: integer('changed_at').notNull(),
  endedAt: integer('ended_at'),
  day: integer('day'),
  unitOrder: text('unit_order').unique(),
  refused: text('refused').$type<RefusalCode>(),
  refusedAt: integer('refused_at'),
})

export const stopChecks = sqliteTable(
  'stop_checks',
  {
    strategy: text('strategy').notNull(),
    day: integer('day').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.strategy, table.day] })],
)

export const plans = sqliteTable('plans', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  kind: text('kind', { enum: PLAN_KINDS }).notNull(),
  strategy: text('strategy'),
  amount: integer('amount').notNull(),
  destination: text('destination'),
  rhythm: text('rhythm', { enum: RHYTHMS }).notNull(),
  starts: text('starts').notNull(),
  day: integer('day').notNull(),
  zone: text('zone').notNull(),
  status: text('status', { enum: PLAN_STATUSES }).notNull().default('active'),
  reason: text('reason'),
  statusAt: integer('status_at').notNull(),
  nextOn: text('next_on').notNull(),
  nextAt: integer('next_at').notNull(),
  createdAt: integer('created_at').notNull(),
  sessionId: text('session_id').notNull(),
  changedAt: integer('changed_at').notNull(),
  redeemFrom: text('redeem_from'),
})

export const planRuns = sqliteTable(
  'plan_runs',
  {
    plan: text('plan').notNull(),
    dueOn: text('due_on').notNull(),
    dueAt: integer('due_at').notNull(),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    amount: integer('amount'),
    announcedAt: integer('announced_at'),
    decidedAt: integer('decided_at'),
    reason: text('reason'),
    unitOrder: text('unit_order').unique(),
    withdrawal: text('withdrawal').unique(),
  },
  (table) => [primaryKey({ columns: [table.plan, table.dueOn] })],
)
