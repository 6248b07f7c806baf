import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  AMOUNTS_SEARCHED,
  type searchConsole as endpoint,
  MOST_FOUND,
} from '../../../src/contract/console/search.ts'
import { parseUsd, toUsd } from '../../../src/contract/money.ts'
import { CASE_SCOPES } from '../../../src/contract/roles.ts'
import { readAmount } from '../../../src/contract/typedAmounts.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hasScope } from '../../http/scopes.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
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
    cases: cases
      .filter(({ kind }) => hasScope(actor, CASE_SCOPES[kind]))
      .map(({ createdAt, amount, ...found }) => ({
        ...found,
        amount: amount === null ? null : toUsd(amount),
        createdAt: toIso(createdAt),
      })),
  })
}

const NO_AMOUNT = sql<number | null>`NULL`

/** Cases by reference, or else by amount: `DEP-7F`, `$7,200`, `7200.50`. */
function readCases(query: string) {
  const [requestRef, kycRef, threadRef] = [
    matchRefSql(query, 'DEP|WDR'),
    matchRefSql(query, 'KYC'),
    matchRefSql(query, 'MSG'),
  ]
  if (kycRef !== null) {
    const [k, u] = [alias(kycSubmissions, 'k'), alias(users, 'u')]
    const { id: _id, ref, status, createdAt, seq } = k
    const kind = sql<'kyc'>`'kyc'`
    return selectRows({ _id, kind, ref, status, amount: NO_AMOUNT, person: u.displayName, createdAt })
      .from(k)
      .innerJoin(u, eq(u.id, k.userId))
      .where(sql`k.seq IN (SELECT seq FROM kyc_submissions WHERE ${kycRef})`)
      .orderBy(desc(seq))
      .limit(MOST_FOUND)
  }
  if (threadRef !== null) {
    const { id: _id, ref, status, name: person, createdAt, seq } = contactMessages
    const kind = sql<'message'>`'message'`
    return selectRows({ _id, kind, ref, status, amount: NO_AMOUNT, person, createdAt })
      .from(contactMessages)
      .where(threadRef)
      .orderBy(desc(seq))
      .limit(MOST_FOUND)
  }
  if (requestRef !== null) return readFoundRequests(sql`SELECT seq FROM requests WHERE ${requestRef}`)
  const cents = parseUsd(readAmount(query).amount)
  return readFoundRequests(cents === null ? sql`SELECT 0` : selectByAmount(cents))
}

function readFoundRequests(seqs: SQL) {
  const [r, u] = [alias(requests, 'r'), alias(users, 'u')]
  const { id: _id, ref, status, amount, createdAt, seq } = r
  const kind = sql<
    'deposit' | 'withdrawal'
  >`CASE r.queue WHEN 'deposits' THEN 'deposit' ELSE 'withdrawal' END`
  return selectRows({ _id, kind, ref, status, amount, person: u.displayName, createdAt })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .where(sql`r.seq IN (${seqs})`)
    .orderBy(sql`r.status IN ('pending', 'approved') DESC`, desc(seq))
    .limit(MOST_FOUND)
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
