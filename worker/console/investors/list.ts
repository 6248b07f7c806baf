import { type SQL, sql } from 'drizzle-orm'
import type * as investorsContract from '../../../src/contract/console/investors.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { isKeySearched, parseSearchedTransaction } from '../../money/requests/references.ts'
import { isNew, LAST, matchUserNamesSql, selectByEmail, selectByName } from '../cases/search.ts'
import {
  type InvestorFacts,
  limitToScope,
  readInvestors,
  selectInvestors,
  toInvestorRow,
} from './investor.ts'

type Query = QueryOf<typeof investorsContract.listInvestors>

/** Filters and page of the list. */
export type InvestorFilters = Pick<Query, 'limit'> & {
  readonly [Name in Exclude<keyof Query, 'limit'>]?: Query[Name]
}

export async function listInvestors(call: CallOf<typeof investorsContract.listInvestors>) {
  const [found] = await readTogether(call.db, readPage(call.actor.id, call.query))
  const { rows, headers } = takePage(call, found, call.query.limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map((facts) => limitToScope(call.actor, toInvestorRow(facts))),
    headers,
  )
}

/**
 * Reads one row more than a page, which shows whether there is a next page.
 * @param reader the operator, who may not read everything
 */
export function readPage(
  reader: string,
  { query, anywhere, account, kyc, limit, cursor }: InvestorFilters,
): RowQuery<InvestorFacts> {
  const after = openCursor(cursor)
  const condition = sql.join(
    [
      after === null ? sql`1` : sql`u.seq < ${after.seq}`,
      account === undefined ? sql`1` : OF_ACCOUNT[account],
      kyc === undefined ? sql`1` : sql`u.kyc_status = ${kyc}`,
    ],
    sql` AND `,
  )
  if (query === undefined) return readInvestors(reader, condition, limit + 1, pickIndex(account, kyc))
  return buildQuery(selectFoundPage(reader, searchFor(query), condition, limit + 1, anywhere === 'true'))
}

// Names the index, because SQLite would scan all users in their order.
function pickIndex(account: Query['account'], kyc: Query['kyc']): string | undefined {
  if (account === 'frozen') return 'users_frozen'
  if (account === 'closed') return 'users_closed'
  return kyc === undefined ? undefined : 'users_by_identity'
}

const OF_ACCOUNT: Record<NonNullable<Query['account']>, SQL> = {
  active: sql`u.frozen_at IS NULL AND u.closed_at IS NULL`,
  frozen: sql`u.frozen_at IS NOT NULL`,
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
 * SQL of a page of investors under a condition, newest first. The index comes first. The newest accounts are
 * scanned only if the index finds no match or too many, or if the caller asks for it. So no search reads more rows than that, however
 * many investors there are.
 */
function selectFoundPage(
  reader: string,
  search: Search,
  condition: SQL,
  rows: number,
  isAnywhere: boolean,
): SQL {
  const { indexed, anywhere } = search
  const selectPage = (which: SQL, limit: SQL) => sql`
    SELECT * FROM (${selectInvestors(reader, sql`${which} AND ${condition}`).getSQL()} LIMIT ${limit})`
  if (anywhere === null) return selectPage(sql`u.seq IN (${indexed})`, sql`${rows}`)
  const scanned = sql`${isNew()} AND ${anywhere}`
  const isFew = isAnywhere ? sql`0` : sql`(SELECT count(*) BETWEEN 1 AND ${FEW} FROM found)`
  return sql`
    WITH found AS MATERIALIZED (${indexed})
    SELECT * FROM (
      ${selectPage(sql`u.seq IN (SELECT seq FROM found)`, sql`${rows}`)}
      UNION
      ${selectPage(scanned, sql`iif(${isFew}, 0, ${rows})`)})
    ORDER BY seq DESC LIMIT ${rows}`
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

/** By a complete id: of the investor, of a request, or of a transaction as the investor or an operator entered it. */
function selectByIds(query: string): SQL[] {
  return [
    sql`SELECT seq FROM users WHERE id = ${query}`,
    sql`SELECT u.seq FROM requests r JOIN users u ON u.id = r.investor WHERE r.id = ${query}`,
    sql`
      SELECT u.seq FROM request_events e JOIN users u ON u.id = e.investor
      WHERE ${isKeySearched(query)} AND e.reference_key IS NOT NULL`,
    sql`
      SELECT u.seq FROM deposit_details d JOIN requests r ON r.id = d.request JOIN users u ON u.id = r.investor
      WHERE d.txid = ${parseSearchedTransaction(query)}`,
  ]
}

function matchEmailSql(text: string): SQL {
  return sql`(instr(u.email, ${text}) > 0)`
}
