import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { listInvestors } from '../../../src/contract/console/investors.ts'
import { describeStatus } from '../../../src/contract/console/requestWords.ts'
import { MOST_JUDGED } from '../../../src/contract/console/risk.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { formatDecimal } from '../../http/csv.ts'
import { MOST_FILTERED, matchFilters } from '../../http/filters.ts'
import { openCursor, type Position, toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildSeqPage, createQueue, type Order } from '../../http/queue.ts'
import { hasScope } from '../../http/scopes.ts'
import { sumTotalBalance } from '../../ledger/balances.ts'
import { type RowOf, type RowQuery, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { isKeySearched, matchTransactionSql } from '../../money/requests/references.ts'
import { isNew, LAST, matchUserNamesSql, selectByEmail, selectByName } from '../cases/search.ts'
import { SELECT_UNLOCKING } from '../cases/unlocking.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'
import { buildInvestorFields, type InvestorFacts, limitToScope, toInvestorRow } from './investor.ts'

type Query = QueryOf<typeof listInvestors>

/** Filters and page of the list. */
export type InvestorFilters = Pick<Query, 'limit'> & {
  readonly [Name in Exclude<keyof Query, 'limit'>]?: Query[Name]
}

export const investorQueue = createQueue(listInvestors, {
  check: ({ actor, query: { format, order, risk, account } }) => {
    const asksMoney =
      format === 'csv' || order === 'balance' || order === 'risk' || risk || account === 'reported'
    if (asksMoney && !hasScope(actor, 'operator:investors.money')) refuse('forbidden')
  },
  read: async (call, after, rows) => {
    const { db, actor, query } = call
    const position = (facts: ListedFacts) => ({ at: getSortKey(query.order, facts), seq: facts.seq })
    const page = await readByRisk<ListedFacts>(call, 'investors', after, rows, {
      select: (page) => selectInvestorPage(query, page),
      isOpen: sql`u.closed_at IS NULL`,
      read: (ids, risks) => readTogether(db, readListed(actor.id, ids, rows), risks),
      position,
    })
    return page.map((facts) => ({ position: position(facts), ...facts }))
  },
  row: (facts, { actor }) => {
    const row = limitToScope(actor, toInvestorRow(facts))
    const lastSignInAt = toIsoOrNull(facts.lastSignInAt)
    if (!hasScope(actor, 'operator:investors.money')) return { ...row, lastSignInAt }
    const { totalCents, isReported, risk } = facts
    return {
      ...row,
      lastSignInAt,
      totalBalance: toUsd(totalCents),
      ...(isReported === 1 && { isReported: true }),
      risk,
    }
  },
  file: {
    name: 'investors',
    columns: {
      Id: (row) => row.id,
      'Registered (UTC)': (row) => toIso(row.createdAt),
      Account: describeAccount,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      'E-mail verified': (row) => (row.emailVerifiedAt === null ? 'No' : 'Yes'),
      Phone: (row) => row.phone,
      Country: (row) => row.country,
      Identity: (row) => (row.kyc === 'none' ? 'Nothing sent' : describeStatus(row.kyc)),
      'Total balance (USD)': (row) => formatDecimal(row.totalCents),
      'Last sign-in (UTC)': (row) => toIsoOrNull(row.lastSignInAt) ?? '',
      'Lost second factor reported': (row) => (row.isReported === 1 ? 'Yes' : 'No'),
      ...RISK_COLUMNS,
    },
  },
})

type ListedFacts = RowOf<typeof readListed>

/** These investors with the figures of the list, in any order. */
function readListed(reader: string, ids: SQL, limit: number) {
  const u = alias(users, 'u')
  return selectRows({
    ...buildInvestorFields(reader),
    totalCents: sumTotalBalance(sql`u.id`),
    lastSignInAt: SELECT_LAST_SIGN_IN,
    isReported: sql<0 | 1>`u.id IN (${SELECT_REPORTED})`,
  })
    .from(u)
    .where(sql`u.id IN (${ids})`)
    .limit(limit)
}

/** When investor `u` last signed in. Sessions are kept for a month. */
const SELECT_LAST_SIGN_IN = sql<number | null>`(
  SELECT s.created_at FROM sessions s WHERE s.user_id = u.id ORDER BY s.created_at DESC LIMIT 1)`

const SELECT_REPORTED = sql`SELECT investor FROM factor_recoveries WHERE filed_at IS NOT NULL AND ended_at IS NULL`

function describeAccount({ closedAt, frozenAt, lockedAt }: InvestorFacts): string {
  if (closedAt !== null) return frozenAt === null ? 'Closed' : 'Closed, frozen'
  if (lockedAt !== null) return 'Locked by the investor'
  return frozenAt === null ? 'Active' : 'Frozen'
}

/** The key of an order as SQL and from the facts. It is never negative, so that a cursor can hold it. */
const SORT_KEYS = {
  balance: [
    sql`max(${sumTotalBalance(sql`u.id`)}, 0)`,
    (facts: ListedFacts) => Math.max(facts.totalCents, 0),
  ],
  active: [sql`coalesce(${SELECT_LAST_SIGN_IN}, 0)`, (facts: ListedFacts) => facts.lastSignInAt ?? 0],
} as const

function getSortKey(order: Order, facts: ListedFacts): number {
  return order === 'balance' || order === 'active' ? SORT_KEYS[order][1](facts) : 0
}

/**
 * Reads one row more than a page of newest investors, in any order.
 * @param reader the operator, who may not read everything
 */
export function readPage(reader: string, filters: InvestorFilters): RowQuery<InvestorFacts> {
  const page = {
    order: 'newest',
    after: openCursor(filters.cursor),
    rows: filters.limit + 1,
    also: sql`1`,
  } as const
  // Without an order, for which SQLite would read all users.
  return selectRows(buildInvestorFields(reader))
    .from(alias(users, 'u'))
    .where(sql`u.id IN (${selectInvestorPage(filters, page)})`)
}

interface Page {
  readonly order: Order
  readonly after: Position | null
  readonly rows: number
  /** A further condition on `users u`. */
  readonly also: SQL
}

type Filters = Omit<InvestorFilters, 'limit' | 'cursor'>

/** SQL of the ids of a page of investors. */
function selectInvestorPage(filters: Filters, { order, after, rows, also }: Page): SQL {
  const isJudged = filters.order === 'risk' || filters.risk !== undefined
  if (isJudged) return selectJudged(filters, also)
  if (order !== 'balance' && order !== 'active') return selectBySeq(filters, { order, after, rows, also })
  const newest = selectBySeq(filters, { order: 'newest', after: null, rows: MOST_FILTERED, also })
  const isAfter = after === null ? sql`1` : sql`(key, seq) < (${after.at}, ${after.seq})`
  return sql`
    SELECT id FROM (SELECT u.id, u.seq, ${SORT_KEYS[order][0]} AS key FROM users u WHERE u.id IN (${newest}) LIMIT -1)
    WHERE ${isAfter} ORDER BY key DESC, seq DESC LIMIT ${rows}`
}

/** The accounts that are judged: those with a standing sign or a request that waits, which an index finds, and the newest. */
function selectJudged(filters: Filters, also: SQL): SQL {
  const page = { order: 'newest', after: null, rows: MOST_JUDGED } as const
  const newest = selectBySeq(filters, { ...page, also })
  if (filters.query !== undefined) return newest
  const marked = selectBySeq(filters, { ...page, also: sql`${also} AND u.id IN (${SELECT_MARKED})` })
  return sql`
    SELECT id FROM (SELECT id, 1 AS marked FROM (${marked}) UNION ALL SELECT id, 0 FROM (${newest}))
    GROUP BY id ORDER BY max(marked) DESC LIMIT ${MOST_JUDGED}`
}

const SELECT_MARKED = sql`
  SELECT id FROM users WHERE role = 'investor' AND frozen_at IS NOT NULL
  UNION ${SELECT_REPORTED}
  UNION SELECT investor FROM silent_freezes WHERE ended_at IS NULL
  UNION SELECT owner FROM accounts WHERE kind = 'owed' AND balance < 0
  UNION SELECT investor FROM (${selectLongestWaiting('deposits')} UNION ALL ${selectLongestWaiting('withdrawals')})`

function selectLongestWaiting(queue: 'deposits' | 'withdrawals'): SQL {
  return sql`SELECT * FROM (SELECT investor FROM requests WHERE queue = ${queue} AND status = 'pending' ORDER BY created_at LIMIT ${MOST_JUDGED})`
}

/** SQL of the ids of a page in the order of registration. */
function selectBySeq(filters: Filters, { order, after, rows, also }: Page): SQL {
  const { query, account, kyc, anywhere } = filters
  const { isAfter, by } = buildSeqPage(sql`u.seq`, order, after)
  const base = sql`
    u.role = 'investor' AND ${also} AND ${isAfter} AND ${account === undefined ? sql`1` : OF_ACCOUNT[account]}
    AND ${kyc === undefined ? sql`1` : sql`u.kyc_status = ${kyc}`}`
  const condition = matchFilters(filters, {
    ...{ table: sql`users`, alias: sql`u`, base, by },
    ...{ at: sql`u.created_at`, investor: sql`u.id` },
  })
  return query === undefined
    ? sql`SELECT u.id FROM users u ${pickIndex(account, kyc)} WHERE ${condition} AND ${base} ORDER BY ${by} LIMIT ${rows}`
    : selectFound(searchFor(query), condition, { by, rows, isAnywhere: anywhere === 'true' })
}

// Names the index, because SQLite would scan all users in their order. Its condition must stand in the same query, or SQLite refuses the hint.
function pickIndex(account: Query['account'], kyc: Query['kyc']): SQL {
  if (account === 'frozen' || account === 'locked') return sql`INDEXED BY users_frozen`
  if (account === 'closed') return sql`INDEXED BY users_closed`
  return kyc === undefined ? sql`` : sql`INDEXED BY users_by_identity`
}

const OF_ACCOUNT: Record<NonNullable<Query['account']>, SQL> = {
  active: sql`u.frozen_at IS NULL AND u.closed_at IS NULL`,
  // A lock freezes at the same moment.
  frozen: sql`u.frozen_at IS NOT NULL AND u.frozen_at IS NOT u.locked_at`,
  locked: sql`u.frozen_at IS NOT NULL AND u.locked_at IS NOT NULL AND u.closed_at IS NULL`,
  unlocking: sql`u.seq IN (SELECT o.seq FROM users o WHERE o.id IN (SELECT id FROM ${SELECT_UNLOCKING} w))`,
  reported: sql`u.seq IN (SELECT o.seq FROM users o WHERE o.id IN (${SELECT_REPORTED}))`,
  closed: sql`u.closed_at IS NOT NULL`,
}

/** The most investors that are found by an index and then sorted. If more share a text, the newest accounts are searched for it too. */
const FEW = 250

/** Two ways to search. `indexed` selects sequence numbers of `users`; `anywhere` is a condition on the row `u`. */
interface Search {
  /** Finds by an index: the beginning of a name, address, number or reference, or an id. */
  readonly indexed: SQL
  /** Matches any part of names, address and number, in each of the newest accounts; null if that makes no sense. */
  readonly anywhere: SQL | null
}

/** Chooses the search by the form of the text: a reference, an e-mail address, a phone number, or anything else. */
function searchFor(query: string): Search {
  const text = query.toLowerCase()
  const ref = query.toUpperCase()
  if (/^(?:DEP|WDR|KYC)-[0-9A-Z]/.test(ref))
    return { indexed: joinSearches(selectByRef(ref)), anywhere: null }
  if (text.includes('@'))
    return { indexed: joinSearches([selectByEmail(text)]), anywhere: matchEmailSql(text) }
  if (/^\+?[\d ]{4,20}$/.test(text)) {
    const digits = text.replaceAll(' ', '')
    return {
      indexed: joinSearches([
        selectByPhone(digits.startsWith('+') ? digits : `+${digits}`),
        ...selectByIds(query),
      ]),
      anywhere: sql`(instr(replace(u.phone, ' ', ''), ${digits}) > 0 OR ${matchUserNamesSql(text)} OR ${matchEmailSql(text)})`,
    }
  }
  return {
    indexed: joinSearches([selectByName(text), selectByEmail(text), ...selectByIds(query)]),
    anywhere: sql`(${matchUserNamesSql(text)} OR ${matchEmailSql(text)})`,
  }
}

/**
 * SQL of the ids of a page of investors under a condition. The index comes first. The newest accounts are
 * scanned only if the index finds no match or too many, or if the caller asks for it. So no search reads more rows than that, however
 * many investors there are.
 */
function selectFound(
  { indexed, anywhere }: Search,
  condition: SQL,
  { by, rows, isAnywhere }: { by: SQL; rows: number; isAnywhere: boolean },
): SQL {
  const selectPage = (which: SQL, limit: SQL) => sql`
    SELECT * FROM (SELECT u.id, u.seq FROM users u WHERE ${which} AND ${condition} ORDER BY ${by} LIMIT ${limit})`
  if (anywhere === null) return sql`SELECT id FROM (${selectPage(sql`u.seq IN (${indexed})`, sql`${rows}`)})`
  const isFew = isAnywhere ? sql`0` : sql`(SELECT count(*) BETWEEN 1 AND ${FEW} FROM found)`
  return sql`
    WITH found AS MATERIALIZED (${indexed})
    SELECT u.id FROM (
      ${selectPage(sql`u.seq IN (SELECT seq FROM found)`, sql`${rows}`)}
      UNION
      ${selectPage(sql`${isNew()} AND ${anywhere}`, sql`iif(${isFew}, 0, ${rows})`)}) u
    ORDER BY ${by} LIMIT ${rows}`
}

// D1 allows at most five terms in a UNION, so two halves are nested.
function joinSearches(queries: readonly SQL[]): SQL {
  const halves = [queries.slice(0, 4), queries.slice(4)].filter((half) => half.length > 0)
  const joinUnion = (parts: readonly SQL[]) =>
    sql.join(
      parts.map((part) => sql`SELECT seq FROM (${part} LIMIT ${FEW + 1})`),
      sql` UNION `,
    )
  return sql`
    SELECT seq FROM (${sql.join(
      halves.map((half) => sql`SELECT seq FROM (${joinUnion(half)})`),
      sql` UNION `,
    )}) LIMIT ${FEW + 1}`
}

function selectInRange(index: string, expression: SQL, text: string): SQL {
  return sql`
    SELECT seq FROM users INDEXED BY ${sql.identifier(index)}
    WHERE role = 'investor' AND ${expression} >= ${text} AND ${expression} < ${text + LAST}`
}

function selectByPhone(digits: string): SQL {
  return selectInRange('users_by_phone', sql.raw(`replace(phone, ' ', '')`), digits)
}

function selectByRef(ref: string): SQL[] {
  return [
    sql`
      SELECT u.seq FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.ref >= ${ref} AND r.ref < ${ref + LAST}`,
    sql`
      SELECT u.seq FROM kyc_submissions k JOIN users u ON u.id = k.user_id
      WHERE k.ref >= ${ref} AND k.ref < ${ref + LAST}`,
  ]
}

/** By a complete id of the investor or of a request, or by the beginning of a transaction as the investor or an operator entered it. */
function selectByIds(query: string): SQL[] {
  return [
    sql`SELECT seq FROM users WHERE id = ${query}`,
    sql`SELECT u.seq FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = ${query}`,
    sql`
      SELECT u.seq FROM request_events e JOIN users u ON u.id = e.investor
      WHERE ${isKeySearched(query)} AND e.reference_key IS NOT NULL`,
    sql`
      SELECT u.seq FROM deposit_details d JOIN requests r ON r.id = d.request JOIN users u ON u.id = r.investor
      WHERE ${matchTransactionSql(query, sql`d.txid`)}`,
  ]
}

function matchEmailSql(text: string): SQL {
  return sql`(instr(u.email, ${text}) > 0)`
}
