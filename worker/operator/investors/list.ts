import { type SQL, sql } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/operator/investors.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { type Investor, investorDetail, investorRow, readInvestors } from './investor.ts'

interface InvestorQuery {
  /** A part of the name or the e-mail address, an id, or the beginning of a reference. */
  readonly query: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Investors, newest first. */
export async function listInvestors(
  call: CheckedCall<unknown, InvestorQuery> & ActorCall,
): Promise<Answer<OperatorInvestor[]>> {
  const { query, limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = sql`
    ${query === undefined ? sql`1` : matches(query)} AND ${after === null ? sql`1` : sql`u.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readInvestors(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(investorRow), headers)
}

export async function showInvestor(_call: ActorCall, investor: Investor): Promise<Answer<OperatorInvestor>> {
  return ok(investorDetail(investor))
}

// `instr`, because a LIKE pattern has a longest length here and its wildcards would have to be escaped.
function matches(query: string): SQL {
  const text = query.toLowerCase()
  const ref = query.toUpperCase()
  const byRef = /^(?:DEP|WDR|KYC)-[0-9A-Z]/.test(ref)
    ? sql`
      OR u.id IN (SELECT investor FROM requests WHERE ref >= ${ref} AND ref < ${`${ref}~`})
      OR u.id IN (SELECT user_id FROM kyc_submissions WHERE ref >= ${ref} AND ref < ${`${ref}~`})`
    : sql``
  return sql`(
    u.id = ${query} OR instr(lower(u.display_name), ${text}) > 0 OR instr(u.fullname, ${text}) > 0
    OR instr(u.email, ${text}) > 0 ${byRef})`
}
