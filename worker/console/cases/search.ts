import { type SQL, sql } from 'drizzle-orm'
import { isKeySearched, transactionSearched } from '../../money/requests/references.ts'
import type { RequestQueue } from './requests.ts'

/**
 * Whether user `u` matches by id or by part of the name or e-mail address. Uses `instr` because LIKE patterns are limited in
 * length and would need escaping. Reads every user once.
 */
export function matchesUser(query: string): SQL {
  const text = query.toLowerCase()
  return sql`(
    u.id = ${query} OR instr(lower(u.display_name), ${text}) > 0 OR instr(u.fullname, ${text}) > 0
    OR instr(u.email, ${text}) > 0)`
}

/** The range of references that begin with the query; null if it cannot be a reference of ours. */
export function refRange(query: string, prefixes: string): SQL | null {
  const ref = query.toUpperCase()
  return new RegExp(`^(?:${prefixes})-[0-9A-Z]`).test(ref) ? sql`ref >= ${ref} AND ref < ${`${ref}~`}` : null
}

interface RequestSearch {
  readonly queue: RequestQueue
  readonly query: string
  /** The filter and the page, as a condition on `requests r`. */
  readonly where: SQL
  /** The order of the list. */
  readonly by: SQL
  readonly rows: number
}

/**
 * The sequence numbers of the requests that a query matches: by reference, by full transaction id or address, or the first
 * requests of each matching investor in the order of the list, at most one page of each. So the cost grows with the number of investors, not with their
 * history.
 */
export function matchingRequests({ queue, query, where, by, rows }: RequestSearch): SQL {
  const range = refRange(query, 'DEP|WDR')
  // A text that looks like our reference cannot be a name.
  if (range !== null) return sql`SELECT seq FROM requests WHERE ${range}`
  const { kinds, alsoIn } = SEARCHED[queue]
  // One index range per investor, cut at the page size. A join could only cut the whole result.
  return sql`
    SELECT found.value FROM users u
      JOIN json_each(${JSON.stringify(kinds)}) k
      JOIN json_each((
        SELECT json_group_array(seq) FROM (
          SELECT r.seq FROM requests r WHERE r.investor = u.id AND r.kind = k.value AND ${where}
          ORDER BY ${by} LIMIT ${rows}))) found
      WHERE u.role = 'investor' AND ${matchesUser(query)}
    UNION ALL SELECT seq FROM requests WHERE id = ${query}
    UNION ALL SELECT seq FROM requests WHERE id IN (
      SELECT request FROM request_events WHERE reference_key IS NOT NULL AND ${isKeySearched(query)}
      UNION ALL ${alsoIn(query)})`
}

/** The kinds of requests in each queue, and SQL of the requests that a query matches by details of that kind. */
const SEARCHED: Readonly<
  Record<RequestQueue, { readonly kinds: readonly string[]; readonly alsoIn: (query: string) => SQL }>
> = {
  deposits: {
    kinds: ['deposit'],
    alsoIn: (query) => {
      const txid = transactionSearched(query)
      return sql`
        SELECT request FROM credit_approvals WHERE ${isKeySearched(query)}
        UNION ALL SELECT request FROM deposit_details
          WHERE txid IS NOT NULL AND lower(txid) IN (${txid}, ${`0x${txid}`})`
    },
  },
  withdrawals: {
    kinds: ['withdrawal', 'online-service-withdrawal'],
    alsoIn: (query) => sql`SELECT request FROM withdrawal_details WHERE address = ${query}`,
  },
}
