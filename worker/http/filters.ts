import { type SQL, sql } from 'drizzle-orm'
import type { CaseFilters } from '../../src/contract/console/cases.ts'
import { listSpellings } from '../../src/contract/countries.ts'
import { type Coin, listNetworks } from '../../src/contract/money/coins.ts'

/**
 * A page looks for amounts, coins and countries in this many rows of its list, so that a rare one does not read all of it. A file
 * reads them all.
 */
export const MOST_FILTERED = 10_000

/** The filters of a queue's query. */
export type QueueFilters = CaseFilters & {
  readonly ids?: readonly string[] | undefined
  readonly format?: 'json' | 'csv' | undefined
}

/** The SQL that filters compare with. A queue omits the fields that its rows do not have. */
interface FilteredColumns {
  readonly id?: SQL
  readonly at?: SQL
  readonly investor?: SQL
  readonly amount?: SQL
  /** Whether the row is of this coin. */
  readonly isOfCoin?: (coin: Coin) => SQL
  /** Whether the row is about this investor. Default: the row's `investor` is. */
  readonly isAbout?: (person: string) => SQL
}

interface Conditions {
  /** Found by an index. */
  readonly indexed: SQL
  /** Compared in every row that is read; null if there is none. */
  readonly read: SQL | null
}

/** The conditions of a queue's filters. Each filter has one line here and one in `caseFilters`. */
export function buildFilters(filters: QueueFilters, columns: FilteredColumns): Conditions {
  const { ids, from, to, amountFrom, amountTo, coin, country, person } = filters
  const { id, at, investor, amount, isOfCoin } = columns
  const { isAbout = investor && ((id: string) => sql`${investor} = ${id}`) } = columns
  const indexed = [
    id && ids && sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    at && from !== undefined && sql`${at} >= ${from}`,
    at && to !== undefined && sql`${at} <= ${to}`,
    person && isAbout?.(person),
  ].filter(isCondition)
  const read = [
    amount && amountFrom !== undefined && sql`${amount} >= ${amountFrom}`,
    amount && amountTo !== undefined && sql`${amount} <= ${amountTo}`,
    coin && isOfCoin?.(coin),
    investor && country && isFrom(country, investor),
  ].filter(isCondition)
  return {
    indexed: sql.join([sql`1`, ...indexed], sql` AND `),
    read: read.length === 0 ? null : sql.join(read, sql` AND `),
  }
}

/** All conditions of the filters of a list that is short, or read whole anyway. */
export function matchEveryFilter(filters: QueueFilters, columns: FilteredColumns): SQL {
  const { indexed, read } = buildFilters(filters, columns)
  return read === null ? indexed : sql`${indexed} AND ${read}`
}

/** SQL: whether a column has a network of this coin. */
export function matchNetwork(coin: Coin, network: SQL): SQL {
  return sql`${network} IN (SELECT value FROM json_each(${JSON.stringify(listNetworks(coin))}))`
}

/** Whether an investor's country is this one. It is stored as the investor sent it. */
function isFrom(country: string, investor: SQL): SQL {
  const spellings = JSON.stringify(listSpellings(country))
  return sql`EXISTS (
    SELECT 1 FROM users c WHERE c.id = ${investor} AND c.country IN (SELECT value FROM json_each(${spellings})))`
}

/**
 * The condition of filters on a list that is sorted by `seq`.
 * @param table the table as `alias` in the list's query
 * @param base the list's other conditions
 */
export function matchFilters(
  filters: QueueFilters,
  { table, alias, base, by, ...columns }: FilteredColumns & FilteredList,
): SQL {
  const { indexed, read } = buildFilters(filters, { id: sql`${alias}.id`, ...columns })
  const seq = sql`${alias}.seq`
  // Rows are numbered in the order of their times.
  const { from, to } = filters
  const first = sql`SELECT seq FROM ${table} WHERE created_at >= ${from} ORDER BY created_at LIMIT 1`
  const last = sql`SELECT seq FROM ${table} WHERE created_at <= ${to} ORDER BY created_at DESC LIMIT 1`
  const all = sql`${base} AND ${indexed}
    AND ${from === undefined ? sql`1` : sql`${seq} >= (${first})`} AND ${to === undefined ? sql`1` : sql`${seq} <= (${last})`}`
  if (read === null) return all
  const reach = filters.format === 'csv' ? -1 : MOST_FILTERED
  return sql`${seq} IN (SELECT ${seq} FROM ${table} ${alias} WHERE ${all} ORDER BY ${by} LIMIT ${reach}) AND ${read}`
}

interface FilteredList {
  readonly table: SQL
  readonly alias: SQL
  readonly base: SQL
  readonly by: SQL
}

function isCondition(condition: SQL | string | false | undefined): condition is SQL {
  return typeof condition === 'object'
}
