import { type SQL, sql } from 'drizzle-orm'
import * as investorsContract from '../../../src/contract/console/investors.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { ok, route } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { isKeySearched, transactionSearched } from '../../money/requests/references.ts'
import { INVESTOR_COLUMNS, type InvestorFacts, investorRow, readInvestors } from './investor.ts'

type Query = QueryOf<typeof investorsContract.listInvestors>

/** What is asked of the list: whom it is about, and which page. */
export type Asked = Pick<Query, 'limit'> & { readonly [Name in Exclude<keyof Query, 'limit'>]?: Query[Name] }

/** Investors, newest first. */
export const listInvestors = route(investorsContract.listInvestors, async (call) => {
  const [found] = await readTogether(call.db, readPage(call.query))
  const { rows, headers } = pageOf(call, found, call.query.limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(investorRow), headers)
})

/** Reads a page and one row more: whether there is a next one. */
export function readPage({ query, anywhere, account, kyc, limit, cursor }: Asked): Read<InvestorFacts> {
  const after = openCursor(cursor)
  const condition = sql.join(
    [
      after === null ? sql`1` : sql`u.seq < ${after.seq}`,
      account === undefined ? sql`1` : OF_ACCOUNT[account],
      kyc === undefined ? sql`1` : sql`u.kyc_status = ${kyc}`,
    ],
    sql` AND `,
  )
  if (query === undefined) return readInvestors(condition, limit + 1, indexFor(account, kyc))
  return reading(pageFound(INVESTOR_COLUMNS, searchFor(query), condition, limit + 1, anywhere === 'true'))
}

// Not left to SQLite, which would go through everybody in their order.
function indexFor(account: Query['account'], kyc: Query['kyc']): string | undefined {
  if (account === 'frozen') return 'users_frozen'
  if (account === 'closed') return 'users_closed'
  return kyc === undefined ? undefined : 'users_by_identity'
}

const OF_ACCOUNT: Record<NonNullable<Query['account']>, SQL> = {
  active: sql`u.frozen_at IS NULL AND u.closed_at IS NULL`,
  frozen: sql`u.frozen_at IS NOT NULL`,
  closed: sql`u.closed_at IS NOT NULL`,
}

/**
 * So many investors at most are found by an index and then put in order. What more of them share is met soon enough on the
 * way from the newest one down.
 */
const FEW = 250

/** Above every character: where the texts end that begin with a text. */
const LAST = '\u{10FFFF}'

// Not left to SQLite, which takes the index of roles for narrower than any range.
const NAME_INDEXES = [
  ['users_by_display_name', 'lower(display_name)'],
  ['users_by_fullname', 'lower(fullname)'],
  ['users_by_further_names', `lower(substr(fullname, instr(fullname, ' ') + 1))`],
  ['users_by_last_name', `lower(replace(fullname, rtrim(fullname, replace(fullname, ' ', '')), ''))`],
] as const

/** How investors are looked for. Both answer the sequence numbers of `users`, or a condition on the row `u`. */
interface Search {
  /** By what an index finds: the beginning of a name, an address or a number, a reference, an id. */
  readonly indexed: SQL
  /** By what stands anywhere in names, address and number: each row is looked at. Null where that makes no sense. */
  readonly anywhere: SQL | null
}

/** What a text may mean, by its form: a reference of ours, an e-mail address, a phone number, or any of the other things. */
function searchFor(query: string): Search {
  const text = query.toLowerCase()
  const ref = query.toUpperCase()
  if (/^(?:DEP|WDR|KYC)-[0-9A-Z]/.test(ref)) return { indexed: oneOf(byRef(ref)), anywhere: null }
  if (text.includes('@')) return { indexed: oneOf([byEmail(text)]), anywhere: inEmail(text) }
  if (/^\+?[\d ]{4,20}$/.test(text)) {
    const digits = text.replaceAll(' ', '')
    return {
      indexed: oneOf([byPhone(digits.startsWith('+') ? digits : `+${digits}`), ...byIds(query)]),
      anywhere: sql`(instr(replace(u.phone, ' ', ''), ${digits}) > 0 OR ${inNames(text)} OR ${inEmail(text)})`,
    }
  }
  return {
    indexed: oneOf([
      ...NAME_INDEXES.map(([index, expression]) => named(index, sql.raw(expression), text)),
      byEmail(text),
      ...byIds(query),
    ]),
    anywhere: sql`(${inNames(text)} OR ${inEmail(text)})`,
  }
}

/**
 * Investors' rows for a page: `columns` of `users u`, newest first, under a condition. What an index finds goes first; only
 * where it finds nobody, or so many that the newest ones are soon met, or where it is asked for, row after row is looked at.
 */
function pageFound(columns: SQL, search: Search, condition: SQL, rows: number, isAnywhere: boolean): SQL {
  const { indexed, anywhere } = search
  const page = (which: SQL, limit: SQL) => sql`
    SELECT * FROM (SELECT ${columns} FROM users u WHERE u.role = 'investor' AND ${which} AND ${condition}
      ORDER BY u.seq DESC LIMIT ${limit})`
  if (isAnywhere && anywhere !== null) return page(anywhere, sql`${rows}`)
  if (anywhere === null) return page(sql`u.seq IN (${indexed})`, sql`${rows}`)
  const isFew = sql`(SELECT count(*) BETWEEN 1 AND ${FEW} FROM found)`
  return sql`
    WITH found AS MATERIALIZED (${indexed})
    SELECT * FROM (
      ${page(sql`u.seq IN (SELECT seq FROM found)`, sql`iif(${isFew}, ${rows}, 0)`)}
      UNION ALL
      ${page(anywhere, sql`iif(${isFew}, 0, ${rows})`)})
    ORDER BY seq DESC`
}

// D1 takes five terms of a UNION at the most, so each stands in an IN of its own.
function oneOf(queries: readonly SQL[]): SQL {
  const halves = [queries.slice(0, 4), queries.slice(4)].filter((half) => half.length > 0)
  const union = (parts: readonly SQL[]) =>
    sql.join(
      parts.map((part) => sql`SELECT seq FROM (${part} LIMIT ${FEW + 1})`),
      sql` UNION `,
    )
  return sql`
    SELECT seq FROM (${sql.join(
      halves.map((half) => sql`SELECT seq FROM (${union(half)})`),
      sql` UNION `,
    )}) LIMIT ${FEW + 1}`
}

function named(index: string, expression: SQL, text: string): SQL {
  return sql`
    SELECT seq FROM users INDEXED BY ${sql.identifier(index)}
    WHERE role = 'investor' AND ${expression} >= ${text} AND ${expression} < ${text + LAST}`
}

function byEmail(text: string): SQL {
  return sql`SELECT seq FROM users WHERE email >= ${text} AND email < ${text + LAST}`
}

function byPhone(digits: string): SQL {
  return named('users_by_phone', sql.raw(`replace(phone, ' ', '')`), digits)
}

/** By our references, from their beginning on. */
function byRef(ref: string): SQL[] {
  return [
    sql`
      SELECT u.seq FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.ref >= ${ref} AND r.ref < ${ref + LAST}`,
    sql`
      SELECT u.seq FROM kyc_submissions k JOIN users u ON u.id = k.user_id
      WHERE k.ref >= ${ref} AND k.ref < ${ref + LAST}`,
  ]
}

/** By a whole id: the investor's, a request's; or a transaction's, as the investor gave it or an operator entered it. */
function byIds(query: string): SQL[] {
  const txid = transactionSearched(query)
  return [
    sql`SELECT seq FROM users WHERE id = ${query}`,
    sql`SELECT u.seq FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = ${query}`,
    sql`
      SELECT u.seq FROM request_events e JOIN users u ON u.id = e.investor
      WHERE ${isKeySearched(query)} AND e.reference_key IS NOT NULL`,
    sql`
      SELECT u.seq FROM deposit_details d JOIN requests r ON r.id = d.request JOIN users u ON u.id = r.investor
      WHERE lower(d.txid) IN (${txid}, ${`0x${txid}`}) AND d.txid IS NOT NULL`,
  ]
}

// `instr`, because a LIKE pattern has a longest length here and its wildcards would have to be escaped.
function inNames(text: string): SQL {
  return sql`(instr(lower(u.display_name), ${text}) > 0 OR instr(lower(u.fullname), ${text}) > 0)`
}

function inEmail(text: string): SQL {
  return sql`(instr(u.email, ${text}) > 0)`
}
