import { type SQL, sql } from 'drizzle-orm'
import {
  AMOUNTS_SEARCHED,
  type searchConsole as endpoint,
  type FoundCase,
  MOST_FOUND,
} from '../../../src/contract/console/search.ts'
import { parseUsd, toUsd } from '../../../src/contract/money.ts'
import { readAmount } from '../../../src/contract/typedAmounts.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { matchRefSql } from '../cases/search.ts'
import { toInvestorRow } from '../investors/investor.ts'
import { readPage } from '../investors/list.ts'

/** Finds people, references and amounts in one round trip. Each search uses an index or reads a fixed number of rows. */
export async function search({ db, actor, body: { query } }: CallOf<typeof endpoint>) {
  const [people, cases] = await readTogether(
    db,
    readPage(actor.id, { query, limit: MOST_FOUND - 1 }),
    readCases(query),
  )
  return ok({
    people: people.map((facts) => {
      const { _id, name, email } = toInvestorRow(facts)
      return { _id, name, email }
    }),
    cases: cases.map(({ createdAt, amount, ...found }) => ({
      ...found,
      amount: amount === null ? null : toUsd(amount),
      createdAt: toIso(createdAt),
    })),
  })
}

interface CaseFacts extends Omit<FoundCase, 'createdAt'> {
  readonly createdAt: number
}

/** Cases by reference, or else by amount: `DEP-7F`, `$7,200`, `7200.50`. */
function readCases(query: string): RowQuery<CaseFacts> {
  const [requestRef, kycRef, threadRef] = [
    matchRefSql(query, 'DEP|WDR'),
    matchRefSql(query, 'KYC'),
    matchRefSql(query, 'MSG'),
  ]
  if (kycRef !== null)
    return buildQuery(sql`
      SELECT k.id AS _id, 'kyc' AS kind, k.ref, k.status, NULL AS amount, u.display_name AS person, k.created_at AS createdAt
      FROM kyc_submissions k JOIN users u ON u.id = k.user_id
      WHERE k.seq IN (SELECT seq FROM kyc_submissions WHERE ${kycRef}) ORDER BY k.seq DESC LIMIT ${MOST_FOUND}`)
  if (threadRef !== null)
    return buildQuery(sql`
      SELECT id AS _id, 'message' AS kind, ref, status, NULL AS amount, name AS person, created_at AS createdAt
      FROM contact_messages WHERE ${threadRef} ORDER BY seq DESC LIMIT ${MOST_FOUND}`)
  if (requestRef !== null) return readFoundRequests(sql`SELECT seq FROM requests WHERE ${requestRef}`)
  const cents = parseUsd(readAmount(query).amount)
  return readFoundRequests(cents === null ? sql`SELECT 0` : selectByAmount(cents))
}

function readFoundRequests(seqs: SQL): RowQuery<CaseFacts> {
  return buildQuery(sql`
    SELECT r.id AS _id, CASE r.queue WHEN 'deposits' THEN 'deposit' ELSE 'withdrawal' END AS kind, r.ref, r.status, r.amount,
           u.display_name AS person, r.created_at AS createdAt
    FROM requests r JOIN users u ON u.id = r.investor
    WHERE r.seq IN (${seqs}) ORDER BY r.status IN ('pending', 'approved') DESC, r.seq DESC LIMIT ${MOST_FOUND}`)
}

function selectByAmount(cents: number): SQL {
  const selectAmong = (requests: SQL) => sql`
    SELECT seq FROM (SELECT seq, amount, asked FROM requests ${requests} LIMIT ${AMOUNTS_SEARCHED}) WHERE ${cents} IN (amount, asked)`
  return sql.join(
    [
      selectAmong(sql`WHERE queue = 'deposits' AND status = 'pending' ORDER BY created_at`),
      selectAmong(sql`WHERE queue = 'withdrawals' AND status = 'pending' ORDER BY created_at`),
      selectAmong(sql`WHERE queue = 'withdrawals' AND status = 'approved' ORDER BY created_at`),
      selectAmong(sql`ORDER BY seq DESC`),
    ],
    sql` UNION ALL `,
  )
}
