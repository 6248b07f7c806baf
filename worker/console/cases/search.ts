import { type SQL, sql } from 'drizzle-orm'
import { normalizeAddress } from '../../../src/contract/money/addresses.ts'
import { foldName } from '../../lib/foldName.ts'
import { isKeySearched, matchTransactionSql } from '../../money/requests/references.ts'
import type { RequestQueue } from './requests.ts'

/** Sorts after every character: the end of a range of texts with the same beginning. */
export const LAST = '\u{10FFFF}'

/**
 * A part of a name, address or number that begins none of its words is found in this many of the newest accounts, so that no search
 * reads everybody.
 */
const NEWEST = 10_000

/** The most matching investors whose cases are searched. */
const MOST_PEOPLE = 250
/** The most open cases of a queue that are compared with a text, oldest first. */
const MOST_OPEN = 1000

/** Whether user `u` is one of the newest accounts. */
export function isNew(): SQL {
  return sql`u.seq > (SELECT max(seq) FROM users) - ${NEWEST}`
}

/** SQL of the sequence numbers of investors with a name that begins so, from one of its words on. */
export function selectByName(query: string): SQL {
  const name = foldName(query)
  return sql`SELECT seq FROM name_tokens WHERE ${name} <> '' AND token >= ${name} AND token < ${name + LAST}`
}

/** SQL of the sequence numbers of users whose e-mail address begins so. In lower case. */
export function selectByEmail(text: string): SQL {
  return sql`SELECT seq FROM users WHERE email >= ${text} AND email < ${text + LAST}`
}

/** Whether a folded name contains the query. Uses `instr` because LIKE patterns are limited in length. */
export function matchNameSql(folded: SQL, query: string): SQL {
  const name = foldName(query)
  // Marks alone fold to an empty text, which every name contains.
  return sql`(${name} <> '' AND instr(${folded}, ${name}) > 0)`
}

/** Whether a part of a name of user `u` matches. */
export function matchUserNamesSql(query: string): SQL {
  return sql`(${matchNameSql(sql`u.display_name_folded`, query)} OR ${matchNameSql(sql`u.fullname_folded`, query)})`
}

/** Whether a part of the name or e-mail address of user `u` matches. */
function matchUserSql(query: string): SQL {
  const text = query.toLowerCase()
  return sql`(
    u.id = ${query} OR ${matchUserNamesSql(query)} OR instr(u.email, ${text}) > 0)`
}

/**
 * SQL of the ids of investors that a query matches: by id, by the beginning of a word of the name or of the e-mail address, and of
 * the newest accounts by any part of them. Of more than `MOST_PEOPLE` the newest count.
 */
export function selectMatchingInvestors(query: string): SQL {
  const text = query.toLowerCase()
  return sql`
    SELECT id FROM users WHERE role = 'investor' AND seq IN (
      SELECT seq FROM (${selectByName(query)} LIMIT ${MOST_PEOPLE})
      UNION ALL SELECT seq FROM (${selectByEmail(text)} LIMIT ${MOST_PEOPLE})
      UNION ALL SELECT seq FROM users WHERE id = ${query}
      UNION ALL SELECT u.seq FROM users u WHERE ${isNew()} AND ${matchUserSql(query)})
    ORDER BY seq DESC LIMIT ${MOST_PEOPLE}`
}

/**
 * SQL of the sequence numbers of the open cases whose investor matches a query. All investors count, not only the newest. `open`
 * selects `seq` and `investor` of the cases in each state that waits, in the order of the queue.
 */
export function selectMatchingOpen(open: readonly SQL[], query: string): SQL {
  const oldest = sql.join(
    open.map((cases) => sql`SELECT seq, investor FROM (${cases} LIMIT ${MOST_OPEN})`),
    sql` UNION ALL `,
  )
  return sql`SELECT o.seq FROM (${oldest}) o JOIN users u ON u.id = o.investor WHERE ${matchUserSql(query)}`
}

/** The range of references that begin with the query; null if it cannot be a reference of ours. */
export function matchRefSql(query: string, prefixes: string): SQL | null {
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
 * SQL: whether an address begins with the searched text. The text needs at least six characters. Each spelling of it is one range
 * of an index.
 */
export function matchAddressSql(query: string, column = sql`address`): SQL {
  // People copy what a wallet shows: 0x5290…9EE7.
  const text = query.trim().replace(/(?:…|\.{3}).*$/, '')
  if (!/^(?=.*\d)(?=.*[a-z])[a-z\d]{6,}$/i.test(text)) return sql`0`
  const canonical = /^0x[0-9a-f]{40}$/i.test(text) ? normalizeAddress('eth', text) : text.toLowerCase()
  const ranges = [...new Set([text, canonical])].map(
    (start) => sql`(${column} >= ${start} AND ${column} < ${start + LAST})`,
  )
  return sql`(${sql.join(ranges, sql` OR `)})`
}

/**
 * SQL of the ids of deposits to an address that begins so. Many share the address of a receiving wallet, so those that wait longest and
 * the newest are searched.
 */
export function selectPaidTo(query: string): SQL {
  return sql`SELECT request FROM deposit_details WHERE ${matchAddressSql(query, sql`payment_to`)} AND request IN (
    SELECT id FROM (
      SELECT id FROM requests WHERE queue = 'deposits' AND status = 'pending' ORDER BY created_at LIMIT ${MOST_OPEN})
    UNION SELECT id FROM (SELECT id FROM requests WHERE queue = 'deposits' ORDER BY created_at DESC LIMIT ${MOST_OPEN}))`
}

/**
 * The sequence numbers of the requests that a query matches: by reference, by the beginning of a transaction id or an address, the open ones by their
 * investor, or the first requests of each of at most `MOST_PEOPLE` matching investors in the order of the list, one page of each. So
 * the cost grows neither with the number of investors nor with their history.
 */
export function selectMatchingRequests({ queue, query, where, by, rows }: RequestSearch): SQL {
  const range = matchRefSql(query, 'DEP|WDR')
  // A text that looks like our reference cannot be a name.
  if (range !== null) return sql`SELECT seq FROM requests WHERE ${range}`
  const { kinds, open, alsoIn } = SEARCHED[queue]
  // One index range per investor, cut at the page size. A join could only cut the whole result.
  return sql`
    SELECT found.value FROM (${selectMatchingInvestors(query)}) u
      JOIN json_each(${JSON.stringify(kinds)}) k
      JOIN json_each((
        SELECT json_group_array(seq) FROM (
          SELECT r.seq FROM requests r WHERE r.investor = u.id AND r.kind = k.value AND ${where}
          ORDER BY ${by} LIMIT ${rows}))) found
    UNION ALL ${selectMatchingOpen(
      open.map(
        (status) => sql`
          SELECT seq, investor FROM requests WHERE queue = ${queue} AND status = ${status} ORDER BY created_at`,
      ),
      query,
    )}
    UNION ALL SELECT seq FROM requests WHERE id = ${query}
    UNION ALL SELECT seq FROM requests WHERE id IN (
      SELECT request FROM request_events WHERE reference_key IS NOT NULL AND ${isKeySearched(query)}
      UNION ALL ${alsoIn(query)})`
}

/** The kinds of requests in each queue, the statuses of those that wait, and SQL of the requests that a query matches by details of that kind. */
const SEARCHED: Readonly<
  Record<
    RequestQueue,
    {
      readonly kinds: readonly string[]
      readonly open: readonly string[]
      readonly alsoIn: (query: string) => SQL
    }
  >
> = {
  deposits: {
    kinds: ['deposit'],
    open: ['pending'],
    alsoIn: (query) => sql`
      SELECT request FROM credit_approvals WHERE ${isKeySearched(query)}
      UNION ALL SELECT request FROM deposit_details WHERE ${matchTransactionSql(query, sql`txid`)}
      UNION ALL ${selectPaidTo(query)}`,
  },
  withdrawals: {
    kinds: ['withdrawal', 'online-service-withdrawal'],
    open: ['pending', 'approved'],
    alsoIn: (query) => sql`
      SELECT request FROM (SELECT request FROM withdrawal_details WHERE ${matchAddressSql(query)} LIMIT ${MOST_PEOPLE})`,
  },
}
