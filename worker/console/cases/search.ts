import { type SQL, sql } from 'drizzle-orm'
import { isKeySearched, transactionSearched } from '../../money/requests/references.ts'
import type { RequestQueue } from './requests.ts'

/**
 * Whether somebody `u` is meant: by a part of the name or the e-mail address, or by their id. `instr`, because a LIKE pattern
 * has a longest length here and its wildcards would have to be escaped. It reads everybody once.
 */
export function isMeant(query: string): SQL {
  const text = query.toLowerCase()
  return sql`(
    u.id = ${query} OR instr(lower(u.display_name), ${text}) > 0 OR instr(u.fullname, ${text}) > 0
    OR instr(u.email, ${text}) > 0)`
}

/** The range of references that begin as the query does; null where it is none of ours, whole or in part. */
export function refRange(query: string, prefixes: string): SQL | null {
  const ref = query.toUpperCase()
  return new RegExp(`^(?:${prefixes})-[0-9A-Z]`).test(ref) ? sql`ref >= ${ref} AND ref < ${`${ref}~`}` : null
}

interface RequestSearch {
  readonly queue: RequestQueue
  readonly query: string
  /** The condition on `requests r` that the filter and the page set. */
  readonly where: SQL
  readonly rows: number
}

/**
 * The sequence numbers of the requests that a query means: by their reference, by a transaction id or an address in full, or the
 * newest of each investor who is meant, no more of one than are shown. So it costs what there are investors, and never their
 * history.
 */
export function requestsMeant({ queue, query, where, rows }: RequestSearch): SQL {
  const range = refRange(query, 'DEP|WDR')
  // What reads as a reference of ours is nobody's name.
  if (range !== null) return sql`SELECT seq FROM requests WHERE ${range}`
  const { kinds, alsoIn } = SEARCHED[queue]
  // Each investor's requests come from one range of an index, cut where a page ends: a join could only cut the whole.
  return sql`
    SELECT found.value FROM users u
      JOIN json_each(${JSON.stringify(kinds)}) k
      JOIN json_each((
        SELECT json_group_array(seq) FROM (
          SELECT r.seq FROM requests r WHERE r.investor = u.id AND r.kind = k.value AND ${where}
          ORDER BY r.created_at DESC, r.seq DESC LIMIT ${rows}))) found
      WHERE u.role = 'investor' AND ${isMeant(query)}
    UNION ALL SELECT seq FROM requests WHERE id = ${query}
    UNION ALL SELECT seq FROM requests WHERE id IN (
      SELECT request FROM request_events WHERE reference_key IS NOT NULL AND ${isKeySearched(query)}
      UNION ALL ${alsoIn(query)})`
}

/** The kinds of requests in each queue, and SQL of the requests that a query means by details which only they have. */
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
